import Entitlements
import JSON
import Wire

extension RPCFailure {
    /// The same of one in a list; `index` is its place.
    init(_ failure: StoreAPIFailure, index: Int) {
        let whole = RPCFailure(failure)
        self.init(
            whole.code,
            whole.message,
            retryable: whole.retryable,
            extra: whole.extra + [("index", .integer(Int64(index)))]
        )
    }

    /// What a failure of a store's server is called on the wire.
    init(_ failure: StoreAPIFailure) {
        switch failure.kind {
        case .unknown: self.init(.notFound, "The store knows no such transaction.")
        case .refused where failure.isInItsWords:
            self.init(
                .internalError,
                "The store refused: \(failure.code): \(failure.detail)",
                extra: [("storeCode", .integer(failure.code))]
            )
        case .unauthorized, .forbidden, .refused, .malformed:
            self.init(.internalError, "The store refused: \(failure.description).")
        case .uncertain:
            let words = failure.description
            self.init(
                .internalError,
                "The store did not say whether it was done; look before you ask again: \(words)."
            )
        case .pagingExpired, .limited, .unreachable, .cancelled:
            let pause = failure.retryAfterMilliseconds ?? 1_000
            let sentence =
                failure.kind == .limited
                ? "The store may not be asked more for now." : "The store cannot be reached."
            self = .overloaded(sentence, retryAfterMs: pause)
        }
    }

    /// The configuration names no access to the server of any store that does this; `profiles` are
    /// those of stores that would.
    static func noStoreClient(of profiles: [StoreProfile]) -> RPCFailure {
        let sections = profiles.map { "\($0.section).api" }.joined(separator: ", ")
        let sentence =
            sections.isEmpty
            ? "No store that is known here does this."
            : "This needs the store's API; \(sections) is not configured."
        return RPCFailure(.invalidParams, sentence)
    }
}

extension StoreAPIFailure {
    /// A store that says no is an answer; a store that says nothing is an error.
    func answer() throws(RPCFailure) -> JSONObject {
        guard kind == .refused, isInItsWords else { throw RPCFailure(self) }
        return ["success": false, "errorCode": .integer(code), "errorMessage": .string(detail)]
    }
}
