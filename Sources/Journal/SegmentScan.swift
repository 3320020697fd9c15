import Glibc

/// Reads the groups of one segment, forward, through a window that grows with the largest group.
struct SegmentScan: ~Copyable {
    let file: SegmentFile
    private var window: [UInt8] = []
    private var windowStart = 0
    private var windowCount = 0
    private let readAheadBytes: Int

    /// Where the next group is looked for.
    private(set) var position: Int

    init(
        _ file: SegmentFile,
        from position: Int = 0,
        readAheadBytes: Int = Limits.windowBytesMax
    ) {
        self.file = file
        self.position = position
        self.readAheadBytes = readAheadBytes
    }

    /// The whole group `number` of `journal` (any, when nil) at the present position.
    mutating func group(
        _ number: UInt64,
        journal: UInt64?
    ) throws(JournalFailure) -> GroupFormat.Head? {
        guard let head = try head(at: position), head.number == number,
            journal == nil || head.journal == journal
        else { return nil }
        guard try isWhole(head, at: position) else { return nil }
        // Behind the checksum: a version that has rotted is damage and not a later one.
        if head.version != GroupFormat.version { throw .unknownVersion(head.version) }
        return head
    }

    /// The head at the present position, when it could be that of group `number` of `journal`.
    ///
    /// Its CRC is not checked; for hopping over groups on the way to one that will be.
    mutating func unverifiedHead(
        _ number: UInt64,
        journal: UInt64?
    ) throws(JournalFailure) -> GroupFormat.Head? {
        guard let head = try head(at: position), head.number == number,
            journal == nil || head.journal == journal
        else { return nil }
        return head
    }

    /// The entries of the whole group at the present position.
    mutating func entries(of head: GroupFormat.Head) throws(JournalFailure) -> [JournalEntry] {
        guard try need(head.groupBytes, at: position) else {
            throw .damaged("\(file.path): group \(head.number) ends behind the file")
        }
        let start = position - windowStart
        // SAFETY: `need` has put the group's bytes into the window.
        let entries = window.withUnsafeBytes {
            let bytes = UnsafeRawBufferPointer(rebasing: $0[start..<start + head.groupBytes])
            return GroupFormat.entries(of: bytes, head)
        }
        guard let entries else {
            throw .damaged("\(file.path): group \(head.number) has entries that are not whole")
        }
        return entries
    }

    /// The bytes of the whole group at the present position, copied.
    mutating func bytes(of head: GroupFormat.Head) throws(JournalFailure) -> [UInt8] {
        guard try need(head.groupBytes, at: position) else {
            throw .damaged("\(file.path): group \(head.number) ends behind the file")
        }
        let start = position - windowStart
        return Array(window[start..<start + head.groupBytes])
    }

    /// Looks for the next group at `position`.
    mutating func move(to position: Int) { self.position = position }

    /// The first head of `journal` whose place is in `range`, and that place; it may be rotten.
    ///
    /// Callers who can put bytes into an entry do not know the journal's number, so they cannot
    /// make an entry look like a head.
    mutating func headAnywhere(
        in range: Range<Int>,
        journal: UInt64
    ) throws(JournalFailure) -> (head: GroupFormat.Head, place: Int)? {
        var place = range.lowerBound
        while place < range.upperBound, try need(GroupFormat.headBytes, at: place) {
            guard let found = try candidate(from: &place) else { continue }
            guard place < range.upperBound else { return nil }
            if found.journal == journal { return (found, place) }
            place += GroupFormat.alignment
        }
        return nil
    }

    /// Moves behind a group.
    mutating func pass(_ head: GroupFormat.Head) { position += head.groupBytes }

    /// The first whole group of `journal` from the present position on, at whatever place, whose
    /// number is above `number`.
    mutating func groupAbove(
        _ number: UInt64,
        journal: UInt64?
    ) throws(JournalFailure) -> UInt64? {
        var place = position
        while try need(GroupFormat.headBytes, at: place) {
            if let found = try candidate(from: &place) {
                if found.number > number, journal == nil || found.journal == journal,
                    try isWhole(found, at: place)
                {
                    return found.number
                }
                place += GroupFormat.alignment
            }
        }
        return nil
    }

    /// The end of what is not zero from the present position on; nil when all is zero.
    mutating func lastNonZero() throws(JournalFailure) -> Int? {
        var last: Int?
        var place = position
        while try need(1, at: place) {
            let end = windowStart + windowCount
            let start = place - windowStart
            // SAFETY: the range lies within the window's valid bytes.
            let found = window.withUnsafeBytes { bytes -> Int? in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<windowCount])
                return rest.isAllZero ? nil : rest.lastIndex { $0 != 0 }.map { start + $0 }
            }
            if let found { last = windowStart + found + 1 }
            place = end
        }
        return last
    }

    /// The next head within the window, and its place; moves `place` to the window's end if none.
    private func candidate(from place: inout Int) throws(JournalFailure) -> GroupFormat.Head? {
        let end = windowStart + windowCount - GroupFormat.headBytes
        // SAFETY: every place up to `end` has a head's bytes within the window.
        return window.withUnsafeBytes { bytes in
            while place <= end {
                let offset = place - windowStart
                if bytes.number(at: offset, as: UInt64.self) == GroupFormat.magic {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[offset..<windowCount])
                    if let head = GroupFormat.head(of: rest) { return head }
                }
                place += GroupFormat.alignment
            }
            return nil
        }
    }

    private mutating func head(at place: Int) throws(JournalFailure) -> GroupFormat.Head? {
        guard try need(GroupFormat.headBytes, at: place) else { return nil }
        let offset = place - windowStart
        // SAFETY: `need` has put a head's bytes into the window.
        return window.withUnsafeBytes {
            GroupFormat.head(of: UnsafeRawBufferPointer(rebasing: $0[offset..<windowCount]))
        }
    }

    private mutating func isWhole(
        _ head: GroupFormat.Head,
        at place: Int
    ) throws(JournalFailure) -> Bool {
        guard try need(head.groupBytes, at: place) else { return false }
        let offset = place - windowStart
        // SAFETY: `need` has put the group's bytes into the window.
        return window.withUnsafeBytes {
            let bytes = UnsafeRawBufferPointer(rebasing: $0[offset..<offset + head.groupBytes])
            return GroupFormat.isWhole(bytes, head)
        }
    }

    /// Makes the window hold `count` bytes at `place`; false when the file ends before.
    private mutating func need(_ count: Int, at place: Int) throws(JournalFailure) -> Bool {
        if place >= windowStart, place + count <= windowStart + windowCount { return true }
        guard place + count <= (try file.byteCount()) else { return false }
        let wanted = max(count, readAheadBytes)
        if window.count < wanted {
            window = [UInt8](repeating: 0, count: wanted)
        }
        // A reader that goes backwards usually goes on doing so.
        let start = place < windowStart ? min(place, max(0, place + count - wanted)) : place
        windowStart = start
        windowCount = 0
        var failure: JournalFailure?
        // SAFETY: the array outlives the call and says its size.
        let read = window.withUnsafeMutableBytes { bytes in
            do throws(JournalFailure) {
                let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted])
                return try file.read(at: start, into: piece)
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        windowCount = read
        return start + read >= place + count
    }
}

extension UnsafeRawBufferPointer {
    /// Whether every byte is zero, at the speed of memcmp: equal to itself one byte further on.
    var isAllZero: Bool {
        guard let start = baseAddress, count > 0 else { return true }
        // SAFETY: both ranges of `count - 1` bytes lie within the buffer.
        return self[0] == 0 && memcmp(start, start + 1, count - 1) == 0
    }
}
