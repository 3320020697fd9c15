extension Segments {
    /// Whether a rewriting in `path` has been decided and not finished.
    package static func areBeingReplaced(in path: String) -> Bool {
        SegmentDirectory(path: path).copiesHold
    }

    /// Removes the segments in `path` that hold nothing but seqs up to `seq`; answers how many.
    ///
    /// The newest always stays. May be asked from any thread while the journal is written, unless a
    /// copy of it is being made. A name goes after the other, oldest first, so that a crash between
    /// leaves no gap.
    package static func remove(
        directory path: String,
        throughSeq seq: UInt64,
        _ onEach: () -> Void
    ) throws(JournalFailure) -> Int {
        let directory = SegmentDirectory(path: path)
        let reader = try SegmentReader(directory: path)
        let segments = reader.segments
        var removed = 0
        for (index, segment) in segments.dropLast().enumerated() {
            guard let next = try reader.startSeq(at: index + 1), next - 1 <= seq else { break }
            try directory.remove(directory.path(firstGroup: segment))
            try directory.flush()
            removed += 1
            onEach()
        }
        return removed
    }
}
