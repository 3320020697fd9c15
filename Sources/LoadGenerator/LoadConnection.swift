import Glibc

/// One connection of a load: what is under way, and bytes that are not whole yet.
///
/// Its memory is released by `discard`, because it lives in a slab of such.
struct LoadConnection {
    var descriptor: Int32 = -1
    /// Requests written, and replies seen.
    private(set) var issued = 0
    private(set) var answered = 0
    /// When the request of each slot was due.
    private let starts: UnsafeMutablePointer<Int64>
    /// Slots that are free, where replies name theirs.
    private let free: UnsafeMutablePointer<Int32>
    private let slots: Int
    /// Bytes of a reply that is not whole.
    var input: ByteStore
    /// Bytes of requests that the socket did not take.
    var output: ByteStore

    init(slots: Int) {
        self.slots = slots
        // SAFETY: both are freed in `discard`, which is called once.
        starts = .allocate(capacity: slots)
        free = .allocate(capacity: slots)
        starts.initialize(repeating: 0, count: slots)
        for slot in 0..<slots { (free + slot).initialize(to: Int32(slot)) }
        input = ByteStore()
        output = ByteStore()
    }

    func discard() {
        if descriptor >= 0 { close(descriptor) }
        starts.deallocate()
        free.deallocate()
        input.discard()
        output.discard()
    }

    /// Requests without a reply.
    @inline(__always) var underWay: Int { issued - answered }

    /// Whether another request may be written.
    @inline(__always) var hasRoom: Bool { underWay < slots }

    /// Takes a slot for a request that is due at `start`.
    @inline(__always)
    mutating func take(at start: Int64, named: Bool) -> Int {
        let slot = named ? Int(free[slots - underWay - 1]) : issued % slots
        starts[slot] = start
        issued += 1
        return slot
    }

    /// Gives the slot of a reply back, and answers when its request was due; nil for a reply to
    /// nothing.
    @inline(__always)
    mutating func release(_ scan: ReplyScan, named: Bool) -> Int64? {
        guard underWay > 0 else { return nil }
        let slot = named ? scan.slot : answered % slots
        guard slot < slots else { return nil }
        answered += 1
        if named { free[slots - underWay - 1] = Int32(slot) }
        return starts[slot]
    }
}

/// Bytes in memory that grows when it must.
struct ByteStore {
    private var storage: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Valid until the next change.
    // SAFETY: `count` bytes of the storage were written.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: storage, count: count) }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if capacity - count < bytes.count {
            capacity = max(capacity * 2, count + bytes.count, 4_096)
            // SAFETY: the old memory is copied, and not used afterwards.
            let moved = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
            if let storage {
                moved.copyMemory(from: storage, byteCount: count)
                storage.deallocate()
            }
            storage = moved
        }
        storage.unsafelyUnwrapped.advanced(by: count)
            .copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Forgets the first bytes.
    mutating func consume(_ length: Int) {
        count -= length
        guard let storage, length > 0, count > 0 else { return }
        // SAFETY: both ranges are within the memory; memmove lets them overlap.
        memmove(storage, storage + length, count)
    }

    mutating func removeAll() { count = 0 }

    func discard() { storage?.deallocate() }
}
