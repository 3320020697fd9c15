import Entitlements
import Foundation
import JSON
import Signatures
import TestSupport
import Testing

/// A file that is imported once more, when the daemon has forgotten the keys of the first time.
@Suite struct LateImportTests {
    private static let day: Int64 = 86_400_000

    private static func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

    private static func key(_ name: String, of user: UserID) -> IdempotencyKey {
        IdempotencyKey(user: user, digest: Digest256(bytes: Digest.sha256(name)))
    }

    private static func credits(
        _ name: String,
        _ amount: Int64,
        _ key: String,
        _ reason: String = "import",
        until: Moment? = nil
    ) throws -> Command.Kind {
        let user = try user(name)
        return .credit(
            CreditOrder(
                user: user,
                amount: amount,
                key: Self.key(key, of: user),
                fingerprint: Digest256(bytes: Digest.sha256(reason)),
                until: until,
                source: "grant",
                reason: reason,
                isAdjustment: amount < 0
            )
        )
    }

    private static func grant(_ name: String) throws -> Command.Kind {
        let user = try user(name)
        return .grant(
            GrantOrder(
                user: user,
                plan: "default",
                key: key("import:grant:0", of: user),
                fingerprint: Digest256(bytes: Digest.sha256("gold")),
                from: nil,
                until: nil,
                store: nil,
                reason: "press, key import:grant:0"
            )
        )
    }

    /// What happened 40 days ago, and since then every 10 days.
    ///
    /// Alice and carol came by an import and have bought since; bob came by himself.
    private static func past() throws -> [[Command.Kind]] {
        let names = ["alice", "bob", "carol"]
        let registrations = try names.enumerated()
            .map { number, name -> Command.Kind in
                let token = try #require(Token(high: 7, low: UInt64(number) + 1))
                return .register(Registration(user: try user(name), token: token))
            }
        let zero = "import, key import:zero"
        return [
            registrations
                + [
                    try credits("alice", 3, "free", "welcome"),
                    try credits("alice", -3, "import:zero", zero),
                    try credits("alice", 12, "import:credits:0"), try grant("alice"),
                    try credits("carol", 1, "import:zero", zero, until: Moment(0)),
                    try credits("bob", 5, "own", "thanks"),
                ], [try credits("alice", 10, "pack", "bought")],
            [try credits("carol", 10, "pack", "bought")],
            [try credits("bob", 1, "more", "thanks")], [try credits("bob", 1, "again", "thanks")],
        ]
    }

    @Test func `a balance and a grant of an import long ago stay as they are`() throws {
        let daemon = try TestDaemon()
        let start = Int64(Date().timeIntervalSince1970 * 1000) - 50 * Self.day - 3_600_000
        _ = try AgedStore.write(daemon.storage, from: start, step: 10 * Self.day, Self.past())
        try daemon.configure {
            $0.catalog = """
                plans:
                  default: { products: [com.example.gold], unlimited: [render] }
                """
        }
        try daemon.start()
        let file = try daemon.scratch.write(
            """
            {"userId":"alice","tokens":["\(Self.token(1))"],"credits":12,
             "grants":[{"plan":"default","reason":"press"}]}
            {"userId":"bob","tokens":["\(Self.token(2))"],"credits":3}
            {"userId":"carol","tokens":["\(Self.token(3))"],"credits":0}

            """
            .replacing(",\n ", with: ","),
            to: "users.jsonl"
        )
        for round in 1...2 {
            let words = ["import", "--json", "--socket", daemon.adminSocket, file]
            let child = try ChildProcess("entitlctl", words, in: daemon.scratch)
            #expect(child.wait(seconds: 60) == .exited(0), "\(child.log)\(child.output)")
            let said = try JSONValue.parse(Array(child.output.utf8))
            #expect(said["users"] == 3 && said["grants"] == 1 && said["notTaken"] == 0)
            let balances = try ["alice", "bob", "carol"]
                .map { try daemon.status($0)["creditsRemaining"]?.int64 }
            #expect(balances == [22, 3, 10], "after import \(round)")
            let explained = try daemon.call("explain", ["userId": "alice"])
            #expect(explained["grants"]?.array?.count == 1)
        }
    }

    /// The token of the account with this number.
    private static func token(_ number: UInt64) -> String {
        Token(high: 7, low: number)?.description ?? ""
    }
}
