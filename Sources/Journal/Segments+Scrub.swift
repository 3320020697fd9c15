extension Segments {
    /// The segments in `directory`, oldest first, each by the number of its first group.
    package static func segments(in path: String) throws(JournalFailure) -> [UInt64] {
        try SegmentDirectory(path: path).segments()
    }

    /// Reads one segment whole, and says the first thing that is not as it was written.
    ///
    /// Every group is compared with its checksum, and the last one must be that before the next
    /// segment, or before what is being written. May be asked from any thread while the journal is
    /// written, pruned or rewritten.
    ///
    /// - Parameters:
    ///   - segment: the number of its first group, as `segments(in:)` names it.
    ///   - path: the journal's directory.
    ///   - onGroup: called behind each group, which is whole; false ends early.
    /// - Returns: a sentence that names the file, the byte and the group; nil where nothing is
    ///   wrong, where the segment was pruned meanwhile, and where it was told to end.
    /// - Throws: `.io` or `.denied` where the disk or the system does not give the bytes.
    package static func damage(
        inSegment segment: UInt64,
        of path: String,
        _ onGroup: (JournalGroup, [JournalEntry]) throws -> Bool = { _, _ in true }
    ) throws -> String? {
        let directory = SegmentDirectory(path: path)
        // First: what is proved now is whole when it is read below.
        let proof = try ProofFile.read(in: directory)
        let segments = try directory.segments()
        guard let index = segments.firstIndex(of: segment) else { return nil }
        let file: SegmentFile
        do throws(JournalFailure) {
            file = try SegmentFile(directory.readPath(firstGroup: segment), writing: false)
        } catch {
            if try !directory.segments().contains(segment) { return nil }
            throw error
        }
        var (number, journal, lastSeq) = (segment, UInt64?.none, UInt64?.none)
        var scan = SegmentScan(file)
        func at(_ scan: borrowing SegmentScan, _ what: String) -> String {
            "\(scan.file.path) at byte \(scan.position): \(what)"
        }
        while let head = try scan.group(number, journal: journal) {
            if let lastSeq, head.firstSeq != lastSeq + 1 {
                return at(scan, "group \(number) begins with seq \(head.firstSeq)")
            }
            let entries: [JournalEntry]
            do throws(JournalFailure) {
                entries = try scan.entries(of: head)
            } catch .damaged(let what) {
                return what
            }
            (journal, lastSeq) = (head.journal, head.group.lastSeq)
            scan.pass(head)
            number += 1
            guard try onGroup(head.group, entries) else { return nil }
        }
        let end: UInt64
        if index + 1 < segments.count {
            end = segments[index + 1]
        } else if let proof, proof.isOf(journal) {
            end = proof.lastGroup + 1
        } else {
            return nil
        }
        return number < end ? at(scan, "group \(number) is not whole") : nil
    }
}
