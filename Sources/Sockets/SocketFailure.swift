import Glibc

/// Why the sockets could not be opened.
package enum SocketFailure: Error, Equatable, Sendable {
    /// Another daemon holds this socket. Exit 75.
    case alreadyRunning(path: String)
    /// More than `SocketLimits.pathBytesMax` bytes, or none at all.
    case pathLength(path: String, bytes: Int)
    /// The path exists and is not a socket.
    case notASocket(path: String)
    /// A system call failed.
    case system(action: String, path: String, errno: Int32)
}

extension SocketFailure: CustomStringConvertible {
    /// One sentence for the operator.
    package var description: String {
        switch self {
        case .alreadyRunning(let path):
            "Another daemon answers at \(path)."
        case .pathLength(let path, let bytes):
            "The socket path \(path) has \(bytes) bytes; 1 to \(SocketLimits.pathBytesMax) can be"
                + " used."
        case .notASocket(let path):
            "\(path) exists and is not a socket; it is left alone."
        case .system(let action, let path, let errno):
            // SAFETY: strerror returns a string that is valid until the next call on this thread.
            "Could not \(action) \(path): \(String(cString: strerror(errno)))."
        }
    }
}
