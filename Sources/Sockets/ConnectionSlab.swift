import Wire

/// All connections of one thread, in one block of memory, identified by index and generation.
///
/// A token is `generation << 32 | index`. A generation is odd while its slot is in use and grows
/// with every change, so a token of a closed connection finds nothing.
struct ConnectionSlab: ~Copyable {
    private var slots: UnsafeMutablePointer<Connection>
    private var generations: [UInt32]
    private var free: [Int]
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 64) {
        // SAFETY: a slot is initialised exactly while its generation is odd; freed in `deinit`.
        slots = .allocate(capacity: capacity)
        generations = Array(repeating: 0, count: capacity)
        free = Array((0..<capacity).reversed())
        self.capacity = capacity
    }

    deinit {
        for index in generations.indices where generations[index] & 1 == 1 {
            (slots + index).deinitialize(count: 1)
        }
        slots.deallocate()
    }

    /// The connection with this token; nil once it is gone.
    ///
    /// Valid until the next `insert`.
    @inline(__always)
    func find(_ token: UInt64) -> UnsafeMutablePointer<Connection>? {
        let index = Int(truncatingIfNeeded: token & 0xFFFF_FFFF)
        guard index < capacity, generations[index] == UInt32(truncatingIfNeeded: token >> 32)
        else { return nil }
        // SAFETY: only tokens of taken slots are handed out, so the generation is odd.
        return slots + index
    }

    /// The tokens of all connections.
    var tokens: [UInt64] {
        var tokens: [UInt64] = []
        tokens.reserveCapacity(count)
        for (index, generation) in generations.enumerated() where generation & 1 == 1 {
            tokens.append(UInt64(generation) << 32 | UInt64(index))
        }
        return tokens
    }

    mutating func insert(
        _ arrival: Arrival,
        _ session: Session,
        _ state: ConnectionState
    ) -> UInt64 {
        if free.isEmpty { grow() }
        let index = free.removeLast()
        generations[index] &+= 1
        let token = token(index)
        let conversation = Conversation(
            session: session,
            connection: token,
            isRefused: arrival.isRefused
        )
        (slots + index)
            .initialize(
                to: Connection(
                    descriptor: arrival.descriptor,
                    token: token,
                    door: arrival.door,
                    ceiling: arrival.ceiling,
                    conversation: conversation,
                    state: state
                )
            )
        count += 1
        return token
    }

    mutating func remove(_ token: UInt64) {
        guard let slot = find(token) else { return }
        let index = slot - slots
        slot.deinitialize(count: 1)
        generations[index] &+= 1
        free.append(index)
        count -= 1
    }

    private func token(_ index: Int) -> UInt64 {
        UInt64(generations[index]) << 32 | UInt64(index)
    }

    private mutating func grow() {
        // SAFETY: every slot is taken when this runs, so all of them move.
        let moved = UnsafeMutablePointer<Connection>.allocate(capacity: capacity * 2)
        moved.moveInitialize(from: slots, count: capacity)
        slots.deallocate()
        slots = moved
        generations.append(contentsOf: repeatElement(0, count: capacity))
        free = Array((capacity..<capacity * 2).reversed())
        capacity *= 2
    }
}
