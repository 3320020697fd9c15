import Chance
import Entitlements
import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// `kill -9` of a daemon that prunes while clients spend: base and journal are the store at every
/// moment, what was answered stays, and the past is told or said to be gone.
@Suite(.serialized) struct PruningCrashTests {
    private static let rounds = 6
    private static let clients = 4
    private static let answersMin = 20
    private static let day: Int64 = 86_400_000

    /// How far the pruning is to have come when the process is killed.
    private enum Reach {
        /// The base has this part of what is to go, in thousandths.
        case absorbed(Int)
        /// This part of the segments that are to go has gone, in thousandths.
        case removed(Int)
    }

    @Test func `a daemon that is killed while it prunes loses nothing but what it pruned`() throws {
        let seed = Seed.told()
        var chance = SplitMix64(seed: seed)
        let past = try SpentPast()
        var interrupted = 0
        for round in 0..<Self.rounds {
            let share = Int.random(in: 0..<1_000, using: &chance)
            let reach: Reach = round % 2 == 0 ? .absorbed(share) : .removed(share)
            let when = "seed \(seed), round \(round), \(reach)"
            var setup = TestDaemon.Setup()
            setup.retentionDays = 1
            let daemon = try TestDaemon(setup)
            try FileManager.default.copyItem(atPath: past.directory, toPath: daemon.storage)
            let (sent, isAmid) = try killed(daemon, at: reach, past, when)
            interrupted += isAmid ? 1 : 0
            try expectClean(daemon, when)
            try daemon.start()
            try expectTold(past, by: daemon, &chance, when)
            var book = ChargeBook(given: past.given)
            book.keep(sent, of: daemon, when)
            try book.expectBalances(of: daemon, when)
            #expect(eventually(within: 30) { Self.isDone(daemon) }, "\(when)")
            let gone = try expectTold(past, by: daemon, &chance, when)
            #expect(gone > 0, "\(when)")
            book.expectKept(by: daemon, when)
            #expect(daemon.stop() == .exited(0), "\(when)")
            try expectClean(daemon, when)
        }
        print("\(interrupted) of \(Self.rounds) were killed amid their pruning")
        #expect(interrupted >= Self.rounds / 2, "seed \(seed)")
    }

    /// Starts the daemon, has clients spend, and kills it once its pruning has come so far; answers
    /// what was sent, and whether the pruning was under way.
    private func killed(
        _ daemon: TestDaemon,
        at reach: Reach,
        _ past: SpentPast,
        _ when: String
    ) throws -> (sent: [ChargeStream.Charge], isAmid: Bool) {
        try daemon.start()
        let stream = ChargeStream(
            socket: daemon.socket,
            users: past.users,
            clients: Self.clients,
            round: 0
        )
        let patience = Date(timeIntervalSinceNow: 20)
        while try stream.count < Self.answersMin || !has(daemon, reached: reach, of: past) {
            try #require(Date() < patience, "\(when)")
            usleep(500)
        }
        daemon.killAtOnce()
        let sent = stream.finish()
        #expect(sent.count { $0.answer != nil } >= Self.answersMin, "\(when)")
        let hasBegun = FileManager.default.fileExists(atPath: daemon.storage + "/base")
        return (sent, hasBegun && !Self.isDone(daemon))
    }

    private func has(_ daemon: TestDaemon, reached reach: Reach, of past: SpentPast) throws -> Bool
    {
        switch reach {
        case .absorbed(let share):
            let journal = try daemon.call("stats", admin: true)["journal"]
            let seq = journal?["prunedSeq"]?.int64 ?? 0
            return seq * 1_000 > past.entries(before: StoreVoice.now - Self.day) * Int64(share)
        case .removed(let share):
            let old = past.entries(before: StoreVoice.now - Self.day)
            let toGo = Int64(past.segments) * old / Int64(past.entries)
            let gone = Int64(past.segments - SpentPast.segments(in: daemon.storage))
            return gone * 1_000 > toGo * Int64(share)
        }
    }

    private static func isDone(_ daemon: TestDaemon) -> Bool {
        daemon.log.contains("The journal was pruned")
    }

    private func expectClean(_ daemon: TestDaemon, _ when: String) throws {
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "\(when): \(check.said)")
    }

    /// Asks about random moments of the past: each is told as it was, or is before what is kept;
    /// answers how many were.
    @discardableResult
    private func expectTold(
        _ past: SpentPast,
        by daemon: TestDaemon,
        _ chance: inout SplitMix64,
        _ when: String
    ) throws -> Int {
        var gone = 0
        for _ in 0..<20 {
            let user = Int.random(in: past.users.indices, using: &chance)
            let moment = Int64.random(in: past.start..<past.end, using: &chance)
            let parameters: JSONObject = [
                "userId": .string(past.users[user]), "at": .string(Self.text(moment)),
            ]
            do {
                let status = try daemon.call("getStatus", parameters)
                let expected = past.credits(of: user, at: moment)
                #expect(status["creditsRemaining"]?.int64 == expected, "\(when), at \(moment)")
            } catch let refusal as ClientError {
                gone += 1
                #expect(refusal.code == -32024, "\(when)")
                let oldest = refusal.object["data"]?["oldest"]?.string ?? ""
                #expect(Self.text(moment) < oldest, "\(when)")
            }
        }
        return gone
    }

    private static func text(_ milliseconds: Int64) -> String {
        ScenarioTime.wireText(Moment(milliseconds))
    }
}

/// A store from three days ago to half a day ago: credits for some users, given in turn.
private struct SpentPast {
    private static let grants = 2_500
    private static let batch = 20
    private static let amount: Int64 = 80
    private static let hour: Int64 = 3_600_000
    private static let step = 60 * hour / Int64(grants / batch)

    let users = (0..<10).map { "user \($0)" }
    let start: Int64
    let end: Int64
    let segments: Int
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        start = StoreVoice.now - 72 * Self.hour
        let orders = try (0..<Self.grants)
            .map { [users] in
                try Self.order($0, users[$0 % users.count])
            }
        let batches = stride(from: 0, to: Self.grants, by: Self.batch)
            .map { Array(orders[$0..<$0 + Self.batch]) }
        let directory = scratch.file("past")
        end = try AgedStore.write(directory, from: start, step: Self.step, batches)
        segments = Self.segments(in: directory)
    }

    var directory: String { scratch.file("past") }

    var entries: Int { Self.grants }

    /// What each user was given, in all.
    var given: [String: Int64] {
        let indices = users.indices
        return Dictionary(
            uniqueKeysWithValues: indices.map { (users[$0], credits(of: $0, at: end)) }
        )
    }

    /// How many entries of the journal are older than `moment`.
    func entries(before moment: Int64) -> Int64 {
        max(0, min((moment - start) / Self.step * Int64(Self.batch), Int64(Self.grants)))
    }

    /// What this user had at `moment`.
    func credits(of user: Int, at moment: Int64) -> Int64 {
        let given = entries(before: moment) + Int64(users.count - 1 - user)
        return given / Int64(users.count) * Self.amount
    }

    static func segments(in directory: String) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: directory + "/journal")
        return names?.count { $0.hasSuffix(".segment") } ?? 0
    }

    private static func order(_ number: Int, _ name: String) throws -> Command.Kind {
        let user = try #require(UserID(name))
        let digest = Digest256(fingerprintOf: Array("past \(number)".utf8))
        return .credit(
            CreditOrder(
                user: user,
                amount: amount,
                key: IdempotencyKey(user: user, digest: digest),
                fingerprint: digest,
                until: nil,
                source: "past",
                reason: "",
                isAdjustment: false
            )
        )
    }
}
