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
        } catch .io {
            // The segment was pruned under our hands; its name is gone.
        }
        try refresh()
        return try find(seq)
    }

    /// The first seq that is still here; 0 when there is none.
    package func firstSeq() throws(JournalFailure) -> UInt64 {
        try refresh()
        guard let first = segments.first else { return 0 }
        return try firstSeq(ofSegment: first) ?? 0
    }

    /// The last seq of the oldest segments in which every entry is older than `moment` and none is
    /// above `seq`; nil where there are none.
    ///
    /// The newest segment is never among them.
    package func lastSeq(
        olderThan moment: Int64,
        through seq: UInt64
    ) throws(JournalFailure) -> UInt64? {
        try refresh()
        var last: UInt64?
        for following in segments.dropFirst() {
            // Moments never fall: the last entry of a segment is its newest.
            guard let next = try firstSeq(ofSegment: following), next - 1 <= seq,
                let newest = try entry(seq: next - 1), newest.moment < moment
            else { break }
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
            if let first = try firstSeq(ofSegment: segments[middle]), first <= seq {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low == 0 ? nil : low - 1
    }

    /// The first seq of a segment; nil while it has no group.
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
}
