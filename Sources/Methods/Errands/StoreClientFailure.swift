import JSON
import Wire

/// Why the store did not answer what was asked.
package enum StoreClientFailure: Error, Sendable {
    /// No configured environment knows it.
    case unknown
    /// The store refuses, and asking again is of no use; its own words.
    case refused(String)
    /// The store says no to just this, under its own number and in its own words.
    case declined(code: Int64, words: String)
    /// Nobody knows whether the store has done it.
    case uncertain(String)
    /// It cannot be reached, or wants to be left alone for so long.
    case unreachable(retryAfterMilliseconds: Int64)
}

extension RPCFailure {
    /// What a failure of the store's API is called on the wire.
    init(_ failure: StoreClientFailure) {
        switch failure {
        case .unknown: self.init(.notFound, "The store knows no such transaction.")
        case .refused(let words): self.init(.internalError, "The store refused: \(words).")
        case .declined(let code, let words):
            self.init(
                .internalError,
                "The store refused: \(code): \(words)",
                extra: [("storeCode", .integer(code))]
            )
        case .uncertain(let words):
            self.init(
                .internalError,
                "The store did not say whether it was done; look before you ask again: \(words)."
            )
        case .unreachable(let milliseconds):
            self = .overloaded("The store cannot be reached.", retryAfterMs: milliseconds)
        }
    }

    /// The configuration names no access to the store's API.
    static let noStoreClient = RPCFailure(
        .invalidParams,
        "This needs the store's API; apple.api is not configured."
    )
}

extension StoreClientFailure {
    /// A store that says no is an answer; a store that says nothing is an error.
    func answer() throws(RPCFailure) -> JSONObject {
        guard case .declined(let code, let words) = self else { throw RPCFailure(self) }
        return ["success": false, "errorCode": .integer(code), "errorMessage": .string(words)]
    }
}
