import Chance
import Entitlements
import Glibc
import JSON
import Ledger
import Synchronization
import Testing
import Threads

@testable import Methods
@testable import Wire

/// Whoever joins with a position behind holds up nobody, and hears each change once.
struct JoinTests {
    private static let start: Int64 = 1_750_000_000_000

    private let stage: Stage
    private let users = YearOfLife.users

    init() throws {
        stage = try Stage(startingAt: Self.start)
        for user in users {
            try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        }
    }

    private var seq: UInt64 { stage.ledger.figures.seq }

    /// Gives credits so many times, to one user after the other; nobody waits for the answers but
    /// for the last.
    private func give(_ count: Int, _ name: String, among users: [UserID]? = nil) throws {
        let users = users ?? self.users
        let mark = name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
        for number in 0..<count {
            let user = users[number % users.count]
            let digest = Digest256(mark, UInt64(number), 0, 0)
            let order = Command.Kind.credit(
                CreditOrder(
                    user: user,
                    amount: 1,
                    key: IdempotencyKey(user: user, digest: digest),
                    fingerprint: digest,
                    until: nil,
                    source: "gift",
                    reason: "",
                    isAdjustment: false
                )
            )
            if number % 1_000 == 999 || number == count - 1 {
                try stage.order(order)
            } else {
                stage.ledger.submit(order) { _ in }
            }
        }
    }

    private func hub(_ gate: Gate? = nil) throws -> WatchHub {
        let hands = stage.hands
        return try WatchHub(stage.ledger) {
            gate?.pass()
        } now: {
            Moment(hands.wall)
        }
    }

    @Test func `while the past is read for one who joins, the others are told what is new`() throws
    {
        let gate = Gate()
        let hub = try hub(gate)
        defer { hub.stop() }
        defer { gate.open() }
        let from = seq
        let ordinary = Listener()
        try ordinary.join(hub, from: nil)
        try give(250, "before")
        try ordinary.hearAll(hub, through: seq)
        let late = Listener()
        let chosen = Listener()
        let answers = late.beginJoin(hub, from: from)
        let chosenAnswers = chosen.beginJoin(hub, [users[0], users[7]], from: from)
        gate.waitUntilReached()
        try give(200, "meanwhile")
        try ordinary.hearAll(hub, through: seq)
        let told = ordinary.messages
        #expect(told.last?["seq"]?.int64 == Int64(seq))
        #expect(answers.depth == 0 && chosenAnswers.depth == 0)
        #expect(late.messages.isEmpty && chosen.messages.isEmpty)
        gate.open()
        let through = try #require(answers.take(1, waiting: Listener.patienceMilliseconds)?.first)
        _ = try #require(chosenAnswers.take(1, waiting: Listener.patienceMilliseconds)?.first)
        #expect(through == from + 250)
        #expect(late.toldWhenAnswered.load(ordering: .acquiring) == 0)
        #expect(told.count == 450)
        #expect(late.heard(450).map(\.text) == told.map(\.text))
        let own = told.filter { [users[0].description, users[7].description].contains($0.user) }
        #expect(chosen.heard(own.count).map(\.text) == own.map(\.text))
        try late.hearAll(hub, through: seq)
        #expect(late.messages.count == 450 && chosen.messages.count == own.count)
    }

    @Test func `joins at once share what is read`() throws {
        let gate = Gate()
        let hub = try hub(gate)
        defer { hub.stop() }
        defer { gate.open() }
        let from = seq
        let ordinary = Listener()
        try ordinary.join(hub, from: nil)
        try give(240, "before")
        try ordinary.hearAll(hub, through: seq)
        let late = (0..<100).map { _ in Listener() }
        let begun = late.enumerated()
            .map { $1.beginJoin(hub, from: from + UInt64($0)) }
        gate.waitUntilReached()
        gate.open()
        for answers in begun {
            _ = try #require(answers.take(1, waiting: Listener.patienceMilliseconds)?.first)
        }
        for (number, listener) in late.enumerated() {
            let missed = ordinary.messages.dropFirst(number)
            #expect(listener.heard(missed.count).map(\.text) == missed.map(\.text))
        }
        // The first alone, perhaps, and then all others.
        #expect(hub.figures.reads.load(ordering: .relaxed) <= 2)
        #expect(hub.figures.pasts.load(ordering: .relaxed) <= 2 * users.count)
        let reads = hub.figures.reads.load(ordering: .relaxed)
        let another = Listener()
        try another.join(hub, from: from + 100)
        #expect(another.heard(140).map(\.text) == ordinary.messages.dropFirst(100).map(\.text))
        #expect(hub.figures.reads.load(ordering: .relaxed) == reads)
    }

    @Test func `whoever leaves before it was read is not read for`() throws {
        let gate = Gate()
        let hub = try hub(gate)
        defer { hub.stop() }
        defer { gate.open() }
        let from = seq
        let ordinary = Listener()
        try ordinary.join(hub, from: nil)
        try give(200, "before")
        try ordinary.hearAll(hub, through: seq)
        let late = Listener()
        let answers = late.beginJoin(hub, from: from)
        gate.waitUntilReached()
        late.session.close()
        gate.open()
        let next = Listener()
        try next.join(hub, [users[1]], from: from)
        #expect(next.heard(2).count == 2)
        #expect(hub.figures.pasts.load(ordering: .relaxed) == 1)
        #expect(answers.depth == 0)
    }

