/// Why a JSON value is not a request.
package enum RequestFault: Equatable, Sendable {
    /// Not an object.
    case noObject
    /// `jsonrpc` is not "2.0".
    case version
    /// `id` is an object, an array, a truth value, or too long.
    case id
    /// `method` is missing or no string.
    case method
    /// `params` is neither object nor array.
    case scalarParams
    /// `params` is an array; parameters are named here.
    case listedParams

    /// The error to answer.
    package var failure: RPCFailure {
        switch self {
        case .noObject:
            RPCFailure(.invalidRequest, "A request is a JSON object.")
        case .version:
            RPCFailure(.invalidRequest, "The member jsonrpc must be \"2.0\".")
        case .id:
            RPCFailure(
                .invalidRequest,
                "The id must be a number, null, or a string of at most"
                    + " \(WireLimits.idBytesMax) bytes."
            )
        case .method:
            RPCFailure(.invalidRequest, "The member method must be a string.")
        case .scalarParams:
            RPCFailure(.invalidRequest, "The member params must be an object.")
        case .listedParams:
            RPCFailure(.invalidParams, "Parameters are named: params must be an object.")
        }
    }

    /// Whether a request without an id is answered all the same, because it is no request at all.
    package var isAnsweredWithoutID: Bool { self != .listedParams }
}
