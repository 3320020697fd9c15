import Chance
import Fixtures
import Foundation
import Synchronization
import TestSupport
import Testing

/// Random stories about credits on a running daemon, against books that share nothing with it; with
/// restarts and `kill -9` in between.
///
/// Nothing ends by itself in them: the core's and the ledger's stories, which have a clock of their
/// own, are about that.
@Suite(.serialized) struct LiveCreditTests {
    /// Steps in all; `ENTITLD_CREDIT_STEPS` sets another number.
    private static let steps =
        ProcessInfo.processInfo.environment["ENTITLD_CREDIT_STEPS"].flatMap { Int($0) } ?? 60_000
    /// Stories that are told side by side, each on a connection of its own.
    private static let lanes = 4
    /// Between two acts the daemon ends, one way or the other.
    private static let acts = 5

    @Test(arguments: [false, true])
    func `daemon and books agree after every step`(owes: Bool) throws {
        let seed = Seed.told(round: owes ? 1 : 0)
        let steps = Self.steps / 2 / Self.lanes / Self.acts
        print("\(Self.lanes) stories in \(Self.acts) acts of \(steps) steps")
        var random = SplitMix64(seed: seed)
        var setup = TestDaemon.Setup()
        setup.catalog = LiveCreditClerk.catalog(owesRefunds: owes)
        setup.logLevel = "warning"
        let daemon = try TestDaemon.started(setup)
        let stories = (0..<Self.lanes)
            .map { lane in
                let clerk = LiveCreditClerk(daemon, lane: lane)
                return LiveStory(clerk, owesRefunds: owes, SplitMix64(seed: random.next()))
            }
        let began = Date()
        for act in 0..<Self.acts {
            let problems = Mutex<[String]>([])
            let carried = Carried(stories)
            DispatchQueue.concurrentPerform(iterations: Self.lanes) { lane in
                do {
                    try carried.value[lane].tell(steps)
                } catch {
                    problems.withLock { $0.append("seed \(seed), lane \(lane): \(error)") }
                }
            }
            try #require(problems.withLock { $0 } == [], "act \(act)")
            if random.next() % 2 == 0 {
                daemon.killAtOnce()
                try daemon.start()
            } else {
                try daemon.restart()
            }
            for story in stories { try story.connectionEnded() }
        }
        let told = stories.reduce(0) { $0 + $1.told }
        print("\(told) steps in \(Date().timeIntervalSince(began)) s")
        #expect(daemon.stop() == .exited(0))
        // Half a million entries are replayed row by row, on whatever machine this is.
        let check = try daemon.run("verify", within: 600)
        #expect(check.ending == .exited(0), "seed \(seed): \(check.said)")
    }
}

/// One story, its books, and the clerk who puts it to the daemon.
private final class LiveStory {
    private static let batchMax: UInt64 = 48

    private let clerk: LiveCreditClerk
    private let now = StoreVoice.now / 1_000 * 1_000
    private var books: CreditModel
    private var story: CreditStory<SplitMix64>
    private var random: SplitMix64
    /// Steps so far.
    private(set) var told = 0

    init(_ clerk: LiveCreditClerk, owesRefunds: Bool, _ random: SplitMix64) {
        self.clerk = clerk
        self.random = random
        let users = CreditStory<SplitMix64>.users
        books = CreditModel(users: users, freeCredits: 3, owesRefunds: owesRefunds)
        story = CreditStory(random, isTimeless: true)
    }

    /// Goes on by at least so many steps, and compares every answer, and every purse after each
    /// few.
    func tell(_ steps: Int) throws {
        let end = told + steps
        while told < end {
            let batch = (0..<random.next() % Self.batchMax + 1)
                .compactMap { _ in tellable(story.step(at: now)) }
            try perform(batch)
            try expectAlike("after \(batch)")
            guard random.next() % 32 == 0 else { continue }
            // What nobody ends any more would hold everything in the end.
            try perform(books.reservations.map { .release(reservation: $0) })
            if random.next() % 4 == 0 {
                clerk.disconnect()
                try connectionEnded()
            }
        }
    }

    /// The leases return; the daemon notices soon, not at once.
    func connectionEnded() throws {
        clerk.disconnect()
        for lease in books.leases { _ = books.perform(.disconnect(reservation: lease), at: now) }
        let users = 0..<CreditStory<SplitMix64>.users
        let isNoticed = try eventually {
            try clerk.credits().map(\.held) == users.map { books.held($0) }
        }
        guard isNoticed else { throw DaemonProblem("leases do not return") }
        try expectAlike("after the connection ended")
    }

    private func perform(_ batch: [CreditStep]) throws {
        let answers = try clerk.perform(batch)
        for (step, met) in zip(batch, answers) {
            let wanted = books.perform(step, at: now)
            story.made(met)
            told += 1
            guard met == wanted else {
                throw DaemonProblem("step \(told), \(step): \(met), not \(wanted)")
            }
            guard books.isLawful else { throw DaemonProblem("step \(told): unlawful books") }
        }
    }

    private func expectAlike(_ when: @autoclosure () -> String) throws {
        for (user, credits) in try clerk.credits().enumerated() {
            guard credits.balance == books.balance(user), credits.held == books.held(user),
                credits.piles == books.piles(user)
            else { throw DaemonProblem("step \(told), u\(user): \(credits), \(when())") }
        }
    }

    /// The step as it can be put: connections end elsewhere, few documents, one to a notification.
    private func tellable(_ step: CreditStep) -> CreditStep? {
        switch step {
        case .disconnect: nil
        case .notice(let id, let words):
            words.isEmpty || random.next() % 8 > 0
                ? nil : .notice(id: id, Array(words.prefix(1)))
        case .verify, .restore: random.next() % 4 == 0 ? step : nil
        default: step
        }
    }
}

/// Carries stories to the threads that tell them, each to one.
private struct Carried: @unchecked Sendable {
    let value: [LiveStory]

    init(_ value: [LiveStory]) { self.value = value }
}
