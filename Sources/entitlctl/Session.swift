import EntitlementsClient
import JSON

/// The connection to the daemon, and how its answers are shown.
struct Session: ~Copyable {
    /// Whether answers are printed as JSON.
    let isJSON: Bool

    private var connection: Connection?
    private let door: RemoteDoor?

    /// A session at the HTTPS door.
    init(_ door: RemoteDoor, isJSON: Bool) {
        self.isJSON = isJSON
        self.door = door
        connection = nil
    }

    init(path: String, timeout: Duration, isJSON: Bool) throws(ClientError) {
        self.isJSON = isJSON
        door = nil
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
        let result =
            if let door {
                try door.call(method, parameters)
            } else {
                try connection?.call(method, parameters)
            }
        guard let object = result?.object else {
            throw ClientError(
                ClientError.LocalName.malformedReply,
                "the result of \(method) is not an object",
                retryable: false
            )
        }
        return object
    }

    /// Prints `result` as JSON, or what `text` makes of it.
    func show(_ result: JSONObject, _ text: (JSONObject) -> String) {
        Terminal.show(isJSON ? Terminal.json(.object(result)) : text(result))
    }
}
