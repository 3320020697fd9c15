import Glibc
import JSON
import Synchronization

/// A daemon that listens at a socket in a directory of its own and answers from a script.
///
/// Each connection has its thread. A script is a function from a request to what to do.
package final class FakeDaemon: Sendable {
    /// What to do about one request.
    package enum Act: Sendable {
        /// Answers with a result.
        case result(JSONValue)
        /// Answers with an error object.
        case error(JSONValue)
        /// Sends these bytes as they are, with no length in front.
        case bytes([UInt8])
        /// Says nothing.
        case silence
        /// Closes the connection.
        case hangUp
        /// Answers a watch from this position, tells these, and closes the connection if it is to.
        case watched(Int64, [JSONValue], thenHangsUp: Bool)
        /// Keeps this result and sends it after the reply to the next request.
        case later(JSONValue)
    }

    /// One request that arrived.
    package struct Request: Equatable, Sendable {
        package let method: String
        package let params: JSONValue

        package init(method: String, params: JSONValue) {
            self.method = method
            self.params = params
        }
    }

    /// Where it listens.
    package let path: String

    private let scratch: Scratch
    private let listener: Listener
    private let script: @Sendable (Request, _ connection: Int) -> Act
    private let received = Mutex<[Request]>([])

    package init(script: @escaping @Sendable (Request, _ connection: Int) -> Act) throws {
        scratch = try Scratch()
        path = scratch.file("s")
        self.script = script
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = Listener(descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor, 64) == 0 else {
            throw Scratch.Failure(call: "bind", code: errno)
        }
        listener.start { [weak self] connection, number in
            var delayed: [UInt8] = []
            while let frame = Self.frame(from: connection) {
                guard let self, let value = try? JSONValue.parse(frame),
                    self.answer(value, on: connection, number: number, delayed: &delayed)
                else { return }
            }
        }
    }

    /// A daemon with the same act for every request to a method.
    package convenience init(_ acts: [String: Act]) throws {
        try self.init { request, _ in
            acts[request.method]
                ?? .error([
                    "code": -32601, "message": "no such method",
                    "data": ["code": "method_not_found", "retryable": false],
                ])
        }
    }

    deinit { listener.close() }

    /// Everything that was asked so far, in order of arrival.
    package var requests: [Request] { received.withLock { $0 } }

    /// How many connections were made.
    package var connectionCount: Int { listener.connectionCount }

    /// How many of them are open.
    package var openConnectionCount: Int { listener.openConnectionCount }

    private func answer(
        _ value: JSONValue,
        on connection: Int32,
        number: Int,
        delayed: inout [UInt8]
    ) -> Bool {
        let request = Request(
            method: value["method"]?.string ?? "",
            params: value["params"] ?? .null
        )
        received.withLock { $0.append(request) }
        let id = value["id"] ?? .null
        switch script(request, number) {
        case .result(let result):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "result": result]
            Listener.write(Self.framed(reply.bytes) + delayed, to: connection)
            delayed = []
        case .error(let error):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "error": error]
            Listener.write(Self.framed(reply.bytes), to: connection)
        case .later(let result):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "result": result]
            delayed += Self.framed(reply.bytes)
        case .bytes(let bytes): Listener.write(bytes, to: connection)
        case .silence: break
        case .hangUp: return false
        case .watched(let seq, let notifications, let hangsUp):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "result": ["seq": .integer(seq)]]
            let frames = [reply] + notifications
            Listener.write(frames.flatMap { Self.framed($0.bytes) }, to: connection)
            return !hangsUp
        }
        return true
    }

    /// A notification.
    package static func notification(_ method: String, _ parameters: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "method": .string(method), "params": parameters]
    }

    /// `body` with its length in front.
    package static func framed(_ body: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
    }

    private static func frame(from connection: Int32) -> [UInt8]? {
        guard let header = exactly(4, from: connection) else { return nil }
        return exactly(header.reduce(0) { $0 << 8 | Int($1) }, from: connection)
    }

    private static func exactly(_ count: Int, from connection: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var chunk = [UInt8](repeating: 0, count: count - bytes.count)
            let received = recv(connection, &chunk, chunk.count, 0)
            guard received > 0 else { return nil }
            bytes += chunk[..<received]
        }
        return bytes
    }
}
