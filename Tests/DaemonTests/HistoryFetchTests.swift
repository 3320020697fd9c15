import Foundation
import JSON
import TestSupport
import Testing

/// When the store's answer shows that more happened than was heard, its whole history is read, on
/// a daemon beside the simulated store.
///
/// The daemon asks by itself before a period ends; no walk over lost notifications helps it.
@Suite struct HistoryFetchTests {
    private let store: PlayedStore
    private let daemon: TestDaemon
    private let user = UUID().uuidString.lowercased()

    init() throws {
        store = try PlayedStore(month: "30s", in: Scratch())
        try store.serve()
        daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: 36000, askBeforeEndSeconds: 20, \
                askAfterSilenceSeconds: 36000, sweepEverySeconds: 86400 }
                """
        )
        try daemon.start()
        let isQuiet = try eventually(within: 60) {
            let now = try daemon.call("stats", admin: true)["reconcile"]
            return now?["environments"]?["Production"]?["completed"]?.int64 ?? 0 > 0
                && now?["sweptAt"]?.string != nil && now?["running"] == false
        }
        #expect(isQuiet)
    }

    private func count(_ part: String) -> Int { store.requests.filter { $0.contains(part) }.count }

    /// How often the history was asked for.
    private var historiesRead: Int { count("/history/") }

    /// Waits until the store was asked about the subscription so many times in all.
    private func isAsked(_ times: Int) -> Bool {
        eventually(within: 60) { count("/inApps/v1/subscriptions/") >= times }
    }

    private func transactions() throws -> [JSONValue] {
        try daemon.rows(of: "subscriptions").first?["value"]?["transactions"]?.array ?? []
    }

    @Test func `a renewal that continues what is known asks for no history`() throws {
        try store.act("anna", "subscribe", "--token", user, to: daemon)
        try store.act("anna", "renew-early", "--lose", to: daemon)
        #expect(try eventually(within: 60) { try transactions().count == 2 })
        #expect(isAsked(1))
        #expect(historiesRead == 0)
    }

    @Test func `a last transaction that is not ours brings all that lie between`() throws {
        let (paid, premium) = ("com.example.app.paid.monthly", "com.example.app.premium.monthly")
        try store.act("anna", "subscribe", "--token", user, "--product", paid, to: daemon)
        try store.act("anna", "upgrade", "--product", premium, "--lose", to: daemon)
        try store.act("anna", "refund", "--lose", to: daemon)
        try store.act("anna", "subscribe", "--product", paid, "--lose", to: daemon)
        #expect(try transactions().count == 1)
        #expect(try eventually(within: 60) { try transactions().count == 3 })
        #expect(historiesRead == 1)
        let known = try transactions()
        #expect(known.filter { ($0["revocationDate"] ?? .null) != .null }.count == 1)
        #expect(known.filter { $0["isUpgraded"] == true }.count == 1)
        let status = try daemon.status(user)
        #expect(status["plan"] == "paid" && status["canRender"] == true)
        // All is known now: the next question is one.
        #expect(isAsked(2))
        #expect(historiesRead == 1)
    }

    @Test func `an upgrade over an announced renewal brings that it was replaced`() throws {
        let (paid, premium) = ("com.example.app.paid.monthly", "com.example.app.premium.monthly")
        try store.act("anna", "subscribe", "--token", user, "--product", paid, to: daemon)
        try store.act("anna", "renew-early", to: daemon)
        // This one is heard, and says nothing of the renewal that it replaces.
        try store.act("anna", "upgrade", "--product", premium, to: daemon)
        #expect(try transactions().count == 3)
        #expect(try transactions().filter { $0["isUpgraded"] == true }.isEmpty)
        #expect(try daemon.status(user)["plan"] == "premium")
        let isKnown = try eventually(within: 60) {
            try transactions().filter { $0["isUpgraded"] == true }.count == 2
        }
        #expect(isKnown)
        #expect(historiesRead == 1)
        #expect(try daemon.status(user)["plan"] == "premium")
        #expect(daemon.stop() == .exited(0))
        #expect(try daemon.run("verify").ending == .exited(0))
    }
}
