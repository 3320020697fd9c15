import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// Free credits once for each app transaction, on a daemon.
@Suite struct FreeCreditsTests {
    private static let catalog = """
        freeCredits: 3
        freeCreditsOnce: appTransaction
        """

    private func daemon(_ change: (inout TestDaemon.Setup) -> Void = { _ in }) throws -> TestDaemon
    {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.catalog
        change(&setup)
        return try TestDaemon.started(setup)
    }

    private func payload(_ id: String?, _ changes: JSONObject = [:]) -> JSONObject {
        var payload: JSONObject = [
            "receiptType": "Production",
            "appAppleId": .integer(TestDaemon.appAppleID),
            "bundleId": .string(TestDaemon.bundleID),
            "receiptCreationDate": .integer(StoreVoice.now - 1_000),
        ]
        payload["appTransactionId"] = id.map { .string($0) }
        for change in changes.members { payload[change.key] = change.value }
        return payload
    }

    private func parameters(_ user: String, _ document: String?) -> JSONObject {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["signedAppTransaction"] = document.map { .string($0) }
        return parameters
    }

    /// The credits after a registration.
    private func credits(
        _ daemon: TestDaemon,
        _ user: String,
        _ document: String? = nil
    ) throws -> Int64? {
        let answer = try daemon.call("registerAccount", parameters(user, document))
        let members = [
            "appAccountToken", "created", "creditsRemaining", "obfuscatedAccountId",
        ]
        #expect(answer.object?.keys == members)
        return answer["creditsRemaining"]?.int64
    }

    @Test func `they are given once for each, over accounts, erasure, a restart and a load`() throws
    {
        let daemon = try daemon()
        let document = try daemon.voice.sign(payload("704000000000000001"))
        #expect(try credits(daemon, "alice") == 0)
        #expect(try credits(daemon, "alice", document) == 3)
        let seq = try daemon.status("alice")["seq"]?.int64
        #expect(try credits(daemon, "alice", document) == 3)
        #expect(try daemon.status("alice")["seq"]?.int64 == seq, "nothing new, nothing written")
        #expect(try credits(daemon, "bob", document) == 0)
        _ = try daemon.call("eraseUser", ["userId": "alice"], admin: true)
        #expect(try credits(daemon, "alice", document) == 0)
        try daemon.restart()
        #expect(try credits(daemon, "carol", document) == 0)
        let other = try daemon.voice.sign(payload("704000000000000002"))
        #expect(try credits(daemon, "dave", other) == 3)
        let rows = try daemon.rows(of: "appTransactions")
        #expect(rows.count == 2)
        for row in rows {
            #expect(row["key"]?.string?.utf8.count == 32)
            #expect(row["value"]?.object?.keys == ["shownAt"])
        }
        let events = try daemon.call("exportUser", ["userId": "dave"], admin: true)
        #expect(String(decoding: events.bytes, as: UTF8.self).contains("app_transaction_used"))
        let loaded = try self.daemon()
        _ = try loaded.call("load", ["entries": .array(rows)], admin: true)
        // The voice of the other daemon is another authority; what was signed there is not
        // believed here, so the same id is signed anew.
        let again = try loaded.voice.sign(payload("704000000000000001"))
        #expect(try credits(loaded, "erin", again) == 0)
        for daemon in [daemon, loaded] {
            #expect(daemon.stop() == .exited(0))
            let verified = try daemon.run("verify")
            #expect(verified.ending == .exited(0), "\(verified.said)")
            let rebuilt = try daemon.run("compact", "--rebuild")
            #expect(rebuilt.ending == .exited(0), "\(rebuilt.said)")
        }
        try daemon.start()
        #expect(try credits(daemon, "frank", document) == 0, "with views made anew")
    }

