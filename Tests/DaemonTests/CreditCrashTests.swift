import Chance
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// `kill -9` under many clients that spend credits: what was answered stays, and nothing is spent
/// twice.
@Suite(.serialized) struct CreditCrashTests {
    /// `ENTITLD_CRASH_ROUNDS` sets another number.
    private static let rounds =
        ProcessInfo.processInfo.environment["ENTITLD_CRASH_ROUNDS"].flatMap { Int($0) } ?? 50
    private static let clients = 64
    private static let answersMin = 100
    /// Few, so that clients meet; the last ones soon have nothing.
    private static let users = (0..<12).map { "user \($0)" }
    private static let grants: [Int64] = (0..<12).map { $0 < 8 ? 1_000_000 : 400 }

    @Test func `no charge is lost or made twice, and each key keeps its first answer`() throws {
        let seed = Seed.told()
        print("seed \(seed), \(Self.rounds) rounds of \(Self.clients) clients")
        var chance = SplitMix64(seed: seed)
        var setup = TestDaemon.Setup()
        setup.logLevel = "warning"
        let daemon = try TestDaemon.started(setup)
        for (user, amount) in zip(Self.users, Self.grants) {
            let grant: JSONObject = [
                "userId": .string(user), "amount": .integer(amount), "idempotencyKey": "first",
            ]
            _ = try daemon.call("grantCredits", grant, admin: true)
        }
        daemon.killAtOnce()
        var book = ChargeBook(given: Dictionary(uniqueKeysWithValues: zip(Self.users, Self.grants)))
        for round in 0..<Self.rounds {
            let when = "seed \(seed), round \(round)"
            try daemon.start()
            let stream = ChargeStream(
                socket: daemon.socket,
                users: Self.users,
                clients: Self.clients,
                round: round
            )
            usleep(50_000 + UInt32(chance.next() % 950_000))
            #expect(eventually(within: 60) { stream.count >= Self.answersMin }, "\(when)")
            daemon.killAtOnce()
            let sent = stream.finish()
            #expect(sent.count { $0.answer != nil } >= Self.answersMin, "\(when)")
            try daemon.start()
            book.keep(sent, of: daemon, when)
            try book.expectBalances(of: daemon, when)
            daemon.killAtOnce()
            if round % 10 == 9 {
                let check = try daemon.run("verify")
                #expect(check.ending == .exited(0), "\(when): \(check.said)")
            }
        }
        try daemon.start()
        book.expectKept(by: daemon, "seed \(seed), at the end")
        let answers = book.kept.compactMap { $0.answer?["outcome"]?.string }
        print(
            "\(book.kept.count) keys: \(answers.count { $0 == "consumed" }) consumed,",
            "\(answers.count { $0 == "insufficient" }) insufficient"
        )
        #expect(answers.count == book.kept.count)
        #expect(answers.contains("insufficient"))
        #expect(daemon.stop() == .exited(0))
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "seed \(seed): \(check.said)")
    }
}
