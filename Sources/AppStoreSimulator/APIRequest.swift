import Foundation
import JSON

/// A request to the store's API, as it came over HTTP.
package struct APIRequest: Sendable {
    /// GET, POST or PUT.
    package let method: String
    /// The path, without the query.
    package let path: String
    /// The query's members, in order.
    package let query: [(name: String, value: String)]
    /// The value of the Authorization header.
    package let authorization: String?
    /// What was sent.
    package let body: [UInt8]

    /// The request for `target`, the path with its query.
    package init(
        _ method: String,
        _ target: String,
        authorization: String? = nil,
        body: [UInt8] = []
    ) {
        self.method = method
        self.authorization = authorization
        self.body = body
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(halves[0])
        query = (halves.count > 1 ? halves[1] : "").split(separator: "&")
            .map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1)
                    .map { side in
                        side.replacing("+", with: " ").removingPercentEncoding ?? String(side)
                    }
                return (sides.first ?? "", sides.count > 1 ? sides[1] : "")
            }
    }

    /// The values of one member of the query.
    func values(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// The first value of one member of the query.
    package func value(_ name: String) -> String? { values(name).first }

    /// The body as a JSON object.
    func object() throws(APIFailure) -> JSONObject {
        guard let object = (try? JSONValue.parse(body))?.object else { throw .badRequest }
        return object
    }
}
