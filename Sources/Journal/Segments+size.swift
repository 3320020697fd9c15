import Glibc

extension Segments {
    /// How many bytes the segments in `directory` take.
    ///
    /// Reads the directory only; may be asked from any thread, also while the journal is written.
    package static func bytes(in path: String) throws(JournalFailure) -> Int {
        let directory = SegmentDirectory(path: path)
        var sum = 0
        for segment in try directory.segments() {
            var status = stat()
            // SAFETY: stat fills the structure. One that was removed meanwhile is left out.
            if stat(directory.path(firstGroup: segment), &status) == 0 {
                sum += Int(status.st_size)
            }
        }
        return sum
    }
}
