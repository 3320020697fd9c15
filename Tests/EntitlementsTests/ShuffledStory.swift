import Chance
import Entitlements
import Fixtures
import Testing

/// One story, told in many orders.
struct ShuffledStory {
    private let seed: UInt64
    private let story: RandomStory
    private let fold: PlainFold
    private let commands: [Command.Kind]
    private let blank: Desk
    private let policy: Policy
    private let start: Int64
    private let end: Int64

    init(seed: UInt64) {
        self.seed = seed
        story = RandomStory(seed: seed)
        fold = PlainFold(story)
        policy = Policy(story.source, numbering: Numbering(names: RandomStory.products))
        var commands = story.others
        for (index, fact) in story.facts.enumerated() {
            commands.append(.record(Self.notification(of: fact, index)))
        }
        self.commands = commands
        blank = Self.desk(for: commands, story)
        let moments = fold.breakpoints
        start = (moments.first?.milliseconds ?? 0) - RandomStory.day
        end = moments.last?.milliseconds ?? 0
    }

    /// Tells the story in at least so many orders, and compares where each ends; says how many.
    ///
    /// Five orders at a time begin alike and then go their own ways: each is told to its end, but
    /// the common beginning is told once.
    func play(orders: Int) -> Int {
        var random = SplitMix64(seed: ~seed)
        // The last arrival may come before what the facts announce, or long after.
        let final = Moment(start + Int64(random.pick(0..<1001)) * (end - start) / 1000)
        var first = blank
        open(&first)
        tell(commands[...], of: commands.count, on: &first, by: final)
        compareWithFold(first, from: final)
        let expected = refreshed(first, at: final)
        var count = 1
        while count < orders {
            var order = commands
            for _ in 0..<random.pick(0..<4) { order.append(duplicate(&random)) }
            shuffle(&order[...], &random)
            let fork = order.count * 7 / 10
            var common = blank
            open(&common)
            tell(order[..<fork], of: order.count, on: &common, by: final)
            for _ in 0..<5 {
                shuffle(&order[fork...], &random)
                var desk = common
                tell(order[fork...], of: order.count, on: &desk, by: final)
                if count == 1 { compareWithFold(desk, from: final) }
                compare(refreshed(desk, at: final), expected)
                count += 1
            }
        }
        return count
    }

    private static func notification(of fact: Fact, _ index: Int) -> Notification {
        let digest = Digest256(0, 0, 0, UInt64(index))
        return Notification(
            id: NotificationID(signed: Moment(Int64(index)), digest: digest),
            type: "",
            subtype: "",
            document: digest,
            facts: [fact]
        )
    }

    /// A desk on which it is known that nothing is there yet.
    private static func desk(for commands: [Command.Kind], _ story: RandomStory) -> Desk {
        var desk = Desk(numbering: Numbering(names: RandomStory.products))
        for user in story.users { desk.accounts.lay(nil, at: user) }
        for token in story.tokens { desk.tokens.lay(nil, at: token) }
        for key in story.keys { desk.subscriptions.lay(nil, at: key) }
        for case .record(let notification) in commands {
            desk.notifications.lay(nil, at: notification.id)
            var again = notification.id
            again = NotificationID(signed: .distantPast, digest: again.digest)
            desk.notifications.lay(nil, at: again)
        }
        return desk
    }

    /// One of the commands once more: the same notification, or its documents in a new one.
    private func duplicate(_ random: inout SplitMix64) -> Command.Kind {
        let kind = random.pick(commands)
        guard case .record(let notification) = kind, random.isOne(in: 2) else { return kind }
        let id = NotificationID(signed: .distantPast, digest: notification.id.digest)
        return .record(
            Notification(
                id: id,
                type: "",
                subtype: "",
                document: notification.document,
                facts: notification.facts
            )
        )
    }

    private func shuffle(_ order: inout ArraySlice<Command.Kind>, _ random: inout SplitMix64) {
        for place in stride(from: order.endIndex - 1, to: order.startIndex, by: -1) {
            order.swapAt(place, random.pick(order.startIndex..<place + 1))
        }
    }

    /// Tells what comes before everything else.
    private func open(_ desk: inout Desk) {
        for kind in story.openings {
            let command = Command(seq: 0, at: Moment(start), kind: kind)
            for event in command.ruling(on: desk, under: policy).events {
                desk.absorb(event, at: command.at, seq: 0)
            }
        }
    }

