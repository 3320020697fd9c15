import NIOHTTP1

/// Why a request is answered without anybody looking at its body.
///
/// The connection closes after.
package enum HTTPRefusal: Equatable, Sendable {
    case malformed
    case unauthorized(challenge: String)
    case notFound
    case methodNotAllowed(allow: String)
    case tooSlow
    case bodyTooLong
    case mediaType
    case expectation
    case headersTooLong
    case methodUnknown
    case tooLate
    case busy
    /// Nobody answers here now, but may later.
    case unavailable
    case version

    package var status: Int {
        switch self {
        case .malformed: 400
        case .unauthorized: 401
        case .notFound: 404
        case .methodNotAllowed: 405
        case .tooSlow: 408
        case .bodyTooLong: 413
        case .mediaType: 415
        case .expectation: 417
        case .headersTooLong: 431
        case .methodUnknown: 501
        case .tooLate, .busy, .unavailable: 503
        case .version: 505
        }
    }

    package var reply: HTTPReply {
        var reply = HTTPReply(status: status, error: word)
        switch self {
        case .methodNotAllowed(let allow):
            reply.headers.add(name: "Allow", value: allow)
        case .tooLate, .unavailable:
            reply.headers.add(name: "Retry-After", value: "\(HTTPServerLimits.retryAfterSeconds)")
        case .busy:
            let seconds = HTTPServerLimits.busyRetryAfterSeconds
            reply.headers.add(name: "Retry-After", value: "\(seconds)")
        case .unauthorized(let challenge):
            reply.headers.add(name: "WWW-Authenticate", value: challenge)
        case .malformed, .notFound, .tooSlow, .bodyTooLong, .mediaType, .expectation,
            .headersTooLong, .methodUnknown, .version:
            break
        }
        return reply
    }

    private var word: String {
        switch self {
        case .malformed: "malformed"
        case .unauthorized: "unauthorized"
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .tooSlow: "timeout"
        case .bodyTooLong: "too_large"
        case .mediaType: "unsupported_media_type"
        case .expectation: "expectation_failed"
        case .headersTooLong: "headers_too_large"
        case .methodUnknown: "not_implemented"
        case .tooLate, .busy, .unavailable: "unavailable"
        case .version: "version_not_supported"
        }
    }
}

/// Why a connection is closed without an answer.
///
/// The words are label values of a metric.
package enum CloseReason: String, CaseIterable, Sendable {
    case source
    case sourceMax = "source_max"
    case connectionsMax = "connections_max"
    case evicted
    case handshake
    case silent
    case writeTimeout = "write_timeout"
}
