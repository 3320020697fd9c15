import JSON
import Wire

/// One reply, parsed.
package struct Reply {
    /// Which request it answers; nil when the daemon could not tell.
    let id: Int64?
    /// The result, or the daemon's error.
    package let outcome: Result<JSONValue, ClientError>

    /// The reply in `frame`; nil if it is a notification, which answers nothing.
    package init?(_ frame: [UInt8]) throws(ClientError) {
        let object = try Self.object(frame)
        if object["method"] != nil { return nil }
        id = object["id"]?.int64
        if let result = object["result"], id != nil {
            outcome = .success(result)
        } else if let error = object["error"].flatMap({ ClientError($0) }) {
            outcome = .failure(error)
        } else {
            throw .malformedReply("a reply has neither result nor error")
        }
    }

    /// The notification in `frame`; nil if it is a reply.
    static func notification(_ frame: [UInt8]) throws(ClientError) -> JSONObject? {
        let object = try object(frame)
        return object["method"] == nil ? nil : object
    }

    private static func object(_ frame: [UInt8]) throws(ClientError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue.parse(frame, depthMax: ClientLimits.replyDepthMax)
        } catch {
            throw .malformedReply("a reply is not JSON: \(error)")
        }
        guard let object = value.object, object["jsonrpc"]?.string == "2.0" else {
            throw .malformedReply("a reply is not JSON-RPC 2.0")
        }
        return object
    }

    /// The frame that asks for `method`.
    static func request(
        _ method: String,
        _ parameters: JSONObject,
        id: Int64,
        frameBytesMax: Int
    ) throws(ClientError) -> [UInt8] {
        FrameDecoder.frame(
            try body(of: method, parameters, id: id, bytesMax: frameBytesMax)
        )
    }

    /// The request for `method` as JSON.
    ///
    /// - Parameters:
    ///   - method: its name.
    ///   - parameters: by name.
    ///   - id: what the reply will carry.
    ///   - bytesMax: the greatest size of the request.
    /// - Returns: the bytes, without the length that stands before them on a socket.
    /// - Throws: `request_too_large`.
    package static func body(
        of method: String,
        _ parameters: JSONObject,
        id: Int64,
        bytesMax: Int
    ) throws(ClientError) -> [UInt8] {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": .integer(id), "method": .string(method),
            "params": .object(parameters),
        ]
        let body = request.bytes
        guard body.count <= bytesMax else {
            throw .tooLarge("the request has \(body.count) bytes, more than \(bytesMax)")
        }
        return body
    }
}
