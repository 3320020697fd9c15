import AsyncHTTPClient
import EntitlementsClient
import JSON
import NIOCore
import NIOHTTP1
import Synchronization

/// Reads the server-sent events of one request, for as long as the reply goes on
/// (https://html.spec.whatwg.org/multipage/server-sent-events.html).
final class EventReader: HTTPClientResponseDelegate {
    /// What is done with an event: its name and its data.
    typealias Told = @Sendable (String, JSONObject) throws -> Void

    private struct State {
        var line: [UInt8] = []
        var name = ""
        var data = ""
        var id = ""
        /// Where the next request goes on.
        var lastID: Int64?
        var status: HTTPResponseStatus?
        /// The beginning of a reply that holds no events.
        var refusal: [UInt8] = []
    }

    private let state: Mutex<State>
    private let told: Told

    /// A reader behind the position `lastID`.
    init(lastID: Int64?, _ told: @escaping Told) {
        state = Mutex(State(lastID: lastID))
        self.told = told
    }

    /// The position behind which the next request goes on.
    var lastID: Int64? { state.withLock { $0.lastID } }

    /// What was replied in the place of events; nil where nothing was.
    var refusal: (status: Int, message: String)? {
        state.withLock { state in
            guard let status = state.status, status != .ok else { return nil }
            let error = try? JSONValue.parse(state.refusal)["error"]
            let message = error?["message"]?.string ?? error?.string ?? "\(status)"
            return (Int(status.code), message)
        }
    }

    func didReceiveHead(
        task: HTTPClient.Task<Void>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        state.withLock { $0.status = head.status }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        do {
            for event in state.withLock({ Self.events(in: buffer, &$0) }) {
                try told(event.name, event.data)
            }
            return task.eventLoop.makeSucceededVoidFuture()
        } catch {
            return task.eventLoop.makeFailedFuture(error)
        }
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {}

    private static func events(
        in buffer: ByteBuffer,
        _ state: inout State
    ) -> [(name: String, data: JSONObject)] {
        guard state.status == .ok else {
            state.refusal += buffer.readableBytesView.prefix(4_096)
            return []
        }
        var events: [(name: String, data: JSONObject)] = []
        for byte in buffer.readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                state.line.append(byte)
                continue
            }
            let line = String(decoding: state.line, as: UTF8.self)
            state.line.removeAll(keepingCapacity: true)
            if let event = take(line, &state) { events.append(event) }
        }
        return events
    }

    private static func take(
        _ line: String,
        _ state: inout State
    ) -> (name: String, data: JSONObject)? {
        guard line.isEmpty else {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : ""
            if value.hasPrefix(" ") { value = value.dropFirst() }
            switch parts[0] {
            case "event": state.name = String(value)
            case "data": state.data += value
            case "id": state.id = String(value)
            default: break
            }
            return nil
        }
        defer { (state.name, state.data) = ("", "") }
        if let id = Int64(state.id) { state.lastID = id }
        guard let data = try? JSONValue.parse(Array(state.data.utf8)).object else { return nil }
        return (state.name, data)
    }
}
