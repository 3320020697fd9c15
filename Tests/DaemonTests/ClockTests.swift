import Entitlements
import EntitlementsClient
import Foundation
import JSON
import Testing

/// A daemon on a store whose clock was once ahead, or long ago.
@Suite struct ClockTests {
    private static let day: Int64 = 86_400_000

    /// A store that a daemon left whose clock was `days` away from ours.
    private func daemon(days: Int64) throws -> TestDaemon {
        let daemon = try TestDaemon()
        let user = try #require(UserID("early"))
        let token = try #require(Token(high: 7, low: 1))
        let kinds = [Command.Kind.register(Registration(user: user, token: token))]
        _ = try AgedStore.write(
            daemon.storage,
            from: Int64(Date().timeIntervalSince1970 * 1000) + days * Self.day,
            step: 1,
            [kinds]
        )
        return daemon
    }

    private static func text(days: Int64) -> JSONValue {
        .string(
            Date(timeIntervalSinceNow: Double(days) * 86_400)
                .ISO8601Format(.init(includingFractionalSeconds: true))
        )
    }

    @Test func `a clock behind the journal is refused by name, and judges where it is allowed`()
        throws
    {
        let daemon = try daemon(days: 40)
        let refused = try daemon.spawn()
        #expect(refused.wait() == .exited(78))
        #expect(refused.log.contains("clock") && refused.log.contains("--allow-clock-behind"))
        try daemon.configure { $0.flags = ["--allow-clock-behind"] }
        try daemon.start()
        #expect(daemon.log.contains("The clock is behind the journal"))
        for user in ["ann", "early"] {
            let id = JSONValue.string(user)
            let credits: JSONObject = [
                "userId": id, "amount": 3, "idempotencyKey": "k", "expiresAt": Self.text(days: 20),
            ]
            let given = try daemon.call("grantCredits", credits, admin: true)
            #expect(given["creditsRemaining"]?.int64 == 3)
            #expect(try daemon.canRender(user)["canRender"] == true)
            let charge: JSONObject = ["userId": id, "idempotencyKey": "c"]
            #expect(try daemon.call("consumeCredit", charge)["outcome"]?.string == "consumed")
            #expect(try daemon.call("consumeCredit", charge)["replayed"] == true)
            let grant: JSONObject = ["userId": id, "plan": "paid", "idempotencyKey": "g"]
            _ = try daemon.call("grantEntitlement", grant, admin: true)
            let status = try daemon.status(user)
            #expect(status["state"]?.string == "subscribed", "a grant made now holds now")
            // The past, too, goes by the clock.
            let then: JSONObject = ["userId": id, "at": Self.text(days: 0)]
            #expect(try daemon.call("getStatus", then) == status)
            let events = try daemon.call("getHistory", ["userId": id])["events"]?.array ?? []
            let causes = events.compactMap { $0["cause"]?.string }
            #expect(causes.suffix(3) == ["credits_granted", "consumed", "granted"])
            #expect(events.last?["after"]?["state"]?.string == "subscribed")
        }
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
        // The clock has judged what was written last, so it needs no leave any more.
        try daemon.configure { $0.flags = [] }
        try daemon.start()
        #expect(try daemon.canRender("ann")["canRender"] == true)
        #expect(daemon.stop() == .exited(0))
        try FileManager.default.removeItem(atPath: daemon.storage + "/data.mdb")
        try daemon.start()
        #expect(try daemon.canRender("ann")["canRender"] == true)
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }

    @Test func `a clock far ahead of the journal is logged and served`() throws {
        let daemon = try daemon(days: -40)
        try daemon.start()
        #expect(daemon.log.contains("The clock is far ahead of the journal"))
        #expect(try daemon.canRender("early")["canRender"] == false)
        #expect(daemon.stop() == .exited(0))
    }
}
