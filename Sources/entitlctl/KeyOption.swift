import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// The idempotency key of a command: named, or made up and told.
struct KeyOption: ParsableArguments {
    @Option(help: "The idempotency key; made up and printed when absent.")
    var key: String?

    /// Calls `method` under the key; where it was made up it stands in the result, and after a
    /// failure that may be repeated on standard error.
    func call(
        _ method: String,
        _ parameters: JSONObject,
        _ session: inout Session
    ) throws -> JSONObject {
        let used = key ?? UUID().uuidString.lowercased()
        var parameters = parameters
        parameters["idempotencyKey"] = .string(used)
        do {
            var result = try session.call(method, parameters)
            if key == nil { result["idempotencyKey"] = .string(used) }
            return result
        } catch {
            if key == nil, error.retryable {
                Terminal.complain("entitlctl: to repeat this, add --key \(used)")
            }
            throw error
        }
    }
}
