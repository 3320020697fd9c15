import DaemonConfiguration
import NIOHTTP1

/// Rules for the head of every request.
///
/// The parser itself refuses bare line feeds, folded fields, spaces before colons and broken
/// chunks; these rules refuse what it lets pass.
package enum HeadRules {
    /// The refusal, if there is one.
    ///
    /// First match wins: an unknown version, a Host that is missing, doubled or odd, an ambiguous
    /// length, an upgrade, a method that changes the protocol, an odd target.
    package static func refusal(of head: HTTPRequestHead) -> HTTPRefusal? {
        guard head.version.major == 1, head.version.minor <= 1 else { return .version }
        let isFirst = head.version.minor == 0
        let hosts = head.headers["host"]
        guard hosts.count == 1 || (isFirst && hosts.isEmpty), hosts.allSatisfy(isHost) else {
            return .malformed
        }
        guard isFramingClear(head.headers, isFirst: isFirst) else { return .malformed }
        guard !head.headers.contains(name: "upgrade") else { return .malformed }
        switch head.method {
        case .CONNECT:
            return .methodUnknown
        default:
            break
        }
        guard head.uri == "*" || head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy(isTargetByte)
        else { return .malformed }
        return nil
    }

    /// The refusal for a body announced as longer than `bytesMax`.
    package static func lengthRefusal(of headers: HTTPHeaders, bytesMax: Int) -> HTTPRefusal? {
        guard let text = headers["content-length"].first else { return nil }
        // A length with more digits than an Int holds is too long as well.
        guard let length = Int(text), length <= bytesMax else { return .bodyTooLong }
        return nil
    }

    /// Path and query of an origin-form target.
    package static func split(_ target: String) -> (path: String, query: String) {
        guard let mark = target.firstIndex(of: "?") else { return (target, "") }
        return (String(target[..<mark]), String(target[target.index(after: mark)...]))
    }

    /// The refusal of an expectation other than 100-continue, or of a body that is encoded: nothing
    /// is ever decompressed, so there is no bomb to defuse.
    package static func bodyRefusal(of headers: HTTPHeaders) -> HTTPRefusal? {
        guard headers["expect"].allSatisfy({ $0.lowercased() == "100-continue" }) else {
            return .expectation
        }
        let encodings = headers["content-encoding"]
        guard encodings.allSatisfy({ $0.lowercased() == "identity" }) else { return .mediaType }
        return nil
    }

    private static func isFramingClear(_ headers: HTTPHeaders, isFirst: Bool) -> Bool {
        let lengths = headers["content-length"]
        let codings = headers["transfer-encoding"]
        guard lengths.count <= 1, codings.count <= 1, lengths.isEmpty || codings.isEmpty else {
            return false
        }
        if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                return false
            }
        }
        guard let coding = codings.first else { return true }
        return !isFirst && coding.lowercased() == "chunked"
    }

    private static func isHost(_ host: String) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy { $0.isLetterOrDigit || "-.:[]_~%".utf8.contains($0) }
    }

    private static func isTargetByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != 0x23  // a fragment is never sent
    }
}
