import Chance
import Entitlements
import JSON
import Ledger
import Testing
import Threads
import Wire

@testable import Methods

/// What a watcher was told as it happened, what one is told who resumes, and what the history says
/// are the same changes.
struct WatchedLifeTests {
    private static let start: Int64 = 1_750_000_000_000
    private static let hour: Int64 = 3_600_000

    @Test func `a resumed watch and the history tell what was told as it happened`() throws {
        let seed = Seed.told()
        var random = SplitMix64(seed: seed)
        var story = YearOfLife(SplitMix64(seed: ~seed), users: 12)
        let stage = try Stage(startingAt: Self.start)
        let hands = stage.hands
        let hub = try WatchHub(stage.ledger) { Moment(hands.wall) }
        defer { hub.stop() }
        try stage.install(Self.catalog(&story))
        var installed: [Moment] = []
        let live = Listener()
        try live.join(hub, from: nil)
        for _ in 0..<500 {
            stage.pass(Int64(random.pick(20)) * Self.hour / 2 + 1)
            try Self.letTimeBeNoted(stage)
            if random.isOne(in: 20) {
                try stage.install(Self.catalog(&story))
                installed.append(stage.now)
                try Self.letTimeBeNoted(stage)
            }
            try live.hearAll(hub, through: stage.ledger.figures.seq)
            let kind = story.command(at: stage.now)
            story.heard(try stage.order(kind).outcome, of: kind)
            try live.hearAll(hub, through: stage.ledger.figures.seq)
        }
        let told = live.messages
        print("\(told.count) changes told")
        let causes = Set(told.compactMap { $0["cause"]?.string })
        #expect(causes.isSuperset(of: ["clock", "reserved", "notification"]))
        #expect(told.contains { Self.isOfCreditsAlone($0) })
        let events = told.filter { Self.isEvent($0) }
        #expect(events.count > 20)
        // With more at once those of one user would be told as one.
        let places = told.suffix(MethodLimits.watchWaitingMax).compactMap { $0["seq"]?.int64 }
        for _ in 0..<8 {
            let from = random.pick(places)
            let late = Listener()
            try late.join(hub, from: UInt64(from))
            let rest = told.filter { ($0["seq"]?.int64 ?? 0) > from }
            let heard = late.heard(rest.count)
            for user in YearOfLife.users.prefix(12) {
                let (mine, known) = (Self.changes(heard, of: user), Self.changes(rest, of: user))
                try #require(mine == known, "seed \(seed), from \(from), \(user)")
            }
        }
        try Self.expectHistories(told, stage, installed, seed)
    }

    /// A catalog that forgives late renewals for none, one or two days.
    private static func catalog(_ story: inout YearOfLife) -> Policy.Source {
        var source = story.catalog()
        source.lateRenewalMilliseconds *= 24
        return source
    }

    @Test func `who resumes hears of the purchase that went to another`() throws {
        let stage = try Stage(startingAt: Self.start)
        let hands = stage.hands
        let hub = try WatchHub(stage.ledger) { Moment(hands.wall) }
        defer { hub.stop() }
        let (loser, finder) = (YearOfLife.users[0], YearOfLife.users[1])
        for user in [loser, finder] {
            try stage.order(
                .register(Registration(user: user, token: YearOfLife.token(user)))
            )
        }
        try stage.order(Self.purchase(by: loser, at: Self.start + 1))
        let from = stage.ledger.figures.seq
        // The store says that it was another's all the time.
        try stage.order(Self.purchase(by: finder, at: Self.start + 2))
        let late = Listener()
        try late.join(hub, from: from)
        let told = late.heard(2).map { ($0["userId"]?.string, $0["status"]?["state"]?.string) }
        #expect(told.count == 2)
        #expect(told.contains { $0 == (loser.description, "free_no_credits") })
        #expect(told.contains { $0 == (finder.description, "subscribed") })
    }

    @Test func `a renewal that was announced is told when it begins, though only its id is new`()
        throws
    {
        let stage = try Stage(startingAt: Self.start)
        let hands = stage.hands
        let hub = try WatchHub(stage.ledger) { Moment(hands.wall) }
        defer { hub.stop() }
        let user = YearOfLife.users[0]
        try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        try stage.order(Self.purchase(by: user, at: Self.start + 1))
        try stage.order(Self.purchase(2, by: user, at: Self.start + 2))
        let live = Listener()
        try live.join(hub, from: nil)
        stage.pass(Self.month - 1)
        try Self.letTimeBeNoted(stage)
        try live.hearAll(hub, through: stage.ledger.figures.seq)
        #expect(live.messages.isEmpty)
        stage.pass(1)
        try Self.letTimeBeNoted(stage)
        try live.hearAll(hub, through: stage.ledger.figures.seq)
        let told = live.messages
        #expect(told.count == 1)
        #expect(told.first?["cause"] == "clock")
        let shown = told.first?["status"]?["subscription"]
        #expect(shown?["transactionId"] == "2")
        #expect(shown?["purchasedAt"] == .string(TimeText.text(Self.start + Self.month)))
        let late = Listener()
        try late.join(hub, from: stage.ledger.figures.seq - 1)
        #expect(late.heard(1) == told)
    }

