/// What can be asked of the segments in a directory, by whoever has its path: see the extensions.
///
/// A `SegmentJournal` asks it; tests do, too, which look at files that no journal has open.
package enum Segments {
    /// Reads the journal in `directory`, which nobody writes, without changing anything.
    ///
    /// Hands every whole group with entries after `seq`, and these, to `visit`, until that answers
    /// false; answers what there is. The rule for the tail is that of `SegmentWriter.open`, but a
    /// torn tail is reported and left alone.
    package static func read(
        directory path: String,
        afterSeq seq: UInt64?,
        appliedGroup: UInt64 = 0,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws -> JournalSummary {
        let directory = SegmentDirectory(path: path)
        let proof = try ProofFile.read(in: directory)
        let segments = try directory.segments()
        guard let first = segments.first else {
            let end = try JournalEnd.find(
                in: directory,
                segments: segments,
                appliedGroup: appliedGroup
            )
            return JournalSummary(
                firstSeq: 0,
                lastSeq: end.lastSeq,
                lastGroup: end.lastGroup,
                tornTail: nil
            )
        }
        var walk = try SegmentWalk(directory, segments: segments, from: 0)
        var firstSeq: UInt64 = 0
        while let head = try walk.next() {
            if firstSeq == 0 {
                firstSeq = head.firstSeq
                guard seq ?? .max >= firstSeq - 1 else {
                    throw JournalFailure.pruned(firstSeq: firstSeq)
                }
            }
            let entries = try walk.entries().filter { $0.seq > seq ?? 0 }
            guard try entries.isEmpty || visit(head.group, entries) else {
                return JournalSummary(
                    firstSeq: firstSeq,
                    lastSeq: head.group.lastSeq,
                    lastGroup: head.number,
                    tornTail: nil
                )
            }
        }
        let tail = try walk.tail(appliedGroup: appliedGroup, proof)
        guard walk.lastSeq != nil || first == 1 else {
            throw JournalFailure.damaged("\(path): group \(first) is not whole")
        }
        return JournalSummary(
            firstSeq: firstSeq,
            lastSeq: walk.lastSeq ?? 0,
            lastGroup: walk.expected - 1,
            tornTail: tail.torn
        )
    }

    /// Hands every group with entries after `seq`, and these, to `visit`, up to the one with the
    /// entry `last`, or until that answers false.
    ///
    /// May be asked from any thread while the journal is written, pruned and rewritten, for a
    /// `last` that is committed.
    ///
    /// - Throws: `.pruned` where what comes next is not here any more; `.damaged` where it should
    ///   be, and is not whole; what `visit` throws.
    static func walk(
        directory path: String,
        afterSeq seq: UInt64?,
        throughSeq last: UInt64,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws {
        let directory = SegmentDirectory(path: path)
        let reader = try SegmentReader(directory: path)
        let before = try seq ?? max(reader.firstSeq(), 1) - 1
        guard before < last else { return }
        guard let place = try reader.place(of: before + 1) else {
            throw JournalFailure.pruned(firstSeq: try reader.firstSeq())
        }
        var walk = SegmentWalk(directory, segments: reader.segments, from: place)
        while walk.lastSeq ?? 0 < last {
            guard let head = try next(&walk, directory) else {
                throw JournalFailure.damaged(
                    "\(path): group \(walk.expected) is not whole any more"
                )
            }
            if head.group.lastSeq <= before { continue }
            let entries = try walk.entries().filter { $0.seq > before }
            guard try visit(head.group, entries) else { return }
        }
    }

    /// The next group; `.pruned` where its segment was removed meanwhile.
    private static func next(
        _ walk: inout SegmentWalk,
        _ directory: SegmentDirectory
    ) throws(JournalFailure) -> GroupFormat.Head? {
        do throws(JournalFailure) {
            return try walk.next()
        } catch {
            let segments = try directory.segments()
            guard let first = segments.first, first > walk.expected else { throw error }
            throw .pruned(firstSeq: try SegmentReader(directory: directory.path).firstSeq())
        }
    }
}
