import Glibc

extension Journal {
    /// How many bytes the segments in `directory` take, those to be used again among them.
    ///
    /// Reads the directory only; may be asked from any thread, also while the journal is written.
    package static func bytes(in path: String) throws(JournalFailure) -> Int {
        let directory = SegmentDirectory(path: path)
        let (segments, spares) = try directory.list()
        let paths =
            segments.map { directory.path(firstGroup: $0) }
            + spares.map { directory.sparePath(firstGroup: $0) }
        var sum = 0
        for path in paths {
            var status = stat()
            // SAFETY: stat fills the structure. One that was renamed meanwhile is left out.
            if stat(path, &status) == 0 { sum += Int(status.st_size) }
        }
        return sum
    }
}