    /// Tells these commands, of `count` that arrive one after the other until `final`.
    private func tell(
        _ part: ArraySlice<Command.Kind>,
        of count: Int,
        on desk: inout Desk,
        by final: Moment
    ) {
        let step = (final.milliseconds - start) / Int64(count)
        for index in part.indices {
            let moment = Moment(start + Int64(index + 1) * step)
            let seq = UInt64(index + 1)
            let command = Command(seq: seq, at: moment, kind: part[index])
            for event in command.ruling(on: desk, under: policy).events {
                desk.absorb(event, at: moment, seq: seq)
            }
        }
    }

    /// The desk after a fact without content about each subscription: nothing is learned, but what
    /// the accounts say of it is brought up to `moment`.
    private func refreshed(_ desk: Desk, at moment: Moment) -> Desk {
        var desk = desk
        for key in story.keys {
            desk.absorb(.merged(Fact(key: key)), at: moment, seq: 1 << 32)
        }
        return desk
    }

    private func compare(_ desk: Desk, _ expected: Desk) {
        for key in story.keys {
            var (left, right) = (desk.subscriptions[key], expected.subscriptions[key])
            // How many entries there were is no fact.
            left?.since = 0
            right?.since = 0
            guard left != right else { continue }
            Issue.record("seed \(seed): subscription \(key.originalID) depends on the order")
        }
        for user in story.users {
            let (left, right) = (desk.accounts[user], expected.accounts[user])
            let isEqual =
                left?.answer == right?.answer && left?.subscriptions == right?.subscriptions
                && left?.tokens == right?.tokens && (left == nil) == (right == nil)
            if !isEqual {
                Issue.record("seed \(seed): the account of \(user) depends on the order")
            }
        }
        for token in story.tokens where desk.tokens[token] != expected.tokens[token] {
            Issue.record("seed \(seed): the user of a token depends on the order")
        }
    }

    /// Holds the accounts, as they lie, against the plain fold, at every later moment.
    private func compareWithFold(_ desk: Desk, from now: Moment) {
        let later = fold.breakpoints.filter { $0 > now }
        let around = later.flatMap {
            [$0.advanced(byMilliseconds: -1), $0, $0.advanced(byMilliseconds: 1)]
        }
        let moments = [now] + around.filter { $0 > now }
        for one in fold.folded where desk.subscriptions[one.key]?.owner != one.owner {
            Issue.record("seed \(seed): \(one.key.originalID) has another owner")
        }
        for user in story.users {
            guard let account = desk.accounts[user] else { continue }
            if account.answer.flags.contains(.hadSubscription) != fold.hadSubscription(user, story)
            {
                Issue.record("seed \(seed): hadSubscription of \(user)")
            }
            // From the last moment to the first, so that the next change is known.
            var next: (moment: Moment, verdict: PlainFold.Verdict)?
            var change: Moment?
            for moment in moments.reversed() {
                let verdict = fold.verdict(on: user, credits: account.answer.credits, at: moment)
                if let next, next.verdict.differsVisibly(from: verdict) { change = next.moment }
                next = (moment, verdict)
                guard isSame(account, verdict, at: moment, nextChange: change) else { return }
            }
        }
    }

    private func isSame(
        _ account: Account,
        _ verdict: PlainFold.Verdict,
        at moment: Moment,
        nextChange: Moment?
    ) -> Bool {
        let decision = account.answer.decision(
            ofCost: 1,
            at: moment,
            under: policy,
            sandboxes: policy.sandboxes(of: account.user)
        )
        var met = PlainFold.Verdict()
        met.canRender = decision.canRender
        met.via = decision.via
        met.state = decision.state
        met.reason = decision.reason
        met.status = decision.status
        met.hasAccess = decision.hasAccess
        met.plan = policy.plans[decision.plan].name
        if case .slot(let index) = decision.shown {
            met.shown = account.subscriptions[Int(account.answer.slots[index].ordinal)]
        }
        if met != verdict {
            Issue.record("seed \(seed) at \(moment): \(met) is not \(verdict)")
        }
        if decision.nextChange != nextChange {
            Issue.record("seed \(seed) at \(moment): \(decision) changes at \(nextChange as Any)")
        }
        return met == verdict && decision.nextChange == nextChange
    }
}
