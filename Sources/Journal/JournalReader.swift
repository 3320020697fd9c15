/// Finds single entries in a journal that somebody else may be writing.
///
/// Confined to one thread. It remembers a place every 64 KiB of the segments it has read, and asks
/// only for what is on the disk: a caller names seqs that were published.
package final class JournalReader {
    private struct Place {
        let group: UInt64
        let firstSeq: UInt64
        let offset: Int
    }

    private let directory: SegmentDirectory
    private(set) var segments: [UInt64] = []
    private var firstSeqs: [UInt64: UInt64] = [:]
    private var places: [UInt64: [Place]] = [:]
    private var journal: UInt64?

    /// A reader of the journal in `directory`.
    package init(directory: String) throws(JournalFailure) {
        self.directory = SegmentDirectory(path: directory)
        try refresh()
    }

    /// The entry `seq`, nil when it is not here: not yet written, or pruned.
    ///
    /// Throws `.damaged` where it was here once and cannot be read any more.
    package func entry(seq: UInt64) throws(JournalFailure) -> JournalEntry? {
        guard let (group, entries) = try group(of: seq) else { return nil }
        return entries[Int(seq - group.firstSeq)]
    }

    /// The group in which `seq` stands, and its entries; nil when it is not here.
    package func group(
        of seq: UInt64
    ) throws(JournalFailure) -> (group: JournalGroup, entries: [JournalEntry])? {
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
        places = places.filter { present.contains($0.key) }
    }

    private func find(
        _ seq: UInt64
    ) throws(JournalFailure) -> (group: JournalGroup, entries: [JournalEntry])? {
        guard let index = try segmentIndex(of: seq), let journal else { return nil }
        let firstGroup = segments[index]
        var known = places[firstGroup] ?? []
        let place = known.last { $0.firstSeq <= seq }
        let file = try SegmentFile(directory.readPath(firstGroup: firstGroup), writing: false)
        var scan = SegmentScan(
            file,
            from: place?.offset ?? 0,
            readAheadBytes: Limits.indexBytesMin
        )
        var number = place?.group ?? firstGroup
        defer { places[firstGroup] = known }
        while let head = try scan.unverifiedHead(number, journal: journal) {
            if scan.position >= (known.last?.offset ?? 0) + Limits.indexBytesMin {
                known.append(
                    Place(group: number, firstSeq: head.firstSeq, offset: scan.position)
                )
            }
            if seq <= head.group.lastSeq {
                guard seq >= head.firstSeq, try scan.group(number, journal: journal) != nil else {
                    throw .damaged("\(file.path): group \(number) is not whole")
                }
                return (head.group, try scan.entries(of: head))
            }
            scan.pass(head)
            number += 1
        }
        return nil
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
