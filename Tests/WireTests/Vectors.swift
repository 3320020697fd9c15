import Foundation
import JSON

/// What a vector file expects of one frame.
enum Vectors {
    /// The top of the repository.
    static var root: URL {
        var url = URL(filePath: #filePath)
        while !FileManager.default.fileExists(atPath: url.appending(path: "proto").path()) {
            precondition(url.pathComponents.count > 1, "the tests stand in the repository")
            url = url.deletingLastPathComponent()
        }
        return url
    }

    /// A file under `proto`.
    static func file(_ path: String) throws -> JSONValue {
        let data = try Data(contentsOf: root.appending(path: "proto").appending(path: path))
        return try JSONValue.parse(Array(data))
    }

    /// The text of a file under `proto`.
    static func text(_ path: String) throws -> String {
        let data = try Data(contentsOf: root.appending(path: "proto").appending(path: path))
        return String(decoding: data, as: UTF8.self)
    }

    static func bytes(hex: String) -> [UInt8] {
        let digits = Array(hex.utf8).filter { $0 != UInt8(ascii: " ") }
            .map { UInt8($0 > 0x39 ? $0 - 0x57 : $0 - 0x30) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Whether the reply frames are what `expected` says: none, one object, or one batch.
    static func matches(_ replies: [String], _ expected: JSONValue) -> Bool {
        guard !expected.isNull else { return replies.isEmpty }
        guard replies.count == 1, let reply = replies.first else { return false }
        guard let parts = expected.array else { return isAnswer(reply, expected) }
        guard let value = try? JSONValue.parse(Array(reply.utf8)), let elements = value.array,
            elements.count == parts.count
        else { return false }
        // The writer keeps number tokens, so the ids stand in the parts as they were sent.
        var open = elements.map { String(decoding: $0.bytes, as: UTF8.self) }
        for part in parts {
            guard let place = open.firstIndex(where: { isAnswer($0, part) }) else { return false }
            open.remove(at: place)
        }
        return true
    }

    private static func isAnswer(_ reply: String, _ expected: JSONValue) -> Bool {
        guard let id = expected["id"]?.string, let value = try? JSONValue.parse(Array(reply.utf8)),
            value["jsonrpc"]?.string == "2.0", reply.contains("\"id\":\(id),\""),
            value.object?.members.count == 3
        else { return false }
        guard let code = expected["error"]?.int64 else { return value["result"] != nil }
        let error = value["error"]
        return error?["code"]?.int64 == code && error?["message"]?.string != nil
            && error?["data"]?["code"]?.string != nil && error?["data"]?["retryable"]?.bool != nil
    }
}
