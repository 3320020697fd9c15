import Glibc

extension Segments {
    /// Puts a copy in the place of every segment that begins at or before `seq` and has an entry
    /// that `change` changes; answers how many.
    ///
    /// An entry keeps its seq, and may change its length; a group keeps its number and its entries.
    /// Whoever reads a segment reads on in the old file. A copy ends with its last group.
    /// All copies are flushed before the first is renamed, and a mark says so: whoever finds it
    /// reads the copies, so that a journal is the old one or the new one, and never some of both.
    /// `onCommit` is called once the mark is there, for what must change with the journal. May be
    /// asked from any thread once `seal` was, for a seq that stood before it, by one at a time;
    /// `sealed` is the last group then.
    ///
    /// Every segment must be whole to its end: to where the next one begins, and the last one to
    /// `sealed`. What is not read would not be copied. Where one is not, `.damaged` is thrown
    /// before anything was changed.
    package static func rewrite(
        directory path: String,
        throughSeq seq: UInt64,
        sealed: UInt64,
        onStep: ((JournalStep) -> Void)? = nil,
        onCommit: () throws -> Void = {},
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws -> Int {
        let directory = SegmentDirectory(path: path)
        try directory.settleCopies()
        var copied: [UInt64] = []
        do {
            var journal: UInt64?
            let segments = try directory.segments()
            for (index, segment) in segments.enumerated() {
                let isLast = index + 1 == segments.count
                // One that was begun since has nothing from before.
                if isLast, segment > sealed { break }
                let file = try SegmentFile(directory.path(firstGroup: segment), writing: false)
                var groups = GroupScan(
                    file,
                    segment,
                    through: isLast ? sealed : segments[index + 1] - 1,
                    journal: journal
                )
                guard let first = try groups.next(), first.head.firstSeq <= seq else { break }
                journal = first.head.journal
                guard try copy(&groups, first, segment, directory, change) else { continue }
                copied.append(segment)
                onStep?(.copied)
            }
            if copied.isEmpty { return 0 }
            try directory.flush()
        } catch {
            for segment in copied { try? directory.remove(directory.copyPath(firstGroup: segment)) }
            throw error
        }
        try directory.markCopies()
        onStep?(.committed)
        try onCommit()
        try directory.replace(copied) { onStep?(.replaced) }
        return copied.count
    }

    /// Copies a segment, changed; answers false, and writes nothing, where there is no need to.
    ///
    /// What does not change is copied as it is. The copy is read through before it may stand for
    /// the segment.
    private static func copy(
        _ groups: inout GroupScan,
        _ first: (head: GroupFormat.Head, entries: [JournalEntry]),
        _ segment: UInt64,
        _ directory: SegmentDirectory,
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws -> Bool {
        let path = directory.copyPath(firstGroup: segment)
        try directory.remove(path)
        do {
            var copy: SegmentFile?
            // So much of the segment is copied, and so long is the copy.
            var (copied, written) = (0, 0)
            var found: (head: GroupFormat.Head, entries: [JournalEntry])? = first
            while let (head, entries) = found {
                let position = groups.position
                if let bytes = try changed(head, entries, change) {
                    let target = try copy ?? SegmentFile(creating: path)
                    copy = target
                    try groups.file.copy(copied..<position, to: target, at: written)
                    written += position - copied
                    try bytes.withUnsafeBytes { try target.write($0, at: written) }
                    written += bytes.count
                    copied = position + head.groupBytes
                }
                found = try groups.next()
            }
            guard let copy else { return false }
            try groups.file.copy(copied..<groups.position, to: copy, at: written)
            try copy.flush()
            var again = GroupScan(copy, segment, through: groups.last, journal: first.head.journal)
            while try again.next() != nil {}
            return true
        } catch {
            try? directory.remove(path)
            throw error
        }
    }

    /// The bytes of a group in which `change` changes an entry; nil where it changes none.
    private static func changed(
        _ head: GroupFormat.Head,
        _ entries: [JournalEntry],
        _ change: (JournalEntry) throws -> JournalEntry?
    ) throws -> [UInt8]? {
        var entries = entries
        var isChanged = false
        for index in entries.indices {
            guard let other = try change(entries[index]) else { continue }
            precondition(other.seq == entries[index].seq, "a rewritten entry keeps its seq")
            entries[index] = other
            isChanged = true
        }
        guard isChanged else { return nil }
        var buffer: [UInt8] = []
        GroupFormat.encode(
            entries,
            number: head.number,
            journal: head.journal,
            catalogVersion: head.catalogVersion,
            rulesVersion: head.rulesVersion,
            into: &buffer
        )
        return buffer
    }
}

/// The groups of one segment that nobody writes any more; one that is not whole is damage.
private struct GroupScan: ~Copyable {
    private var scan: SegmentScan
    private var number: UInt64
    /// The last group.
    let last: UInt64
    private var journal: UInt64?
    private var present: GroupFormat.Head?

    var file: SegmentFile { scan.file }

    /// Where the group begins that `next` answered last; where the last one ends, behind it.
    var position: Int { scan.position }

    init(_ file: SegmentFile, _ first: UInt64, through last: UInt64, journal: UInt64?) {
        scan = SegmentScan(file)
        number = first
        self.last = last
        self.journal = journal
    }

    mutating func next() throws -> (head: GroupFormat.Head, entries: [JournalEntry])? {
        if let present { scan.pass(present) }
        present = nil
        guard let head = try scan.group(number, journal: journal) else {
            guard number > last else {
                throw JournalFailure.damaged(
                    "\(scan.file.path) at byte \(scan.position): group \(number) is not whole"
                )
            }
            return nil
        }
        present = head
        journal = head.journal
        number += 1
        return (head, try scan.entries(of: head))
    }
}
