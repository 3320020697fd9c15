import Glibc
import JSON
import Synchronization
import TestSupport

@testable import EntitlementsClient

/// The HTTPS door as a client meets it, without TLS and on this host alone: it answers from a
/// script.
///
/// Each connection has its thread. A script is a function from a request, and how many came before
/// it, to what to do.
final class FakeDoor: Sendable {
    /// What to do about one request.
    enum Act: Sendable {
        /// Answers with a result.
        case result(JSONValue)
        /// Answers with an error object.
        case error(JSONValue)
        /// Answers with a status alone, as a proxy does; with `Retry-After` where it is named.
        case status(Int, retryAfterSeconds: Int?)
        /// Begins a stream with these events, each a name and its data, and ends it if it is to.
        case told([(name: String, data: JSONValue)], thenHangsUp: Bool)
        /// Says nothing.
        case silence
    }

    /// One request that arrived.
    struct Request: Sendable {
        /// The method of JSON-RPC; empty for a watch.
        let method: String
        /// Where it was sent, such as `/rpc`.
        let path: String
    }

    /// What a client asks.
    let url: String

    private let listener: Listener
    private let script: @Sendable (Request, _ earlier: Int) -> Act
    private let received = Mutex<[Request]>([])

    init(script: @escaping @Sendable (Request, _ earlier: Int) -> Act) throws {
        self.script = script
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        listener = Listener(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failure = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                bind(descriptor, plain, size) | listen(descriptor, 512)
                    | getsockname(descriptor, plain, &size)
            }
        }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        guard failure == 0 else { throw Scratch.Failure(call: "bind", code: errno) }
        listener.start { [weak self] connection, _ in
            while let asked = Self.request(from: connection) {
                guard let self, self.answer(asked.head, asked.body, on: connection) else { return }
            }
        }
    }

    deinit { listener.close() }

    /// Everything that was asked so far, in order of arrival.
    var requests: [Request] { received.withLock { $0 } }

    private func answer(_ head: String, _ body: [UInt8], on connection: Int32) -> Bool {
        let words = head.split(separator: " ", maxSplits: 2)
        let call = try? JSONValue.parse(body)
        let request = Request(
            method: call?["method"]?.string ?? "",
            path: words.count > 1 ? String(words[1]) : ""
        )
        let earlier = received.withLock { received in
            received.append(request)
            return received.count - 1
        }
        let id = call?["id"] ?? .null
        switch script(request, earlier) {
        case .result(let result):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "result": result]
            return Listener.write(Self.response(200, [], reply.bytes), to: connection)
        case .error(let error):
            let reply: JSONValue = ["jsonrpc": "2.0", "id": id, "error": error]
            return Listener.write(Self.response(200, [], reply.bytes), to: connection)
        case .status(let status, let seconds):
            let headers = seconds.map { ["Retry-After: \($0)"] } ?? []
            return Listener.write(Self.response(status, headers, []), to: connection)
        case .told(let events, let hangsUp):
            var text = "HTTP/1.1 200 Said\r\nContent-Type: text/event-stream\r\n\r\n"
            for event in events {
                let data = String(decoding: event.data.bytes, as: UTF8.self)
                text += "event: \(event.name)\ndata: \(data)\n\n"
            }
            return Listener.write(Array(text.utf8), to: connection) && !hangsUp
        case .silence: return true
        }
    }

    private static func response(_ status: Int, _ headers: [String], _ body: [UInt8]) -> [UInt8] {
        let lines = ["HTTP/1.1 \(status) Said", "Content-Length: \(body.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    /// The next request, its head and its body; nil at the end of the connection.
    private static func request(from connection: Int32) -> (head: String, body: [UInt8])? {
        var received: [UInt8] = []
        while true {
            if let start = bodyStart(in: received) {
                let head = String(decoding: received[..<start], as: UTF8.self)
                let body = Array(received[start...])
                if body.count >= length(in: head) { return (head, body) }
            }
            var chunk = [UInt8](repeating: 0, count: 4_096)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            received += chunk[..<count]
        }
    }

    /// Where the body begins: behind the first blank line.
    private static func bodyStart(in bytes: [UInt8]) -> Int? {
        let blank = Array("\r\n\r\n".utf8)
        guard bytes.count >= blank.count else { return nil }
        return (blank.count...bytes.count)
            .first { bytes[($0 - blank.count)..<$0].elementsEqual(blank) }
    }

    /// How long the body is.
    private static func length(in head: String) -> Int {
        let name = "content-length:"
        for line in head.lowercased().split(whereSeparator: \.isNewline) {
            guard line.hasPrefix(name) else { continue }
            return Int(String(line.dropFirst(name.count).drop { $0 == " " })) ?? 0
        }
        return 0
    }
}
