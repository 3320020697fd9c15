import AsyncHTTPClient
import JSON
import NIOCore
import NIOHTTP1
import Synchronization

/// The server-sent events of one request, between the HTTP client that reads them and the thread
/// that takes them (https://html.spec.whatwg.org/multipage/server-sent-events.html).
final class EventReader: HTTPClientResponseDelegate {
    /// An event: its name and its data.
    typealias Event = (name: String, data: JSONObject)

    private struct State {
        var line: [UInt8] = []
        var name = ""
        var data = ""
        var events: [Event] = []
        var status: HTTPResponseStatus?
        /// The beginning of a reply that holds no events.
        var refusal: [UInt8] = []
        /// How it ended.
        var end: ClientError?
        /// Kept until there is room again: meanwhile nothing more is read.
        var room: EventLoopPromise<Void>?
    }

    private let state = Mutex(State())
    private let door: RemoteDoor
    private let bell: Bell

    init(_ door: RemoteDoor) throws(ClientError) {
        self.door = door
        bell = try Bell()
    }

    /// Becomes readable when there is something to take.
    var descriptor: Int32 { bell.descriptor }

    /// The next event that was read; nil where there is none yet.
    ///
    /// - Throws: how it ended, after the last event.
    func take() throws(ClientError) -> Event? {
        // Before the look, so that a ring after it is heard.
        bell.clear()
        let (event, end, room) = state.withLock {
            state -> (Event?, ClientError?, EventLoopPromise<Void>?) in
            guard !state.events.isEmpty else { return (nil, state.end, state.room.take()) }
            return (state.events.removeFirst(), nil, nil)
        }
        room?.succeed()
        if let end { throw end }
        return event
    }

    /// Whether the daemon lets in whoever asked; nil before it has answered.
    var isWatching: Bool? { state.withLock { $0.status.map { $0 == .ok } } }

    func didReceiveHead(
        task: HTTPClient.Task<Void>,
        _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        state.withLock { $0.status = head.status }
        bell.ring()
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<Void>,
        _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
        let room = state.withLock { state -> EventLoopPromise<Void>? in
            Self.read(buffer, &state)
            guard state.events.count >= ClientLimits.watchEventsMax else { return nil }
            state.room = task.eventLoop.makePromise()
            return state.room
        }
        bell.ring()
        return room?.futureResult ?? task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Void>) throws {
        let end = state.withLock { state in
            guard let status = state.status, status != .ok else {
                return ClientError.connectionLost("the daemon ended the watch")
            }
            let error = try? JSONValue.parse(state.refusal)["error"]
            return RemoteDoor.refusal(status, error?["message"]?.string ?? error?.string ?? "")
        }
        finish(end)
    }

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) {
        finish(door.failure(error, wasSent: true))
    }

    private func finish(_ end: ClientError) {
        let room = state.withLock { state in
            if state.end == nil { state.end = end }
            return state.room.take()
        }
        room?.succeed()
        bell.ring()
    }

    private static func read(_ buffer: ByteBuffer, _ state: inout State) {
        guard state.status == .ok else {
            state.refusal += buffer.readableBytesView.prefix(4_096)
            return
        }
        for byte in buffer.readableBytesView {
            guard byte == UInt8(ascii: "\n") else {
                state.line.append(byte)
                continue
            }
            let line = String(decoding: state.line, as: UTF8.self)
            state.line.removeAll(keepingCapacity: true)
            take(line, &state)
        }
    }

    private static func take(_ line: String, _ state: inout State) {
        guard line.isEmpty else {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : ""
            if value.hasPrefix(" ") { value = value.dropFirst() }
            switch parts[0] {
            case "event": state.name = String(value)
            case "data": state.data += value
            default: break
            }
            return
        }
        defer { (state.name, state.data) = ("", "") }
        guard let data = try? JSONValue.parse(Array(state.data.utf8)).object else { return }
        state.events.append((state.name, data))
    }
}
