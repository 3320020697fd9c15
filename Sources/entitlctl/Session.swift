import EntitlementsClient
import JSON

/// The connection to the daemon, and how its answers are shown.
struct Session: ~Copyable {
    /// Whether answers are printed as JSON.
    let isJSON: Bool

    private var connection: Connection?
    private let door: RemoteDoor?
    private let timeout: Duration

    init(at place: DaemonPlace, timeout: Duration, isJSON: Bool) throws(ClientError) {
        self.isJSON = isJSON
        self.timeout = timeout
        switch place {
        case .door(let door):
            self.door = door
            connection = nil
        case .socket(let path):
            door = nil
            connection = try Connection(
                to: path,
                timeout: timeout,
                frameBytesMax: ClientLimits.frameBytesCeiling
            )
        }
    }

    /// The result of `method`, which is an object.
    mutating func call(
        _ method: String,
        _ parameters: JSONObject = [:]
    ) throws(ClientError) -> JSONObject {
        let result =
            if let door {
                try ask(door, method, parameters)
            } else {
                try connection?.call(method, parameters)
            }
        guard let object = result?.object else {
            throw .malformedReply("the result of \(method) is not an object")
        }
        return object
    }

    /// The same over HTTPS.
    private func ask(
        _ door: RemoteDoor,
        _ method: String,
        _ parameters: JSONObject
    ) throws(ClientError) -> JSONValue {
        let bytesMax = ClientLimits.frameBytesCeiling
        let body = try Reply.body(of: method, parameters, id: 1, bytesMax: bytesMax)
        return try door.send(body, id: 1, until: Deadline(after: timeout)).wait().get()
    }

    /// Prints `result` as JSON, or what `text` makes of it: a block, if nothing else is said.
    func show(
        _ result: JSONObject,
        _ text: (JSONObject) -> String = { TextBlock($0).text }
    ) throws(Terminal.Unwritten) {
        try Terminal.show(isJSON ? Terminal.json(.object(result)) : text(result))
    }
}