    @Test func `what does not verify is refused with its reason, and nobody begins to exist`()
        throws
    {
        let daemon = try daemon()
        let voice = daemon.voice
        let good = try voice.sign(payload("1"))
        let unsigned = String(decoding: JSONValue.object(payload("1")).bytes, as: UTF8.self)
        let future = StoreVoice.now + 360_000
        let cases: [(String, String)] = [
            ("malformed", "nonsense"), ("unsigned", unsigned),
            ("chain", try StoreVoice().sign(payload("1"))),
            ("signature", good.dropLast(4) + "AAAA"),
            ("wrong_document", try voice.purchase(StoreLife())),
            ("bundle", try voice.sign(payload("1", ["bundleId": "com.example.other"]))),
            ("app", try voice.sign(payload("1", ["appAppleId": 7]))),
            ("environment", try voice.sign(payload("1", ["receiptType": "Sandbox"]))),
            ("xcode", try voice.sign(payload("1", ["receiptType": "Xcode"]))),
            ("xcode", try StoreVoice().sign(payload("1", ["receiptType": "Xcode"]))),
            (
                "future_date",
                try voice.sign(payload("1", ["receiptCreationDate": .integer(future)]))
            ),
        ]
        for (reason, document) in cases {
            let parameters = parameters("alice", document)
            let error = try daemon.refusal(of: "registerAccount", parameters)
            #expect(error?.code == -32020, "\(reason)")
            #expect(error?.reason == reason, "\(reason)")
        }
        for value: JSONValue in [7, "", .array([])] {
            let parameters: JSONObject = ["userId": "alice", "signedAppTransaction": value]
            #expect(try daemon.refusal(of: "registerAccount", parameters)?.code == -32602)
        }
        #expect(try daemon.rows(of: "accounts").isEmpty)
        #expect(try daemon.rows(of: "appTransactions").isEmpty)
        // A purchase cannot be verified with one.
        let purchase: JSONObject = ["userId": "alice", "signedTransaction": .string(good)]
        let error = try daemon.refusal(of: "verifyPurchase", purchase)
        #expect(error?.reason == "wrong_document")
    }

    @Test func `a sandbox that is not admitted gives none, and one without an id neither`() throws {
        let daemon = try daemon { setup in
            setup.environments = "[Production, Sandbox]"
            setup.sandbox = "none"
        }
        let sandbox = try daemon.voice.sign(payload("1", ["receiptType": "Sandbox"]))
        #expect(try credits(daemon, "alice", sandbox) == 0)
        #expect(try credits(daemon, "alice", daemon.voice.sign(payload(nil))) == 0)
        #expect(try daemon.rows(of: "appTransactions").isEmpty)
        #expect(try credits(daemon, "alice", daemon.voice.sign(payload("1"))) == 3)
        try daemon.configure { $0.sandbox = "all" }
        try daemon.restart()
        #expect(try credits(daemon, "bob", sandbox) == 3)
    }

    @Test func `a change of the catalog gives nobody a second gift`() throws {
        let daemon = try daemon { $0.catalog = "freeCredits: 3" }
        let document = try daemon.voice.sign(payload("1"))
        #expect(try credits(daemon, "alice", document) == 3)
        #expect(try credits(daemon, "bob", document) == 3, "once for each account")
        try daemon.configure { $0.catalog = Self.catalog }
        try daemon.restart()
        #expect(try credits(daemon, "alice", document) == 3)
        #expect(try credits(daemon, "carol", document) == 0)
    }

    @Test func `a customer of the simulator registers with the download of the app`() throws {
        let scratch = try Scratch()
        let store = try PlayedStore(month: "1h", in: scratch)
        let daemon = try store.daemon()
        try daemon.configure { $0.catalog = Self.catalog }
        try daemon.start()
        func registered(_ user: String, _ customer: String) throws -> JSONValue {
            let words = ["document", store.directory, customer, "--app-transaction"]
            let document = try ChildProcess("appstoresim", words, in: scratch)
            #expect(document.wait(seconds: 60) == .exited(0), "\(document.log)")
            try scratch.write(document.output, to: "\(user).jws")
            let register = try ChildProcess(
                "entitlctl",
                ["register", user, "--app-transaction", scratch.file("\(user).jws"), "--json"],
                in: scratch,
                environment: ["ENTITLD_SOCKET": daemon.socket]
            )
            #expect(register.wait(seconds: 60) == .exited(0), "\(register.log)")
            return try JSONValue.parse(Array(register.output.utf8))
        }
        #expect(try registered("one", "alice")["creditsRemaining"]?.int64 == 3)
        #expect(try registered("two", "alice")["creditsRemaining"]?.int64 == 0)
        #expect(try registered("three", "bob")["creditsRemaining"]?.int64 == 3)
    }
}
