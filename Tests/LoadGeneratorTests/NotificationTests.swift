import Foundation
import JSON
import LoadGenerator
import Synchronization
import TestSupport
import Testing

struct NotificationTests {
    private static func payload(of document: Substring) throws -> JSONValue {
        let segments = document.split(separator: ".", omittingEmptySubsequences: false)
        try #require(segments.count == 3)
        var text = String(segments[1])
        text = text.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        let decoded = try #require(Data(base64Encoded: text))
        return try JSONValue.parse([UInt8](decoded))
    }

    private func plan(_ directory: String, _ endpoint: String) throws -> LoadPlan {
        var plan = LoadPlan(.notifications, at: try #require(Endpoint(endpoint)))
        plan.pressDirectory = directory
        plan.documents = 12
        plan.accounts = 12
        plan.connections = 3
        plan.seconds = 30
        plan.warmUpSeconds = 0
        return plan
    }

    private func withDirectory(_ body: (String) throws -> Void) throws {
        let scratch = try Scratch()
        try withExtendedLifetime(scratch) { try body(scratch.file("press")) }
    }

    @Test func `a notification carries three documents about one account, and no two are alike`()
        throws
    {
        try withDirectory { directory in
            let payloads = try LoadRun.payloads(of: plan(directory, "127.0.0.1:9"))
            var uuids: Set<String> = []
            var originals: Set<String> = []
            for payload in payloads {
                let outer = try Self.payload(of: payload[...])
                let data = try #require(outer["data"])
                let transaction = try Self.payload(
                    of: try #require(data["signedTransactionInfo"]?.string)[...]
                )
                let renewal = try Self.payload(
                    of: try #require(data["signedRenewalInfo"]?.string)[...]
                )
                let original = try #require(transaction["originalTransactionId"]?.string)
                #expect(renewal["originalTransactionId"]?.string == original)
                #expect(transaction["appAccountToken"]?.string?.count == 36)
                uuids.insert(try #require(outer["notificationUUID"]?.string))
                originals.insert(original)
            }
            #expect(uuids.count == 12)
            #expect(originals == Set((1...12).map(AccountNames.originalTransaction)))
        }
    }

    @Test func `a chain that was made is used again`() throws {
        try withDirectory { directory in
            _ = try LoadRun.payloads(of: plan(directory, "127.0.0.1:9"))
            let root = try Data(contentsOf: URL(fileURLWithPath: directory + "/root.pem"))
            _ = try LoadRun.payloads(of: plan(directory, "127.0.0.1:9"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/root.pem")) == root)
        }
    }

    @Test(arguments: [1, 7, Int.max])
    func `each is posted once, and only an applied one counts as such`(pieceBytes: Int) throws {
        let asked = Atomic<Int>(0)
        let server = try StandIn(pieceBytes: pieceBytes) { pending in
            // A request is whole when its body's last two bytes are there.
            guard pending.suffix(2).elementsEqual(Array("\"}".utf8)) else { return [] }
            let text = String(decoding: pending, as: UTF8.self)
            pending.removeAll()
            #expect(text.hasPrefix("POST /webhooks/apple HTTP/1.1\r\n"))
            switch asked.add(1, ordering: .relaxed).newValue {
            case 1: return Self.answer("503 Service Unavailable", "{\"error\":\"busy\"}")
            case 2: return Self.answer("401 Unauthorized", "{\"error\":\"unauthorized\"}")
            case 3: return Self.answer("200 OK", Self.body("stale"))
            default: return Self.answer("200 OK", Self.body("applied"))
            }
        }
        defer { server.stop() }
        try withDirectory { directory in
            let result = try LoadRun.result(of: plan(directory, server.path))
            #expect(result.replies == 12)
            #expect(result.positives == 9)
            #expect(result.overloaded == 1)
            #expect(result.errors == 1)
            #expect(result.firstError.hasPrefix("HTTP/1.1 401"))
        }
    }

    private static func body(_ word: String) -> String {
        "{\"success\":true,\"received\":true,\"result\":\"\(word)\"}"
    }

    private static func answer(_ status: String, _ body: String) -> [UInt8] {
        let head = "HTTP/1.1 \(status)\r\nx-other: 1\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }
}
