/// A list of members that keeps its memory.
struct MemberTable: ~Copyable {
    private var storage: UnsafeMutablePointer<JSONMember>
    private(set) var capacity: Int
    var count = 0

    init(capacity: Int) {
        // SAFETY: freed in `deinit`, or in `grow` once its content has moved.
        storage = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit { storage.deallocate() }

    /// Forgets all members, and gives back what more than `keptMembersMax` of them took.
    @inline(__always)
    mutating func empty() {
        count = 0
        if capacity > JSONLimits.keptMembersMax { resize(to: JSONLimits.keptMembersMax) }
    }

    var all: UnsafeBufferPointer<JSONMember> {
        // SAFETY: the first `count` are initialised; valid until the next mutation.
        UnsafeBufferPointer(start: storage, count: count)
    }

    @inline(__always)
    mutating func append(_ member: JSONMember) {
        if count == capacity { grow(to: count + 1) }
        // SAFETY: below `capacity`; members are trivial.
        (storage + count).initialize(to: member)
        count += 1
    }

    mutating func append(contentsOf other: borrowing MemberTable, from first: Int) {
        let added = other.count - first
        if count + added > capacity { grow(to: count + added) }
        // SAFETY: two tables never share storage, and both ranges lie within theirs.
        (storage + count).initialize(from: other.storage + first, count: added)
        count += added
    }

    @inline(__always)
    mutating func setValue(
        at place: Int,
        start: Int,
        end: Int,
        isEscaped: Bool,
        innerStart: Int,
        innerCount: Int
    ) {
        // SAFETY: `place` was appended before.
        let member = storage + place
        member.pointee.valueStart = UInt32(truncatingIfNeeded: start)
        member.pointee.valueEnd = UInt32(truncatingIfNeeded: end)
        member.pointee.valueIsEscaped = isEscaped
        member.pointee.innerStart = UInt32(truncatingIfNeeded: innerStart)
        member.pointee.innerCount = UInt16(truncatingIfNeeded: innerCount)
    }

    private mutating func grow(to needed: Int) { resize(to: max(capacity * 2, needed)) }

    @inline(never)
    private mutating func resize(to capacity: Int) {
        // SAFETY: members are trivial; the old memory is not used after the move.
        let moved = UnsafeMutablePointer<JSONMember>.allocate(capacity: capacity)
        moved.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = moved
        self.capacity = capacity
    }
}
