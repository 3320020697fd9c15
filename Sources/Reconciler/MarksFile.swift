import Glibc
import Synchronization

/// Keeps the marks in a small file in the data directory.
///
/// A new version is written whole, flushed, and renamed over the old one, so a reader finds either
/// version. If the file is lost, the next walk is longer, but no fact is lost.
final class MarksFile: Sendable {
    private let directory: String
    private let name: String
    private let present: Mutex<Marks>
    private let report: @Sendable (ReconcilerNotice) -> Void

    /// Reads the marks in `directory` under `name`; begins with none if the file is missing or
    /// cannot be read.
    init(
        in directory: String,
        named name: String,
        _ report: @escaping @Sendable (ReconcilerNotice) -> Void
    ) {
        self.directory = directory
        self.name = name
        self.report = report
        switch Self.contents(of: directory + "/" + name) {
        case .absent: present = Mutex(Marks())
        case .broken:
            present = Mutex(Marks())
            report(.marksUnreadable)
        case .bytes(let bytes):
            let marks = Marks(bytes)
            if marks == nil { report(.marksUnreadable) }
            present = Mutex(marks ?? Marks())
        }
    }

    /// The present marks.
    var marks: Marks { present.withLock { $0 } }

    /// Changes the marks and stores them.
    ///
    /// A failure to store them is reported and not fatal.
    func change(_ edit: (inout Marks) -> Void) {
        let failure = present.withLock { marks -> Int32? in
            edit(&marks)
            return store(marks.bytes)
        }
        if let failure { report(.marksUnsaved(String(cString: strerror(failure)))) }
    }

    private enum Contents {
        case absent
        case broken
        case bytes([UInt8])
    }

    private static func contents(of path: String) -> Contents {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return errno == ENOENT ? .absent : .broken }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: ReconcilerLimits.marksBytesMax + 1)
        var filled = 0
        while filled < bytes.count {
            // SAFETY: reads into the array behind what is filled, at most to its end.
            let count = bytes.withUnsafeMutableBytes { bytes in
                read(file, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
            }
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                return .broken
            }
            filled += count
        }
        guard filled <= ReconcilerLimits.marksBytesMax else { return .broken }
        return .bytes(Array(bytes.prefix(filled)))
    }

    /// Stores the marks; returns the errno of a failure, or nil.
    private func store(_ bytes: [UInt8]) -> Int32? {
        let path = directory + "/" + name
        let draft = path + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return errno }
        var failure: Int32?
        var written = 0
        while written < bytes.count, failure == nil {
            // SAFETY: reads the array from what is written to its end.
            let count = bytes.withUnsafeBytes { bytes in
                write(file, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 { written += count } else if errno != EINTR { failure = errno }
        }
        if failure == nil, fsync(file) != 0 { failure = errno }
        close(file)
        if failure == nil, rename(draft, path) != 0 { failure = errno }
        guard failure == nil else { return failure }
        // The new name is on disk once the directory is flushed.
        let place = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard place >= 0 else { return errno }
        defer { close(place) }
        return fsync(place) == 0 ? nil : errno
    }
}
