import Glibc
import JSON

/// One request over plain HTTP and its answer, on a connection of its own.
struct HTTPExchange {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    var json: JSONValue? { try? JSONValue.parse(body) }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Sends a notification.
    static func post(
        _ body: [UInt8],
        port: UInt16,
        path: String = "/webhooks/apple",
        type: String? = "application/json"
    ) throws -> HTTPExchange {
        try request("POST", path, body, port: port, type: type)
    }

    /// Sends a request of any kind.
    static func request(
        _ method: String,
        _ path: String,
        _ body: [UInt8],
        port: UInt16,
        type: String? = nil,
        field: String? = nil
    ) throws -> HTTPExchange {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        head += "Content-Length: \(body.count)\r\n"
        if let type { head += "Content-Type: \(type)\r\n" }
        if let field { head += field + "\r\n" }
        let socket = try StreamSocket.local(port: port)
        socket.send(Array((head + "\r\n").utf8) + body)
        return try HTTPExchange(socket.receiveAll())
    }

    init(_ bytes: [UInt8]) throws {
        guard let end = Self.end(ofHead: bytes) else {
            throw DaemonProblem("no HTTP answer in \(bytes.count) bytes")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count > 1, let status = Int(words[1]) else {
            throw DaemonProblem("no HTTP status line")
        }
        self.status = status
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
            headers[parts[0].lowercased()] = String(value)
        }
        self.headers = headers
        body = Array(bytes[(end + 4)...])
    }

    private static func end(ofHead bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4)
            .first { bytes[$0] == mark[0] && bytes[$0..<$0 + 4].elementsEqual(mark) }
    }
}
