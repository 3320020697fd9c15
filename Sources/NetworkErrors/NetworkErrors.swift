// NetworkErrors says in words what the network refused.
//
// In reading order:
//   NetworkErrors    below, all there is
//
// Its laws:
//   1. The words are for whoever runs the daemon: no numbers of errors.
//   2. Only what it does not know is called by its type.
//
// It never says more than what failed: whether to try again is the caller's affair.

import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Errors of the libraries that listen, connect and ask, in words.
package enum NetworkErrors {
    /// What `error` says, to stand behind the address that it is about.
    package static func text(of error: any Error) -> String {
        switch error {
        case let error as HTTPClientError:
            [.deadlineExceeded, .connectTimeout, .readTimeout].contains(error)
                ? "no answer in time" : error.shortDescription
        case is ResponseAccumulator.ResponseTooBigError: "an answer that is too long"
        case is NIOSSLExtraError: untrusted
        case let error as NIOSSLError: text(ofTLS: error)
        case let error as NIOConnectionError:
            error.connectionErrors.last.map { text(of: $0.error) } ?? unknownHost
        case is SocketAddressError.UnknownHost: unknownHost
        // SAFETY: strerror returns a string that is valid until the next call on this thread.
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "\(type(of: error))"
        }
    }

    /// Whether `error` says that the peer's certificate is not trusted here, or not the host's.
    package static func isOfCertificate(_ error: any Error) -> Bool {
        text(of: error) == untrusted
    }

    private static let untrusted = "its certificate is not trusted here"
    private static let unknownHost = "no host is known by this name"

    /// The library tells what went wrong in the words of BoringSSL alone.
    private static func text(ofTLS error: NIOSSLError) -> String {
        let words = "\(error)"
        if words.contains("CERTIFICATE") { return untrusted }
        return words.contains("WRONG_VERSION_NUMBER")
            ? "what answers there does not speak TLS" : "the TLS connection failed or ended early"
    }
}
