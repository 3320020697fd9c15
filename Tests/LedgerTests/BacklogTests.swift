import Chance
import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

/// What time changes is told once and before anything else changes the account: also by a process
/// that follows one which was killed, and where more is due than is told in one round.
struct BacklogTests {
    private static let minute: Int64 = 60_000

    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A step of a story: so many minutes pass, then these are decided.
    private typealias Step = (minutes: Int64, kinds: [Command.Kind])

    /// Writes `steps` in `directory`, where rows are stored before some of them; `crashed` is then
    /// what a machine would find there that had lost its power.
    private func play(
        _ steps: [Step],
        in directory: String,
        leaving crashed: String,
        by hands: HandClock? = nil,
        storing: Set<Int> = []
    ) throws {
        let hands = hands ?? self.hands
        let bench = try WriterBench(
            directory,
            clock: hands.clock,
            limits: JournalLimits(stepBytesMax: 64 << 10)
        )
        let rest = Notebook<Void>()
        let checkpointer = bench.checkpointer
        let nudge = Command.Kind.revokeGrant(
            .init(user: try user("nobody"), grant: 0, reason: "")
        )
        let gaveUp = bench.run { _ in
            guard rest.notes.count < steps.count else { return nil }
            if storing.contains(rest.notes.count) {
                do { try checkpointer.settle() } catch { Issue.record("\(error)") }
            }
            let step = steps[rest.notes.count]
            rest.note(())
            hands.advance(step.minutes * Self.minute)
            return (step.kinds.isEmpty ? [nudge] : step.kinds).map { .command($0) }
        }
        #expect(gaveUp == nil)
        try Scratch.copyStore(directory, to: crashed)
    }

