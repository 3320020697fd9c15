import Chance
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Whatever ends the process, what the three stores were answered stays.
@Suite(.serialized) struct ThreeStoreCrashTests {
    /// `ENTITLD_TEST_CRASHES` sets another number.
    private static let rounds =
        ProcessInfo.processInfo.environment["ENTITLD_TEST_CRASHES"].flatMap { Int($0) } ?? 2
    private static let answersMin = 10

    private let scratch: Scratch
    private let google: PlayedProgram
    private let stripe: PlayedProgram

    init() throws {
        scratch = try Scratch()
        google = try .googlePlay(month: "30d", in: scratch)
        stripe = try .stripe(month: "30d", in: scratch)
    }

    private func daemon() throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.accounts = "{ userIdIsAppAccountToken: true }"
        setup.logLevel = "warning"
        setup.catalog = """
            freeCredits: 0
            plans:
              paid: { rank: 1, tier: paid, unlimited: [render],
                      products: [com.example.monthly, google_play:paid, "stripe:prod_paid"] }
            """
        setup.extra = """
            \(google.configuration)
            \(stripe.configuration)
            reconcile: { failuresEverySeconds: 36000, askBeforeEndSeconds: 0 }

            """
        return try TestDaemon(setup)
    }

    @Test func `kill -9 under streams of three stores loses nothing that was answered`() throws {
        let seed = Seed.told()
        var chance = SplitMix64(seed: seed)
        let daemon = try daemon()
        var kept: [String: String] = [:]
        var acknowledged = 0
        for round in 0..<Self.rounds {
            let when = "seed \(seed), round \(round)"
            let streams = try stream(to: daemon, until: acknowledged, &chance, when)
            // Whatever the store heard it has answered; the books are what they will be.
            google.stop()
            stripe.stop()
            let told = try google.purchases().filter { $0["acknowledged"] == true }
            acknowledged = told.count
            for line in told {
                kept[line["token"]?.string ?? ""] = line["customer"]?.string
            }
            kept.merge(streams.applied) { first, _ in first }
            // No store can be asked: what is known stands on disk.
            try daemon.start()
            #expect(try missing(kept, in: daemon) == [], "\(when)")
            // What was only announced is asked about now.
            try serve()
            kept.merge(streams.accepted) { first, _ in first }
            let isWhole = try eventually(within: 150) { try missing(kept, in: daemon).isEmpty }
            #expect(isWhole, "\(when)")
            for user in kept.values {
                #expect(try daemon.canRender(user)["canRender"] == true, "\(when)")
            }
            daemon.killAtOnce()
        }
        #expect(acknowledged >= Self.rounds)
        let check = try daemon.run("verify")
        #expect(check.ending == .exited(0), "seed \(seed): \(check.said)")
    }

    private func serve() throws {
        try google.serve()
        try stripe.serve()
    }

    /// What was answered before the process was killed.
    private struct Answered {
        var applied: [String: String] = [:]
        var accepted: [String: String] = [:]
    }

    /// Starts the daemon, lets the three stores speak until each was answered, and more than so
    /// many purchases are acknowledged, and kills the daemon.
    private func stream(
        to daemon: TestDaemon,
        until acknowledged: Int,
        _ chance: inout SplitMix64,
        _ when: String
    ) throws -> Answered {
        try serve()
        try daemon.start()
        let apple = AnsweredNotifications(from: daemon.voice, port: daemon.port, senders: 1)
        let others = [
            try AnsweredPurchases.googlePlay(google.directory, port: daemon.port),
            try AnsweredPurchases.stripe(stripe.directory, port: daemon.port),
        ]
        let isEnough = try eventually(within: 120) {
            let counts = others.map(\.count) + [apple.count]
            guard counts.allSatisfy({ $0 >= Self.answersMin }) else { return false }
            return try google.purchases().count { $0["acknowledged"] == true } > acknowledged
        }
        #expect(isEnough, "\(when): \(others.map(\.count)) \(others.map(\.others)) \(daemon.log)")
        usleep(UInt32(chance.next() % 300_000))
        daemon.killAtOnce()
        apple.finish()
        for stream in others { stream.finish() }
        #expect(apple.others == [] && others.allSatisfy { $0.others == [] }, "\(when)")
        var answered = Answered()
        for one in apple.answered { answered.applied[one.originalID] = one.user }
        for one in others {
            answered.applied.merge(one.applied) { first, _ in first }
            answered.accepted.merge(one.accepted) { first, _ in first }
        }
        print(when, apple.count, others.map(\.applied.count), answered.accepted.count)
        return answered
    }

    /// The purchases that the daemon does not list, or as another user's.
    private func missing(_ kept: [String: String], in daemon: TestDaemon) throws -> [String] {
        var owners: [String: String] = [:]
        for row in try daemon.rows(of: "subscriptions") {
            guard let id = row["value"]?["originalTransactionId"]?.string else { continue }
            owners[id] = row["value"]?["owner"]?.string
        }
        return kept.filter { owners[$0.key] != $0.value }.map(\.key).sorted()
    }
}
