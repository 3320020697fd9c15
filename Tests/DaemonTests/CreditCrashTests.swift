import Chance
import EntitlementsClient
import Foundation
import Glibc
import JSON
import Synchronization
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
        var kept: [ChargeStream.Charge] = []
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
            kept += try Self.retried(sent, by: daemon, when)
            try Self.expectBooks(kept, daemon, when)
            daemon.killAtOnce()
            if round % 10 == 9 {
                let check = try daemon.run("verify")
                #expect(check.ending == .exited(0), "\(when): \(check.said)")
            }
        }
        try daemon.start()
        let again = try Self.retried(kept, by: daemon, "seed \(seed), at the end")
        #expect(again.allSatisfy { $0.answer?["replayed"] == true })
        let answers = kept.compactMap { $0.answer?["outcome"]?.string }
        print(
            "\(kept.count) keys: \(answers.count { $0 == "consumed" }) consumed,",
            "\(answers.count { $0 == "insufficient" }) insufficient"
        )
        #expect(answers.count == kept.count)
        #expect(answers.contains("insufficient"))
        #expect(daemon.stop() == .exited(0))
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "seed \(seed): \(check.said)")
    }

    /// Repeats every charge; what was answered is answered the same.
    private static func retried(
        _ charges: [ChargeStream.Charge],
        by daemon: TestDaemon,
        _ when: String
    ) throws -> [ChargeStream.Charge] {
        let (socket, lanes) = (daemon.socket, 8)
        let results = Mutex<[ChargeStream.Charge]>([])
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: lanes) { lane in
            do {
                var connection = try Connection(to: socket, timeout: .seconds(60))
                var mine: [ChargeStream.Charge] = []
                for index in stride(from: lane, to: charges.count, by: lanes) {
                    var charge = charges[index]
                    let answer = try connection.call("consumeCredit", charge.parameters)
                    if let first = charge.answer, !isSame(answer, first) {
                        wrong.withLock { $0.append("\(charge.key): \(answer) after \(first)") }
                    }
                    charge.answer = answer
                    mine.append(charge)
                }
                results.withLock { $0 += mine }
            } catch {
                wrong.withLock { $0.append("\(error)") }
            }
        }
        let problems = wrong.withLock { $0 }
        #expect(problems == [], "\(when)")
        return results.withLock { $0 }
    }

    private static func isSame(_ answer: JSONValue, _ first: JSONValue) -> Bool {
        answer["replayed"] == true
            && ["outcome", "creditsRemaining", "seq"].allSatisfy { answer[$0] == first[$0] }
    }

    /// Everything given is spent by exactly one answered key, or still there; no hold is left.
    private static func expectBooks(
        _ charges: [ChargeStream.Charge],
        _ daemon: TestDaemon,
        _ when: String
    ) throws {
        for (user, given) in zip(users, grants) {
            let spent = charges.filter { $0.user == user && $0.answer?["outcome"] == "consumed" }
                .reduce(0) { $0 + $1.amount }
            let credits = try daemon.call("getCredits", ["userId": .string(user)])
            #expect(credits["balance"]?.int64 == given - spent, "\(user), \(when)")
            #expect(credits["held"]?.int64 == 0, "\(user), \(when)")
        }
    }
}
