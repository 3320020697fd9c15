import Entitlements
import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

/// A daemon that keeps the journal for some days only.
@Suite struct PruningTests {
    private static let day: Int64 = 86_400_000

    /// A store of a user a day, for 60 days; answers when it ends.
    private func write(_ directory: String, from start: Int64) throws -> Int64 {
        let days = try (0..<60)
            .map { number in
                let user = try #require(UserID("user \(number % 20)"))
                let token = try #require(Token(high: 7, low: UInt64(number) + 1))
                return [Command.Kind.register(Registration(user: user, token: token))]
            }
        return try AgedStore.write(directory, from: start, step: Self.day, days)
    }

    @Test func `old segments go by themselves, what is gone is said, and verify is clean`() throws {
        let daemon = try TestDaemon()
        // The last entry is an hour old: a clock that is days ahead of it is not believed at once.
        let start = Int64(Date().timeIntervalSince1970 * 1000) - 60 * Self.day - 3_600_000
        let end = try write(daemon.storage, from: start)
        try daemon.configure { $0.retentionDays = 10 }
        try daemon.start()
        func journal() throws -> JSONValue {
            try daemon.call("stats", admin: true)["journal"] ?? .null
        }
        #expect(try eventually(within: 20) { try journal()["prunedSeq"]?.int64 ?? 0 > 0 })
        #expect(eventually { daemon.log.contains("The journal was pruned") })
        let oldest = try #require(try journal()["oldest"]?.string)
        let user: JSONObject = ["userId": "user 3"]
        let page = try daemon.call("getHistory", user)
        #expect(page["oldest"]?.string == oldest)
        let events = page["events"]?.array ?? []
        #expect(events.allSatisfy { $0["at"]?.string ?? "" >= oldest })
        let words = ["timeline", "user 3", "--json", "--socket", daemon.socket]
        let timeline = try ChildProcess("entitlctl", words, in: daemon.scratch)
        #expect(timeline.wait() == .exited(0))
        #expect(timeline.output.contains(#""oldest":"\#(oldest)""#), "\(timeline.output)")
        #expect(timeline.log.contains("the history begins at \(oldest)"), "\(timeline.log)")
        let export = try daemon.call("exportUser", user, admin: true)
        #expect(export["oldest"]?.string == oldest)
        #expect(export["tokens"]?.array?.count == 3)
        var early = user
        early["at"] = .string(Self.text(start + Self.day))
        for method in ["getStatus", "explain"] {
            let refusal = try #require(try daemon.refusal(of: method, early))
            #expect(refusal.code == -32024)
            #expect(refusal.object["data"]?["oldest"]?.string == oldest)
        }
        var late = user
        late["at"] = .string(Self.text(end))
        #expect(try daemon.call("getStatus", late)["state"]?.string == "free_no_credits")
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
        try FileManager.default.removeItem(atPath: daemon.storage + "/data.mdb")
        try daemon.start()
        #expect(try journal()["oldest"]?.string == oldest)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    private static func text(_ milliseconds: Int64) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