    @Test func `what is told of a moment is what was true then, whatever came since`() throws {
        let stage = try Stage(startingAt: Self.start)
        let hands = stage.hands
        let hub = try WatchHub(stage.ledger) { Moment(hands.wall) }
        defer { hub.stop() }
        let user = YearOfLife.users[0]
        try stage.install(Policy.Source())
        try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        try stage.order(Self.purchase(by: user, at: Self.start + 1))
        let live = Listener()
        try live.join(hub, from: nil)
        // While this one is answered, nothing is told.
        let isHeld = BlockingQueue<Bool>(countMax: 1)
        let gate = BlockingQueue<Bool>(countMax: 1)
        let other = Listener()
        let joining = WatchHub.Joining(pusher: other.pusher, users: nil, fromSeq: nil) { _ in
            _ = isHeld.offer(true)
            _ = gate.take(1, waiting: 60_000)
        }
        #expect(hub.join(joining))
        try #require(isHeld.take(1, waiting: 30_000) == [true])
        stage.pass(Self.month)
        try Self.letTimeBeNoted(stage)
        // Late, and of the moment at which the month before ended.
        try stage.order(Self.purchase(2, by: user, at: Self.start + Self.month + 1))
        var source = Policy.Source()
        source.plans = [Policy.Plan(name: "other")]
        stage.pass(1)
        try stage.install(source)
        _ = gate.offer(true)
        let told = live.heard(3)
        #expect(told.map { $0["cause"]?.string } == ["clock", "notification", nil])
        let shown = told.map { $0["status"]?["subscription"] }
        #expect(shown[0]?["status"] == "expired")
        #expect(shown[0]?["transactionId"] == "1")
        #expect(shown[1]?["status"] == "subscribed")
        #expect(shown[1]?["transactionId"] == "2")
        #expect(told[1]["status"]?["plan"] == "default")
        let late = Listener()
        try late.join(hub, from: UInt64(try #require(told[0]["seq"]?.int64)) - 1)
        #expect(late.heard(3) == told)
    }

    /// An end that a new catalog moves, by how many minutes renewals may be late under the one that
    /// was there and under the one that comes ten minutes after the end of the month.
    @Test(arguments: [(late: Int64(0), then: Int64(60)), (60, 20)])
    func `what time does under a new catalog is told to who resumes`(
        late minutes: Int64,
        then next: Int64
    ) throws {
        var (first, second) = (Policy.Source(), Policy.Source())
        first.lateRenewalMilliseconds = minutes * Self.minute
        second.lateRenewalMilliseconds = next * Self.minute
        let bought = Self.purchase(by: YearOfLife.users[0], at: Self.start + 1)
        try Self.expectEnds(of: bought, under: first, second, from: 10, at: [0, next])
    }

    @Test func `an end is told to who resumes that no catalog named when it was bought`() throws {
        var plan = Policy.Plan(name: "pass")
        plan.products = ["pass"]
        plan.unlimited = ["render"]
        var (first, second) = (Policy.Source(), Policy.Source())
        first.plans = [plan]
        plan.days = ["pass": 30]
        second.plans = [plan]
        let bought = Self.purchase(by: YearOfLife.users[0], at: Self.start + 1, isPass: true)
        try Self.expectEnds(of: bought, under: first, second, from: -20 * 24 * 60, at: [0])
    }

    /// Expects that a user who buys for a month under one catalog is told of these ends, in minutes
    /// after the month, as they come, later, and in the history, where another comes between.
    private static func expectEnds(
        of purchase: Command.Kind,
        under first: Policy.Source,
        _ second: Policy.Source,
        from installed: Int64,
        at ends: [Int64]
    ) throws {
        let stage = try Stage(startingAt: start)
        let hands = stage.hands
        let hub = try WatchHub(stage.ledger) { Moment(hands.wall) }
        defer { hub.stop() }
        let user = YearOfLife.users[0]
        try stage.install(first)
        try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        try stage.order(purchase)
        let from = stage.ledger.figures.seq
        let live = Listener()
        try live.join(hub, from: nil)
        for minutes in [0, installed, 20, 60].sorted() {
            stage.pass(start + month + minutes * minute + 1 - hands.wall)
            try letTimeBeNoted(stage)
            if minutes == installed { try stage.install(second) }
            try letTimeBeNoted(stage)
        }
        try live.hearAll(hub, through: stage.ledger.figures.seq)
        let told = live.messages
        try #require(told.count { $0["cause"] == "clock" } == ends.count)
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        var chronicle = try Chronicle(of: user, reader)
        let turns = try chronicle.turns(until: stage.now, after: from).filter(\.isVisible)
        let moments = turns.map { ($0.at.milliseconds - start - month) / minute }
        try #require(moments == ends)
        let late = Listener()
        try late.join(hub, from: from)
        #expect(late.heard(told.count) == told)
    }

    private static let minute: Int64 = 60_000
    private static let month = 30 * 24 * hour

    /// The store's word that a subscription is a user's, or what it pays in a later month; or that
    /// a pass is, whose end the catalog names.
    private static func purchase(
        _ number: Int64 = 1,
        by user: UserID,
        at signed: Int64,
        isPass: Bool = false
    ) -> Command.Kind {
        let digest = Digest256(UInt64(signed), 0, 0, 0)
        var bought = TransactionFact(
            id: "\(number)",
            version: Version(signed: Moment(signed), digest: digest),
            productID: isPass ? "pass" : "premium",
            purchased: Moment(start + (number - 1) * month)
        )
        bought.kind = isPass ? "Non-Renewing Subscription" : "Auto-Renewable Subscription"
        if !isPass { bought.expires = Moment(start + number * month) }
        bought.token = YearOfLife.token(user)
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: "1")
        return .record(
            Notification(
                id: NotificationID(signed: Moment(signed), digest: digest),
                type: "",
                subtype: "",
                document: digest,
                facts: [Fact(key: key, transaction: bought)]
            )
        )
    }

    /// Each history tells the same, and has no gaps but where a catalog was installed.
    private static func expectHistories(
        _ told: [JSONValue],
        _ stage: Stage,
        _ installed: [Moment],
        _ seed: UInt64
    ) throws {
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        for user in YearOfLife.users.prefix(12) {
            var chronicle = try Chronicle(of: user, reader)
            let turns = try chronicle.turns(until: stage.now)
            for (turn, next) in zip(turns, turns.dropFirst()) {
                // Whether two renew may end with time alone, and nothing else changes then.
                var (left, right) = (turn.after.status, next.before.status)
                (left["duplicateSubscriptions"], right["duplicateSubscriptions"]) = (nil, nil)
                let isGapless =
                    installed.contains { turn.at < $0 && $0 <= next.at }
                    || left.isEqualStatus(to: right)
                let texts = "\(turn.after.status.text)\n\(next.before.status.text)"
                try #require(isGapless, "seed \(seed), after \(turn.seq): \(texts)")
                try #require(turn.seq <= next.seq && turn.at <= next.at)
            }
            let visible = turns.filter(\.isVisible)
            let after = visible.map { turn in
                Self.change(turn.cause.rawValue, turn.after.status)
            }
            let changes = told.filter { !Self.isEvent($0) }
            try #require(after == Self.changes(changes, of: user), "seed \(seed), \(user)")
            let events = turns.compactMap { turn in turn.isVisible ? nil : turn.storeEvent }
            let members = told.filter { Self.isEvent($0) && $0["userId"] == .string("\(user)") }
                .map { message in
                    var object = message.object ?? [:]
                    (object["seq"], object["userId"]) = (nil, nil)
                    return object.text
                }
            try #require(events.map(\.members.text) == members, "seed \(seed), \(user)")
        }
    }

    /// What was told of one user: why, and the status without its position.
    private static func changes(_ messages: [JSONValue], of user: UserID) -> [String] {
        messages.filter { $0["userId"] == .string(user.description) }
            .map { message in
                guard let status = message["status"]?.object else {
                    return message.object?.text ?? ""
                }
                return change(message["cause"]?.string ?? "", status)
            }
    }

    /// Whether it tells what a store said, and not a status.
    private static func isEvent(_ message: JSONValue) -> Bool { message["type"] != nil }

    private static func change(_ cause: String, _ status: JSONObject) -> String {
        var status = status
        status["seq"] = nil
        return "\(cause) \(status.text)"
    }

    private static func isOfCreditsAlone(_ message: JSONValue) -> Bool {
        message["cause"] == "clock" && message["status"]?["state"] == "free_with_credits"
    }

    /// Commands that do nothing, until the writer has nothing more to note before one.
    static func letTimeBeNoted(_ stage: Stage) throws {
        var quiet = 0
        while quiet < 4 {
            let seq = stage.ledger.figures.seq
            try stage.order(
                .endReservation(ReservationEnd(id: 1 << 52, kind: .released, amount: nil))
            )
            quiet = stage.ledger.figures.seq == seq ? quiet + 1 : 0
        }
    }
}

extension JSONObject {
    /// As compact JSON.
    fileprivate var text: String { String(decoding: JSONValue.object(self).bytes, as: UTF8.self) }
}
