import JSON

/// Why a call has no result: the daemon's error, or what kept the daemon from answering.
///
/// `code` and `name` may take values that this version does not know; decide by the ones you
/// handle, and by `retryable` for the rest.
public struct ClientError: Error, Equatable, Sendable {
    /// The JSON-RPC error code, or 0 when the daemon did not answer.
    public let code: Int

    /// The error in one word, such as `ownership_conflict`; `LocalName` has those with code 0.
    public let name: String

    /// One sentence for people.
    public let message: String

    /// Whether the same call may succeed later.
    ///
    /// A write is repeated with the same idempotency key.
    public let retryable: Bool

    /// The key of the command that failed: under it the command is safe to repeat.
    public internal(set) var idempotencyKey: String?

    /// Whether the call was sent and nobody can tell what became of it: a write may have been kept.
    ///
    /// Otherwise the daemon has not carried it out.
    public internal(set) var isOutcomeUnknown = false

    /// Whether only this connection was refused: by a daemon that stops, or has too many of them.
    var isPassing = false

    /// The error object as the daemon sent it, or as it would have looked.
    package let object: JSONObject

    /// How long to wait before the next attempt, if the daemon said so.
    public var retryAfterMilliseconds: Int? { data?["retryAfterMs"]?.int64.map(Int.init) }

    /// Why a document did not verify, such as `signature`; only with `verification_failed`.
    public var reason: String? { data?["reason"]?.string }

    /// Which claim differs from what is signed; only with `claim_mismatch`.
    public var field: String? { data?["field"]?.string }

    private var data: JSONValue? { object["data"] }

    /// The names of errors that are found on this side of the socket.
    public enum LocalName {
        /// Nobody listens at the socket.
        public static let unreachable = "unreachable"
        /// The socket's mode does not let this process in.
        public static let permissionDenied = "permission_denied"
        /// An answer came that does not say to which call; a write may have been kept.
        public static let unknownOutcome = "unknown_outcome"
        /// The connection ended before the reply; a write may have been kept.
        public static let connectionLost = "connection_lost"
        /// The reply did not come in time; `isOutcomeUnknown` says whether the call was sent.
        public static let timedOut = "timed_out"
        /// What came back is not what the daemon's documentation promises.
        public static let malformedReply = "malformed_reply"
        /// The call is larger than a frame may be.
        public static let requestTooLarge = "request_too_large"
        /// Too many calls of this client wait for their reply.
        public static let tooManyCalls = "too_many_calls"
        /// The calling task was cancelled; a write may have been kept.
        public static let cancelled = "cancelled"
        /// The client was closed.
        public static let closed = "closed"
    }

    /// An error that was found on this side.
    package init(
        _ name: String,
        _ message: String,
        retryable: Bool,
        retryAfter milliseconds: Int64? = nil
    ) {
        code = 0
        self.name = name
        self.message = message
        self.retryable = retryable
        var data: JSONObject = ["code": .string(name), "retryable": .bool(retryable)]
        data["retryAfterMs"] = milliseconds.map { .integer($0) }
        object = ["code": 0, "message": .string(message), "data": .object(data)]
    }

    /// The daemon's error object; nil if it is none.
    package init?(_ value: JSONValue) {
        guard let object = value.object, let code = object["code"]?.int64,
            let message = object["message"]?.string
        else { return nil }
        self.code = Int(code)
        self.message = message
        name = object["data"]?["code"]?.string ?? "error"
        retryable = object["data"]?["retryable"]?.bool ?? false
        self.object = object
    }

    /// What is known about a call after the daemon's error `cause` that names no call.
    static func unknownOutcome(_ cause: ClientError) -> ClientError {
        var error = ClientError(
            LocalName.unknownOutcome,
            "the daemon answered, without saying to which call: \(cause.message)",
            retryable: true
        )
        error.isOutcomeUnknown = true
        error.isPassing = cause.retryable
        return error
    }

    /// Whether the daemon has not carried the call out because it starts or stops.
    var isNotReady: Bool { code == -32_002 || code == -32_003 }

    /// Whether the daemon may answer it before it looks whether an earlier send was carried out:
    /// permission_denied, storage_full, overloaded, internal_error.
    var saysNothingOfEarlierSends: Bool { [-32_001, -32_010, -32_029, -32_603].contains(code) }

    /// Whether the caller ended the call: by cancelling the task, or by closing the client.
    var isByCaller: Bool { code == 0 && [LocalName.cancelled, LocalName.closed].contains(name) }

    /// The same, in doubt where `earlier` is: what is known of earlier sends of the same call.
    func inDoubt(after earlier: ClientError?) -> ClientError {
        earlier?.isOutcomeUnknown == true ? withUnknownOutcome : self
    }

    /// The same about a call that may have been carried out.
    var withUnknownOutcome: ClientError {
        var error = self
        error.isOutcomeUnknown = true
        return error
    }

    static func unreachable(_ message: String, retryable: Bool = true) -> ClientError {
        ClientError(LocalName.unreachable, message, retryable: retryable)
    }

    static func denied(_ message: String) -> ClientError {
        ClientError(LocalName.permissionDenied, message, retryable: false)
    }

    static func tooLarge(_ message: String) -> ClientError {
        ClientError(LocalName.requestTooLarge, message, retryable: false)
    }

    package static func malformedReply(_ message: String) -> ClientError {
        ClientError(LocalName.malformedReply, message, retryable: false)
    }

    static func timedOut() -> ClientError {
        ClientError(LocalName.timedOut, "the daemon did not answer in time", retryable: true)
    }

    static func connectionLost(
        _ message: String = "the connection ended before the reply",
        retryAfter: Int64? = nil
    ) -> ClientError {
        ClientError(LocalName.connectionLost, message, retryable: true, retryAfter: retryAfter)
    }
}

extension ClientError: CustomStringConvertible {
    /// The name and the sentence.
    public var description: String { "\(name): \(message)" }
}
