/// Finds single entries in a journal that somebody else may be writing.
///
/// Confined to one thread. It asks only for what is on the disk: a caller names seqs that were
/// published. Between `remember` and `forget` it keeps the segments open that it has read, and the
/// groups; otherwise every question looks at the files as they are.
package final class SegmentReader: KeptByJournal {
    private let directory: SegmentDirectory
    private(set) var segments: [UInt64] = []
    private var firstSeqs: [UInt64: UInt64] = [:]
    private var journal: UInt64?
    /// Whether what is read is kept.
    package var isRemembering = false
    /// The one used last is the last.
    private var open: [SegmentSearch] = []
    /// The one read last is the last.
    private(set) var kept: [WholeGroup] = []
    /// Segments that are open.
    var openSegments: Int { open.count }
    /// The most places that are remembered of one of them.
    var placesKept: Int { open.map(\.placesKept).max() ?? 0 }
    /// Entries that were decoded since the reader was made.
    package private(set) var entriesDecoded = 0
    /// Groups that were read from files since then.
    package private(set) var groupsRead = 0

    /// A reader of the journal in `directory`.
    package init(directory: String) throws(JournalFailure) {
        self.directory = SegmentDirectory(path: directory)
        try refresh()
    }

    /// The entry `seq`, nil when it is not here: not yet written, or pruned.
    ///
    /// Throws `.damaged` where it was here once and cannot be read any more.
    package func entry(seq: UInt64) throws(JournalFailure) -> JournalEntry? {
        guard let group = try wholeGroup(of: seq) else { return nil }
        entriesDecoded += 1
        return try group.entry(seq)
    }

    /// The group in which `seq` stands, and its entries; nil when it is not here.
    package func group(
        of seq: UInt64
    ) throws(JournalFailure) -> (group: JournalGroup, entries: [JournalEntry])? {
        guard let group = try wholeGroup(of: seq) else { return nil }
        entriesDecoded += group.head.group.entryCount
        return (group.head.group, try group.entries())
    }

    /// Closes every file, and gives back the memory of what was read.
    package func forget() {
        open = []
        kept = []
    }

    /// Whether a file that was read and is kept has been replaced or removed.
    package var isOutdated: Bool {
        open.contains { segment in (try? segment.isNamed()) == false }
    }

    private func wholeGroup(of seq: UInt64) throws(JournalFailure) -> WholeGroup? {
        defer { if !isRemembering { forget() } }
        do throws(JournalFailure) {
            if let found = try find(seq) { return found }
        } catch .io, .damaged {
            // The segment was pruned under our hands; its name is gone, or what is known of it old.
        }
        try refresh()
        if let found = try find(seq) { return found }
        try checkAbsence(of: seq)
        return nil
    }

    /// The first seq that is still here; 0 when there is none.
    package func firstSeq() throws(JournalFailure) -> UInt64 {
        try refresh()
        return try startSeq(at: 0) ?? 0
    }

    /// The last seq of the oldest segments in which every entry is older than `moment` and none is
    /// above `seq`; nil where there are none.
    ///
    /// The newest segment is never among them. Of the others there are no more than have `bytes`
    /// together, and at least one.
    package func lastSeq(
        olderThan moment: Int64,
        through seq: UInt64,
        within bytes: Int = .max
    ) throws(JournalFailure) -> UInt64? {
        try refresh()
        var last: UInt64?
        var taken = 0
        for following in segments.indices.dropFirst() {
            // Moments never fall: the last entry of a segment is its newest.
            guard let next = try startSeq(at: following), next - 1 <= seq,
                let newest = try entry(seq: next - 1), newest.moment < moment
            else { break }
            let path = directory.readPath(firstGroup: segments[following - 1])
            taken += try SegmentFile(path, writing: false).byteCount()
            if last != nil, taken > bytes { break }
            last = next - 1
        }
        return last
    }

    /// The index of the segment that has `seq`, or would have it; nil when it is before the first.
    func segmentIndex(of seq: UInt64) throws(JournalFailure) -> Int? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            // One that cannot be read says nothing: the next one that can is asked.
            var asked = middle
            var first = try firstSeq(ofSegment: segments[asked])
            while first == nil, asked + 1 < high {
                asked += 1
                first = try firstSeq(ofSegment: segments[asked])
            }
            if let first, first <= seq {
                low = asked + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? nil : low - 1
    }

    /// Where a group begins from which the one with `seq` is reached by few steps; nil where that
    /// is before the first segment.
    func place(of seq: UInt64) throws(JournalFailure) -> SegmentPlace? {
        guard let index = try segmentIndex(of: seq), let journal else { return nil }
        defer { forget() }
        let segment = try opened(index, journal)
        let found = try segment.place(of: seq)
        return SegmentPlace(
            index: index,
            file: segment.file,
            offset: found.offset,
            group: found.group
        )
    }

    /// The first seq of the segment at `index`; nil where there is no such segment, or while it has
    /// no group.
    func startSeq(at index: Int) throws(JournalFailure) -> UInt64? {
        guard index < segments.count else { return nil }
        if let seq = try firstSeq(ofSegment: segments[index]) { return seq }
        if try isBegun(index) { throw notWhole(segments[index], inSegmentAt: index) }
        return nil
    }

    /// The first seq of a segment; nil where its first group is not there or not whole.
    func firstSeq(ofSegment firstGroup: UInt64) throws(JournalFailure) -> UInt64? {
        if let known = firstSeqs[firstGroup] { return known }
        let file = try SegmentFile(directory.readPath(firstGroup: firstGroup), writing: false)
        var scan = SegmentScan(file, readAheadBytes: GroupFormat.headBytes)
        guard let head = try scan.group(firstGroup, journal: journal) else { return nil }
        journal = head.journal
        firstSeqs[firstGroup] = head.firstSeq
        return head.firstSeq
    }

    /// Looks which segments there are.
    func refresh() throws(JournalFailure) {
        segments = try directory.segments()
        let present = Set(segments)
        firstSeqs = firstSeqs.filter { present.contains($0.key) }
        open = []
        kept = []
    }

    private func find(_ seq: UInt64) throws(JournalFailure) -> WholeGroup? {
        if let group = kept.last(where: { $0.holds(seq) }) { return group }
        guard let index = try segmentIndex(of: seq), let journal else { return nil }
        let segment = try opened(index, journal)
        guard let group = try segment.group(of: seq) else { return nil }
        groupsRead += 1
        kept.append(group)
        var bytes = kept.reduce(0) { $0 + $1.byteCount }
        while kept.count > Limits.groupsKeptMax || bytes > Limits.groupsKeptBytesMax,
            kept.count > 1
        {
            bytes -= kept.removeFirst().byteCount
        }
        return group
    }

    private func opened(
        _ index: Int,
        _ journal: UInt64
    ) throws(JournalFailure) -> SegmentSearch {
        let firstGroup = segments[index]
        if let place = open.lastIndex(where: { $0.firstGroup == firstGroup }) {
            let segment = open.remove(at: place)
            open.append(segment)
            return segment
        }
        let segment = try SegmentSearch(
            SegmentFile(directory.readPath(firstGroup: firstGroup), writing: false),
            firstGroup: firstGroup,
            firstSeq: firstSeqs[firstGroup] ?? 0,
            nextSeq: index + 1 < segments.count ? firstSeqs[segments[index + 1]] : nil,
            journal: journal
        )
        if open.count == Limits.openSegmentsMax { open.removeFirst() }
        open.append(segment)
        return segment
    }

    /// Damage where `seq`, which was not found, was here once: in a segment between groups that
    /// others follow, or before the group that is proved.
    ///
    /// Asked after `refresh`.
    private func checkAbsence(of seq: UInt64) throws(JournalFailure) {
        guard let index = try segmentIndex(of: seq) else {
            // Before everything that can be read: pruned, unless the oldest cannot be read.
            _ = try startSeq(at: 0)
            return
        }
        let first = segments[index]
        let file = try SegmentFile(directory.readPath(firstGroup: first), writing: false)
        var scan = SegmentScan(file, readAheadBytes: Limits.indexBytesMin)
        var number = first
        while let head = try scan.group(number, journal: journal) {
            scan.pass(head)
            number += 1
        }
        if index + 1 < segments.count {
            guard number == segments[index + 1] else { throw notWhole(number, inSegmentAt: index) }
            _ = try startSeq(at: index + 1)
            return
        }
        guard let proof = try ProofFile.read(in: directory), proof.isOf(journal),
            proof.lastGroup >= number
        else { return }
        throw notWhole(number, inSegmentAt: index)
    }

    /// Whether the segment at `index` had a group once.
    private func isBegun(_ index: Int) throws(JournalFailure) -> Bool {
        if index + 1 < segments.count { return true }
        guard let proof = try ProofFile.read(in: directory) else { return false }
        return proof.isOf(journal) && proof.lastGroup >= segments[index]
    }

    private func notWhole(_ group: UInt64, inSegmentAt index: Int) -> JournalFailure {
        let path = directory.path(firstGroup: segments[index])
        return .damaged("\(path): group \(group) is not whole")
    }
}
