/// Reads whole groups behind a position, some at a time, and remembers the place.
///
/// Between two readings the journal may grow, be pruned up to that place, or be rewritten: a group
/// keeps its place in its segment. Confined to one thread.
package final class GroupReader {
    private struct Place {
        let segment: UInt64
        let position: Int
        let group: UInt64
    }

    private let path: String
    private var place: Place?
    /// The last entry that was handed out.
    package private(set) var seq: UInt64

    /// A reader of the journal in `directory` that begins behind the entry `seq`.
    package init(directory: String, afterSeq seq: UInt64) {
        path = directory
        self.seq = seq
    }

    /// Hands groups to `visit`, in order, until one has the entry `last` or `visit` answers false.
    ///
    /// - Throws: `.damaged` where a group is missing or not whole before `last`; what `visit`
    ///   throws. The group that it was thrown for is handed out again the next time.
    package func read(
        through last: UInt64,
        _ visit: (JournalGroup, [JournalEntry]) throws -> Bool
    ) throws {
        guard seq < last else { return }
        let directory = SegmentDirectory(path: path)
        let segments = try directory.segments()
        var walk = try begin(directory, segments)
        while seq < last {
            guard let head = try walk.next() else { throw missing }
            if head.group.lastSeq <= seq { continue }
            guard head.firstSeq <= seq + 1 else { throw missing }
            let after = seq
            let next = Place(
                segment: segments[walk.index],
                position: walk.position + head.groupBytes,
                group: walk.expected
            )
            let goesOn = try visit(head.group, try walk.entries().filter { $0.seq > after })
            (place, seq) = (next, head.group.lastSeq)
            guard goesOn else { return }
        }
    }

    private func begin(
        _ directory: SegmentDirectory,
        _ segments: [UInt64]
    ) throws(JournalFailure) -> JournalWalk {
        if let place {
            guard let index = segments.firstIndex(of: place.segment) else { throw missing }
            return try JournalWalk(
                directory,
                segments: segments,
                from: index,
                at: place.position,
                expecting: place.group
            )
        }
        guard let index = try JournalReader(directory: path).segmentIndex(of: seq + 1) else {
            throw missing
        }
        return try JournalWalk(directory, segments: segments, from: index)
    }

    private var missing: JournalFailure { .damaged("\(path): entry \(seq + 1) is missing") }
}
