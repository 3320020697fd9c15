import EntitlementsClient
import Foundation
import JSON
import TestSupport
import Testing

/// The methods that ask the store, on a daemon beside the simulated store's API.
@Suite struct AskedStoreTests {
    private let scratch: Scratch
    private let store: PlayedStore
    private let user = UUID().uuidString.lowercased()

    init() throws {
        scratch = try Scratch()
        store = try PlayedStore(month: "10m", in: scratch)
    }

    /// A daemon that asks by itself at its start alone.
    private func started(metrics: UInt16? = nil) throws -> TestDaemon {
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: 36000, askBeforeEndSeconds: 0, \
                askAfterSilenceSeconds: 36000, \
                sweepEverySeconds: 86400 }
                """,
            metrics: metrics
        )
        try daemon.start()
        return daemon
    }

    private func progress(_ daemon: TestDaemon) throws -> JSONValue {
        try daemon.call("stats", admin: true)["reconcile"] ?? .null
    }

    /// Whether what a start begins with is over: a walk, and a sweep where one is due.
    private func hasWalked(_ daemon: TestDaemon) throws -> Bool {
        try eventually(within: 60) {
            let now = try progress(daemon)
            return now["environments"]?["Production"]?["completed"]?.int64 ?? 0 > 0
                && now["sweptAt"]?.string != nil && now["running"] == false
        }
    }

    private func verify(
        _ daemon: TestDaemon,
        _ user: String,
        _ id: String,
        _ claims: JSONObject = [:]
    ) throws -> Result<JSONValue, ClientError> {
        var parameters = claims
        parameters["userId"] = .string(user)
        parameters["transactionId"] = .string(id)
        do {
            return .success(try daemon.call("verifyPurchase", parameters))
        } catch let error as ClientError {
            return .failure(error)
        }
    }

    private func refusal(_ result: Result<JSONValue, ClientError>) -> ClientError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test func `a transaction's number is enough, and is judged like a document`() throws {
        try store.serve()
        let daemon = try started()
        #expect(try hasWalked(daemon))
        try store.act("alice", "subscribe", "--token", user, "--lose", to: daemon)
        let id = try store.transactionID(of: "alice")
        #expect(try daemon.canRender(user)["reason"] == "no_account")
        let mallory = UUID().uuidString.lowercased()
        #expect(refusal(try verify(daemon, mallory, id))?.code == -32021)
        let claims: JSONObject = ["productId": "com.example.other"]
        let mismatch = refusal(try verify(daemon, user, id, claims))
        #expect(mismatch?.code == -32022)
        #expect(mismatch?.field == "productId")
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        let linked = try verify(daemon, user, id).get()
        #expect(linked["applied"] == true)
        #expect(linked["entitlement"]?["isActive"] == true)
        // Neither environment knows it; it could lead elsewhere; there is nothing to ask about.
        for unknown in ["900000000000000", "../7", "a b"] {
            #expect(refusal(try verify(daemon, user, unknown))?.name == "not_found", "\(unknown)")
        }
        let nothing = try daemon.refusal(of: "verifyPurchase", ["userId": .string(user)])
        #expect(nothing?.code == -32602)
    }

    @Test func `a store that cannot be reached is told, and so is one that lies`() throws {
        let daemon = try started()
        let down = refusal(try verify(daemon, user, "2000000000000001"))
        #expect(down?.name == "overloaded")
        #expect(down?.object["data"]?["retryAfterMs"]?.int64 ?? 0 > 0)
        try store.serve("--forged", "1")
        try store.act("alice", "subscribe", "--token", user, "--lose", to: daemon)
        let id = try store.transactionID(of: "alice")
        // The circuit may be open for a while.
        var lie: ClientError?
        let isHeard = try eventually(within: 90) {
            lie = refusal(try verify(daemon, user, id))
            return lie?.name != "overloaded"
        }
        #expect(isHeard)
        #expect(lie?.name == "verification_failed")
        #expect(["signature", "chain"].contains(lie?.reason))
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
    }

    @Test func `a walk with a document that does not verify moves no mark`() throws {
        try store.serve()
        let port = try StreamSocket.freePort()
        let daemon = try store.daemon(
            reconcile: "{ failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }",
            metrics: port
        )
        try daemon.start()
        try store.act("alice", "subscribe", "--token", user, "--lose", to: daemon)
        #expect(try hasWalked(daemon))
        #expect(daemon.stop() == .exited(0))
        let first = try store.mark(of: daemon)
        try store.serve("--forged", "1")
        try daemon.start()
        let refused = try eventually(within: 60) {
            try progress(daemon)["environments"]?["Production"]?["incomplete"] == 1
        }
        #expect(refused)
        #expect(try store.mark(of: daemon) == first)
        #expect(try progress(daemon)["refused"]?.int64 ?? 0 > 0)
        let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
        for line in [
            #"entitld_reconcile_walks_total{environment="Production",result="failed"} 1"#,
            #"entitld_reconcile_walks_total{environment="Production",result="ok"} 0"#,
            #"entitld_reconcile_documents_total{result="refused"} 1"#,
            #"entitld_store_silent 0"#,
        ] {
            #expect(page.contains("\n\(line)\n"), "\(line)")
        }
        #expect(daemon.stop() == .exited(0))
        try store.serve()
        try daemon.start()
        #expect(try hasWalked(daemon))
        let second = try store.mark(of: daemon)
        #expect(second ?? 0 > first ?? 0)
        #expect(try daemon.canRender(user)["canRender"] == true)
    }

    @Test func `entitlctl reconcile brings what was lost, for one user and for all`() throws {
        try store.serve()
        let port = try StreamSocket.freePort()
        let daemon = try started(metrics: port)
        #expect(try hasWalked(daemon))
        let other = UUID().uuidString.lowercased()
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        try store.act("alice", "renew", "--lose", to: daemon)
        let one = try control(daemon, "reconcile", user)
        #expect(one.ending == .exited(0), "\(one.said)")
        #expect(one.output.contains("applied"), "\(one.output)")
        #expect(try daemon.rows(of: "subscriptions").first.map(transactions) == 2)
        try store.act("bob", "subscribe", "--token", other, "--lose", to: daemon)
        #expect(try daemon.canRender(other)["canRender"] == false)
        let all = try control(daemon, "reconcile")
        #expect(all.ending == .exited(0), "\(all.said)")
        // At its end it shows what was done, the walks of each environment among it.
        #expect(all.output.contains("Production"), "\(all.output)")
        let page = try HTTPExchange.request("GET", "/metrics", [], port: port).text
        for line in [
            "entitld_reconcile_sweep_subscriptions 2", "entitld_reconcile_sweep_asked 2",
            "entitld_reconcile_sweep_running 0",
            #"entitld_reconcile_walks_total{environment="Production",result="ok"} 2"#,
        ] {
            #expect(page.contains("\n\(line)\n"), "\(line)")
        }
        #expect(try daemon.canRender(other)["canRender"] == true)
    }

    @Test func `a renewal that is due and silent is asked about by itself`() throws {
        let store = try PlayedStore(month: "4s", in: Scratch())
        try store.serve()
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: 36000, askAfterSilenceSeconds: 1, \
                sweepEverySeconds: 86400 }
                """
        )
        try daemon.start()
        #expect(try hasWalked(daemon))
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        #expect(try daemon.rows(of: "subscriptions").first.map(transactions) == 1)
        try store.act("alice", "renew", "--wait-for", "renewal", "--lose", to: daemon)
        let isKnown = try eventually(within: 30) {
            try daemon.rows(of: "subscriptions").first.map(transactions) == 2
        }
        #expect(isKnown)
        let asked = try progress(daemon)
        #expect(try #require(asked["silentAsked"]?.int64) > 0)
        #expect(asked["environments"]?["Production"]?["completed"] == 1)
    }

    @Test func `a renewal whose notification was lost is known before the end`() throws {
        let store = try PlayedStore(month: "30s", in: Scratch())
        try store.serve()
        let daemon = try store.daemon(
            reconcile: """
                { failuresEverySeconds: 36000, askBeforeEndSeconds: 20, \
                askAfterSilenceSeconds: 36000, sweepEverySeconds: 86400 }
                """
        )
        try daemon.start()
        #expect(try hasWalked(daemon))
        _ = try daemon.call(
            "registerAccount",
            ["userId": "alice", "appAccountToken": .string(user)]
        )
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        let end = try daemon.status("alice")["expiresAt"]?.string
        try store.act("alice", "renew", "--lose", to: daemon)
        let isKnown = try eventually(within: 29) {
            try daemon.rows(of: "subscriptions").first.map(transactions) == 2
        }
        let now = Date().ISO8601Format(.init(includingFractionalSeconds: true))
        #expect(isKnown)
        #expect(try #require(end) > now, "it is known after the end only")
        let status = try daemon.status("alice")
        #expect(status["canRender"] == true)
        #expect(status["subscription"]?["stale"] == false)
        #expect(try #require(status["expiresAt"]?.string) > (try #require(end)))
        #expect(try progress(daemon)["renewalsMissed"]?.int64 ?? 0 == 0, "before the end")
    }

    @Test func `an app server may reconcile a user once in a minute, and no more`() throws {
        try store.serve()
        let daemon = try started()
        #expect(try hasWalked(daemon))
        _ = try daemon.call(
            "registerAccount",
            ["userId": "alice", "appAccountToken": .string(user)]
        )
        try store.act("alice", "subscribe", "--token", user, to: daemon)
        try store.act("alice", "renew", "--lose", to: daemon)
        let first = try daemon.call("reconcile", ["userId": "alice"])
        #expect(first["applied"] == true)
        #expect(first["status"]?["canRender"] == true)
        try store.act("alice", "renew", "--lose", to: daemon)
        let second = try daemon.call("reconcile", ["userId": "alice"])
        #expect(second["applied"] == false)
        #expect(second["status"] == first["status"])
        let refusal = try daemon.refusal(of: "reconcile")
        #expect(refusal?.name == "permission_denied", "everything is for admins")
    }

    @Test func `entitlctl test-notification says whether one arrives`() throws {
        try store.serve("--url", "http://127.0.0.1:1/nowhere")
        let daemon = try started()
        let missing = try control(daemon, "test-notification", "--wait", "20")
        #expect(missing.ending == .exited(1), "\(missing.said)")
        #expect(missing.output.contains("SOCKET_ISSUE"), "\(missing.output)")
        try store.serve("--url", "http://127.0.0.1:\(daemon.port)/webhooks/apple")
        let found = try control(daemon, "test-notification", "--wait", "60")
        #expect(found.ending == .exited(0), "\(found.output)\(found.said)")
        #expect(found.output.contains("SUCCESS"), "\(found.output)")
    }

    private func transactions(_ row: JSONValue) -> Int {
        row["value"]?["transactions"]?.array?.count ?? 0
    }

    /// What `entitlctl` does with these words, on the admin socket.
    private func control(
        _ daemon: TestDaemon,
        _ words: String...
    ) throws -> (ending: ChildProcess.Ending, output: String, said: String) {
        let child = try ChildProcess(
            "entitlctl",
            words + ["--socket", daemon.adminSocket],
            in: scratch
        )
        let ending = child.wait(seconds: 90)
        return (ending, child.output, child.log)
    }
}
