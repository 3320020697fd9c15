import EntitlementsClient
import JSON

/// The connection to the daemon, and how its answers are shown.
struct Session: ~Copyable {
    /// Whether answers are printed as JSON.
    let isJSON: Bool

    private var connection: Connection

    init(path: String, timeout: Duration, isJSON: Bool) throws(ClientError) {
        self.isJSON = isJSON
        connection = try Connection(
            to: path,
            timeout: timeout,
            frameBytesMax: ClientLimits.frameBytesCeiling
        )
    }

    /// The result of `method`, which is an object.
    mutating func call(
        _ method: String,
        _ parameters: JSONObject = [:]
    ) throws(ClientError) -> JSONObject {
        let result = try connection.call(method, parameters)
        guard let object = result.object else {
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "the result of \(method) is not an object",
                retryable: false
            )
        }
        return object
    }

    /// Waits for the next notification of a watch: its method and its members.
    mutating func notification() throws(ClientError) -> JSONValue {
        let message = try connection.notification()
        var shown: JSONObject = ["event": message["method"] ?? .null]
        for member in message["params"]?.object?.members ?? [] {
            shown[member.key] = member.value
        }
        return .object(shown)
    }

    /// Prints `result` as JSON, or what `text` makes of it.
    func show(_ result: JSONObject, _ text: (JSONObject) -> String) {
        print(isJSON ? Terminal.json(.object(result)) : text(result))
    }
}
