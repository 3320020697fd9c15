import JSON

/// An error answer.
package struct RPCFailure: Error, Sendable {
    /// Which error.
    package let code: ErrorCode
    /// One sentence for people.
    package let message: String
    /// Whether the same request may succeed later.
    package let retryable: Bool
    /// What `data` says besides `code` and `retryable`, in this order.
    package let extra: [(String, JSONValue)]

    /// An error; whether it is retryable follows from the code unless said otherwise.
    package init(
        _ code: ErrorCode,
        _ message: String,
        retryable: Bool? = nil,
        extra: [(String, JSONValue)] = []
    ) {
        self.code = code
        self.message = message
        self.retryable = retryable ?? code.isRetryable
        self.extra = extra
    }

    /// What `data.code` says.
    package var name: String { code.name }

    /// Too much at once: -32029 with `retryAfterMs`.
    package static func overloaded(
        _ message: String,
        retryAfterMs: Int64 = WireLimits.overloadRetryMs
    ) -> RPCFailure {
        RPCFailure(.overloaded, message, extra: [("retryAfterMs", .integer(retryAfterMs))])
    }

    /// The error object.
    package var json: JSONValue {
        var data: JSONObject = ["code": .string(name), "retryable": .bool(retryable)]
        for (key, value) in extra { data[key] = value }
        return [
            "code": .integer(Int64(code.rawValue)), "message": .string(message),
            "data": .object(data),
        ]
    }
}