    @Test func `whoever is cut off at any place and resumes hears each change once`() throws {
        let seed = Seed.told()
        var random = SplitMix64(seed: seed)
        let hub = try hub()
        defer { hub.stop() }
        let live = Listener()
        try live.join(hub, from: nil)
        var places: [UInt64] = [seq]
        var late: [(from: UInt64, users: Set<UserID>?, listener: Listener)] = []
        for round in 0..<40 {
            try give(random.pick(4) + 1, "round \(round)")
            places.append(seq)
            let from = random.pick(places)
            let chosen = random.isOne(in: 2) ? nil : Set((0..<20).map { _ in random.pick(users) })
            let listener = Listener()
            _ = listener.beginJoin(hub, chosen, from: from)
            late.append((from, chosen, listener))
        }
        try live.hearAll(hub, through: seq)
        let told = live.messages
        #expect(told.count < MethodLimits.watchWaitingMax)
        for (from, chosen, listener) in late {
            let names = chosen.map { Set($0.map(\.description)) }
            let missed = told.filter { message in
                message["seq"]?.int64 ?? 0 > from && names?.contains(message.user) ?? true
            }
            let heard = listener.heard(missed.count)
            try #require(heard.map(\.text) == missed.map(\.text), "seed \(seed), from \(from)")
        }
        try live.hearAll(hub, through: seq)
        #expect(late.reduce(0) { $0 + $1.listener.messages.count } > 40)
    }

    @Test func `a position that is too old, or of another store, is told at once`() throws {
        let gate = Gate()
        let hub = try hub(gate)
        defer { hub.stop() }
        defer { gate.open() }
        let late = Listener()
        try late.join(hub, from: seq + 5)
        #expect(late.heard(1).first?["oldest"]?.int64 == Int64(seq))
        try give(Int(MethodLimits.watchEntriesMax) + 1, "many")
        let old = Listener()
        try old.join(hub, from: 1)
        let oldest = Int64(seq - MethodLimits.watchEntriesMax)
        #expect(old.heard(1).first?["oldest"]?.int64 == oldest)
        #expect(hub.figures.reads.load(ordering: .relaxed) == 0)
    }

    @Test func `no more joins wait than a limit, and those who left make room`() throws {
        let gate = Gate()
        let hub = try hub(gate)
        defer { hub.stop() }
        defer { gate.open() }
        let from = seq
        try Listener().join(hub, from: nil)
        try give(1, "one")
        let first = Listener()
        let answers = first.beginJoin(hub, from: from)
        gate.waitUntilReached()
        let others = (1..<MethodLimits.watchJoinsMax).map { _ in Listener() }
        for other in others { _ = other.beginJoin(hub, from: from) }
        let refused = WatchHub.Joining(
            pusher: Listener().pusher,
            users: nil,
            fromSeq: from
        ) { _ in }
        #expect(!hub.join(refused))
        for other in others { other.session.close() }
        gate.open()
        _ = try #require(answers.take(1, waiting: Listener.patienceMilliseconds)?.first)
        var isTaken = false
        for _ in 0..<3_000 where !isTaken {
            isTaken = hub.join(refused)
            if !isTaken { usleep(10_000) }
        }
        #expect(isTaken)
    }

    @Test func `what those have missed who read nothing is bounded`() throws {
        let hub = try hub()
        defer { hub.stop() }
        let from = seq
        // So many that the newest of each is more than a piece.
        let many = (0..<400).compactMap { UserID("one of many \($0)") }
        try Listener().join(hub, from: nil)
        try give(4_000, "many", among: many)
        let asleep = (0..<12).map { _ in Listener() }
        for listener in asleep {
            listener.isAsleep = true
            try listener.join(hub, from: from)
            // One piece is on its way.
            _ = listener.heard(1)
        }
        let last = try #require(asleep.last)
        for listener in asleep { listener.isAsleep = false }
        try last.hearAll(hub, through: seq)
        #expect(Set(last.heard(many.count).map(\.user)).count == many.count)
        #expect(asleep[0].messages.last?["oldest"] != nil)
        #expect(last.messages.allSatisfy { $0["oldest"] == nil })
    }

    @Test func `of a thousand who each watch one user, those alone are looked at who hear of it`()
        throws
    {
        let hub = try hub()
        defer { hub.stop() }
        let watchers = (0..<1_000).map { _ in Listener() }
        for (number, watcher) in watchers.enumerated() {
            try watcher.join(hub, [users[number % users.count]], from: nil)
        }
        let visits = hub.figures.visits.load(ordering: .relaxed)
        // Ten users, whom ten watchers hear of each.
        try give(10, "few")
        for number in 0..<10 { _ = watchers[number].heard(1) }
        try watchers[999].hearAll(hub, through: seq)
        let looked = hub.figures.visits.load(ordering: .relaxed) - visits
        // Each is noted a change for, and sent it; those who join to see the end are looked at.
        #expect(looked >= 2 * 100 && looked <= 3 * 100, "\(looked)")
        for (number, watcher) in watchers.enumerated() {
            #expect(watcher.messages.count == (number % users.count < 10 ? 1 : 0))
        }
    }
}

extension JSONValue {
    fileprivate var user: String { self["userId"]?.string ?? "" }
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Holds whoever passes until it is opened; from then on nobody.
private final class Gate: Sendable {
    private let reached = BlockingQueue<Bool>(countMax: 1)
    private let opened = BlockingQueue<Bool>(countMax: 1)

    func pass() {
        _ = reached.offer(true)
        _ = opened.take(1)
    }

    func waitUntilReached() { _ = reached.take(1, waiting: Listener.patienceMilliseconds) }

    func open() { opened.close() }
}
