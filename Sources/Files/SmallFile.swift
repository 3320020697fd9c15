// Files keeps small files of which every version is whole.
//
// In reading order:
//   SmallFile    below, all there is
//
// Its laws:
//   1. A reader finds the old version or the new one, also after a loss of power.
//   2. A file longer than its bound is not read.
//
// It never knows what a file says.

import Glibc

/// A small file in a directory that is there.
///
/// A new version is written whole beside it, flushed, and renamed over the old one.
package struct SmallFile: Sendable {
    /// What is in it.
    package enum Contents: Equatable, Sendable {
        /// There is none.
        case absent
        /// It cannot be read, or is longer than it may be.
        case broken
        case bytes([UInt8])
    }

    private let directory: String
    private let path: String
    private let bytesMax: Int

    /// The file `name` in `directory`, of so many bytes at most.
    package init(_ name: String, in directory: String, bytesMax: Int) {
        self.directory = directory
        path = directory + "/" + name
        self.bytesMax = bytesMax
    }

    /// What is in it now.
    package var contents: Contents {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return errno == ENOENT ? .absent : .broken }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= bytesMax else { return .broken }
        // A byte more than it has says that it grew meanwhile.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
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
        guard filled < bytes.count else { return .broken }
        return .bytes(Array(bytes.prefix(filled)))
    }

    /// Replaces it; answers the errno of a failure, or nil.
    package func replace(with bytes: [UInt8]) -> Int32? {
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