    /// What the journal in `directory` says of each user: of ends the minute, of grants "granted".
    private func stories(in directory: String, since start: Int64) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        _ = try Segments.readEach(directory: directory + "/journal", afterSeq: 0) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                switch event {
                case .granted(let user, _, _): found["\(user)", default: []].append("granted")
                case .holdEnded(let user, _, _, _):
                    found["\(user)", default: []].append("returned")
                case .passed(let tick):
                    for passing in tick.passings {
                        let late = (passing.due.milliseconds - start) / Self.minute
                        found["\(passing.user)", default: []].append("\(late)")
                    }
                default: break
                }
            }
        }
        return found
    }

    private func credits(
        _ name: String,
        key: Int = 99,
        until moment: Int64
    ) throws -> Command.Kind {
        let user = try user(name)
        return .credit(
            CreditOrder(
                user: user,
                amount: 3,
                key: IdempotencyKey(user: user, digest: digest(key)),
                fingerprint: digest(1),
                until: Moment(moment),
                source: "gift",
                reason: "",
                isAdjustment: false
            )
        )
    }

    /// A moment of a grant within another changes nothing, and no entry tells of it: the alarm of
    /// the second grant is examined by the process that is killed, and still there for the next.
    @Test(arguments: 0...6, [false, true])
    func `a process that follows one which was killed tells nothing again`(
        _ stepsBefore: Int,
        _ isRebuilt: Bool
    ) throws {
        let start = hands.wall
        func at(_ minutes: Int64) -> Int64 { start + minutes * Self.minute }
        let alice = try user("alice")
        let within = Command.Kind.grant(
            GrantOrder(
                user: alice,
                plan: "pro",
                key: IdempotencyKey(user: alice, digest: digest(2)),
                fingerprint: digest(1),
                from: Moment(at(30)),
                until: Moment(at(40)),
                store: nil,
                reason: ""
            )
        )
        let steps: [Step] = [
            (0, [try grant("alice", key: 1, until: at(50)), try credits("alice", until: at(55))]),
            (5, [within]), (30, []), (10, []), (6, []), (5, []), (5, []),
        ]
        let crashed = scratch.file("crashed")
        try play(Array(steps[..<stepsBefore]), in: scratch.store, leaving: crashed)
        if isRebuilt { Scratch.remove(crashed + "/data.mdb") }
        let rest = Array(steps[stepsBefore...]) + [(0, []), (1, []), (0, [])]
        try play(rest, in: crashed, leaving: scratch.file("last"))
        let told = try stories(in: crashed, since: start)["alice"]
        #expect(told == ["granted", "granted", "50", "55"])
        try expectClean(crashed)
    }

    /// More than are told in one round end together, and a command comes for the last of them.
    @Test(arguments: [false, true])
    func `an end is told before a command changes the account, however many are due`(
        _ isKilled: Bool
    ) throws {
        let start = hands.wall
        let end = start + 10 * Self.minute
        let names = (0..<LedgerLimits.alarmsMax + 100).map { "user \($0)" }
        let last = try #require(names.max())
        let grants = try names.map { try grant($0, key: 1, until: end) }
        let again = try grant(last, key: 2, until: end + 10 * Self.minute)
        let crashed = scratch.file("crashed")
        try play([(0, grants), (11, [again])], in: scratch.store, leaving: crashed)
        let store = isKilled ? crashed : scratch.store
        try play([(0, []), (0, []), (10, []), (0, [])], in: store, leaving: scratch.file("last"))
        let told = try stories(in: store, since: start)
        for name in names where name != last {
            #expect(told[name] == ["granted", "10"], "\(name)")
        }
        #expect(told[last] == ["granted", "10", "granted", "20"])
        try expectClean(store)
    }

    /// Random grants and credits of few users, and random moments at which the process is killed.
    @Test(arguments: 0..<12)
    func `whenever a process is killed, what is told is what one tells that is not`(
        _ round: Int
    ) throws {
        var random = SplitMix64(seed: Seed.told(round: round))
        let start = hands.wall
        let names = ["ann", "bob", "cid"]
        let steps = try (0..<60)
            .map { number -> Step in
                let kinds = try (0..<random.pick(3))
                    .map { place in
                        let key = 10 * number + place
                        let name = random.pick(names)
                        return try gift(of: name, key: key, from: start, &random)
                    }
                return (Int64(random.pick(12)), kinds)
            }
        let whole = scratch.file("whole")
        let last: [Step] = [(60, []), (60, []), (60, []), (0, [])]
        try play(steps + last, in: whole, leaving: scratch.file("end"), by: HandClock())
        let expected = try stories(in: whole, since: start)

        var store = scratch.store
        var place = 0
        while place < steps.count {
            let end = min(steps.count, place + 1 + random.pick(8))
            let crashed = scratch.file("crashed \(place)")
            let stored = random.chance() ? [random.pick(8)] : []
            let piece = Array(steps[place..<end])
            try play(piece, in: store, leaving: crashed, storing: Set(stored))
            if random.isOne(in: 6) { Scratch.remove(crashed + "/data.mdb") }
            if !random.isOne(in: 4) { store = crashed }
            place = end
        }
        try play(last, in: store, leaving: scratch.file("end"))
        let told = try stories(in: store, since: start)
        for name in names { #expect(told[name] == expected[name], "\(name)") }
        try expectClean(store)
    }

    /// Credits that end, or a grant, perhaps within another one.
    private func gift(
        of name: String,
        key: Int,
        from start: Int64,
        _ random: inout SplitMix64
    ) throws -> Command.Kind {
        let user = try user(name)
        let first = Int64(random.pick(600))
        let until = start + (first + 1 + Int64(random.pick(120))) * Self.minute
        if random.isOne(in: 3) { return try credits(name, key: key, until: until) }
        return .grant(
            GrantOrder(
                user: user,
                plan: "pro",
                key: IdempotencyKey(user: user, digest: digest(key)),
                fingerprint: digest(1),
                from: Moment(start + first * Self.minute),
                until: Moment(until),
                store: nil,
                reason: ""
            )
        )
    }

    @Test func `what has ended meanwhile is told before a start returns what was held`() throws {
        let start = hands.wall
        let ann = try user("ann")
        let ledger = try open(scratch.store, clock: hands.clock)
        try ledger.order(try credits("ann", until: start + 10 * Self.minute))
        let charge = Charge(
            user: ann,
            amount: 1,
            key: IdempotencyKey(user: ann, digest: digest(3)),
            fingerprint: digest(3)
        )
        let order = ReservationOrder(
            charge: charge,
            milliseconds: day,
            isLease: true,
            by: .here,
            id: Limits.positionMax + 1
        )
        try ledger.order(.reserve(order))
        let crashed = scratch.file("crashed")
        try Scratch.copyStore(scratch.store, to: crashed)
        ledger.stop()
        hands.advance(20 * Self.minute)
        let next = try open(crashed, clock: hands.clock)
        try next.order(try registration(1))
        next.stop()
        #expect(try stories(in: crashed, since: start)["ann"] == ["10", "returned"])
        try expectClean(crashed)
    }
}
