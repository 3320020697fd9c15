import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

/// A clock that was once ahead leaves the journal's moment ahead; what is decided after is judged
/// by the clock.
struct ClockAheadTests {
    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func opened(_ notices: Notebook<LedgerNotice> = Notebook()) throws -> Ledger {
        try open(scratch.store, clock: hands.clock, notices: notices, allowsClockBehind: true)
    }

    private func credits(_ amount: Int64, key: Int, until: Int64? = nil) throws -> Command.Kind {
        let user = try user("ann")
        return .credit(
            CreditOrder(
                user: user,
                amount: amount,
                key: IdempotencyKey(user: user, digest: digest(key)),
                fingerprint: digest(1),
                until: until.map { Moment($0) },
                source: "gift",
                reason: "",
                isAdjustment: false
            )
        )
    }

    private func charge(_ amount: Int64, key: Int) throws -> Command.Kind {
        let user = try user("ann")
        let key = IdempotencyKey(user: user, digest: digest(key))
        return .charge(Charge(user: user, amount: amount, key: key, fingerprint: digest(2)))
    }

    private func renders(_ name: String, in ledger: Ledger) throws -> Bool {
        let answer = try ledger.look { try $0.answer(of: try user(name)) }
        let now = Moment(hands.wall)
        return answer?.decision(ofCost: 1, at: now, under: ledger.policy, sandboxes: .all)
            .canRender ?? false
    }

    @Test func `credits, grants and holds are judged by the clock`() throws {
        try scratch.beAhead(of: hands, days: 40)
        let ledger = try opened()
        let start = hands.wall
        try ledger.order(credits(3, key: 1, until: start + 20 * day))
        #expect(try renders("ann", in: ledger))
        var receipt = try ledger.order(charge(1, key: 2))
        #expect(receipt.outcome == .charged(.consumed, remaining: 2, replay: nil))
        #expect(receipt.at == Moment(start + 40 * day), "the order goes on")
        let held = try ledger.order(
            .reserve(
                ReservationOrder(
                    charge: Charge(
                        user: try user("ann"),
                        amount: 2,
                        key: IdempotencyKey(user: try user("ann"), digest: digest(3)),
                        fingerprint: digest(3)
                    ),
                    milliseconds: 60_000,
                    isLease: false,
                    id: drawnID()
                )
            )
        )
        guard case .reserved(.reserved, _?, remaining: 0, replay: nil) = held.outcome else {
            Issue.record("\(String(describing: held.outcome))")
            return
        }
        #expect(try !renders("ann", in: ledger))
        hands.advance(60_000)
        #expect(try renders("ann", in: ledger), "the hold has ended by the clock")
        receipt = try ledger.order(charge(2, key: 4))
        #expect(receipt.outcome == .charged(.consumed, remaining: 0, replay: nil))
        try ledger.order(credits(1, key: 5, until: start + 20 * day))
        hands.advance(20 * day)
        #expect(try !renders("ann", in: ledger))
        receipt = try ledger.order(charge(1, key: 6))
        #expect(receipt.outcome == .charged(.insufficient, remaining: 0, replay: nil))
        try ledger.order(grant("bob", key: 7))
        #expect(try renders("bob", in: ledger), "a grant made now holds now")
        ledger.stop()
        try expectRebuilt()
    }

    @Test func `a first answer is kept while it is 30 days old by the clock`() throws {
        try scratch.beAhead(of: hands, days: 40)
        var ledger = try opened()
        try ledger.order(credits(9, key: 1))
        // More than stand with the account, so that some are rows that could be swept.
        for key in 2..<10 { try ledger.order(charge(1, key: key)) }
        ledger.stop()
        hands.advance(29 * day)
        ledger = try opened()
        hands.advance(day / 2)
        try ledger.order(credits(1, key: 20))
        try ledger.checkpointer.settle()
        for key in 2..<10 {
            guard case .charged(.consumed, _, .some) = try ledger.order(charge(1, key: key)).outcome
            else {
                Issue.record("charge \(key) was decided again")
                return
            }
        }
        ledger.stop()
        try expectRebuilt()
    }

    @Test func `what was swept of while the clock was ahead is nothing`() throws {
        var ledger = try opened()
        try ledger.order(credits(9, key: 1))
        for key in 2..<10 { try ledger.order(charge(1, key: key)) }
        ledger.stop()
        // One start far ahead, and a writer who brings about some checkpoints.
        hands.jump(40 * day)
        let notices = Notebook<LedgerNotice>()
        ledger = try opened(notices)
        #expect(notices.notes.contains(.clockAhead(milliseconds: 40 * day)))
        for number in 0..<20 {
            try ledger.order(try registration(number))
            try ledger.checkpointer.settle()
        }
        ledger.stop()
        hands.jump(-40 * day)
        ledger = try opened()
        for key in 2..<10 {
            guard case .charged(.consumed, _, .some) = try ledger.order(charge(1, key: key)).outcome
            else {
                Issue.record("charge \(key) was decided again")
                return
            }
        }
        ledger.stop()
        try expectRebuilt()
    }

    @Test func `alarms fire by the clock, and those that fired ahead of it fire again`() throws {
        let start = hands.wall
        var ledger = try opened()
        try ledger.order(try registration(1))
        let bought = purchase(1, from: start, token: try token(1))
        try ledger.order(notification(1, signed: start, [bought]))
        ledger.stop()
        // Its end, in 30 days, is told of by the clock that is ahead.
        try scratch.beAhead(of: hands, days: 40)
        #expect(try moments() == [30 * day])
        ledger = try opened()
        // Set while the clock is right: not told of before it comes.
        try ledger.order(credits(1, key: 1, until: start + 20 * day))
        for _ in 0..<3 {
            try ledger.order(.revokeGrant(.init(user: try user("x"), grant: 0, reason: "")))
        }
        #expect(try moments() == [30 * day])
        hands.advance(21 * day)
        for _ in 0..<3 {
            try ledger.order(.revokeGrant(.init(user: try user("x"), grant: 0, reason: "")))
        }
        #expect(try moments() == [30 * day, 20 * day])
        hands.advance(10 * day)
        for _ in 0..<3 {
            try ledger.order(.revokeGrant(.init(user: try user("x"), grant: 0, reason: "")))
        }
        #expect(try moments() == [30 * day, 20 * day, 30 * day])
        ledger.stop()
        try expectRebuilt()

        func moments() throws -> [Int64] {
            var found: [Int64] = []
            _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) {
                entry,
                _ in
                for case .passed(let tick) in try EntryBody.events(of: entry) {
                    found += tick.passings.map { $0.due.milliseconds - start }
                }
            }
            return found
        }
    }

    @Test func `a clock that is set back while the ledger works judges too`() throws {
        let ledger = try opened()
        try ledger.order(credits(1, key: 1, until: hands.wall + 20 * day))
        hands.jump(40 * day)
        #expect(try ledger.say(charge(1, key: 2)) == .failure(.notReady))
        hands.advance(LedgerLimits.clockHoldMilliseconds)
        try ledger.order(try registration(1))
        hands.jump(-40 * day)
        #expect(try ledger.say(charge(1, key: 2)) == .failure(.notReady))
        hands.advance(LedgerLimits.clockHoldMilliseconds)
        #expect(try renders("ann", in: ledger))
        let receipt = try ledger.order(charge(1, key: 2))
        #expect(receipt.outcome == .charged(.consumed, remaining: 0, replay: nil))
        ledger.stop()
        try expectRebuilt()
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `a start more than an hour behind is refused, unless it is allowed`(
        _ more: Int64
    ) throws {
        let first = try opened()
        try first.order(try registration(1))
        let written = hands.wall
        first.stop()
        hands.jump(-LedgerLimits.clockBehindMilliseconds - more)
        let refusal = failure { try open(scratch.store, clock: hands.clock).stop() }
        let expected = LedgerFailure.clockBehind(
            clock: Moment(hands.wall),
            journal: Moment(written)
        )
        #expect(refusal == (more > 0 ? expected : nil))
        let allowed = try opened()
        #expect(allowed.figures.seq == 1)
        try allowed.order(try registration(2))
        allowed.stop()
        // The clock has judged an entry: it is the right one from now on.
        try open(scratch.store, clock: hands.clock).stop()
        try expectRebuilt()
    }

    @Test func `a clock that jumped removes nothing more for a day`() throws {
        let age = AgeClock(hands.clock)
        let start = hands.wall
        #expect(age.now == Moment(start))
        var clock = StampingClock(hands.clock, after: Moment(0), age)
        hands.advance(7)
        hands.jump(40 * day)
        #expect(clock.stamp() == nil)
        #expect(age.now == Moment(start + 7))
        hands.advance(LedgerLimits.clockBelievedMilliseconds - 2)
        hands.jump(40 * day)
        #expect(clock.stamp() == nil, "the second jump begins the day anew, where the first did")
        hands.advance(LedgerLimits.clockBelievedMilliseconds - 1)
        #expect(age.now.milliseconds == start + 7 + 2 * LedgerLimits.clockBelievedMilliseconds - 3)
        hands.advance(1)
        #expect(age.now == Moment(hands.wall))
        hands.jump(-100 * day)
        #expect(clock.stamp() == nil)
        #expect(age.now == Moment(hands.wall), "never after the wall clock")
    }

    @Test func `a start far ahead prunes and sweeps from where the journal was`() throws {
        let first = try opened()
        try first.order(try registration(1))
        let written = hands.wall
        first.stop()
        hands.advance(LedgerLimits.clockAheadMilliseconds)
        let near = try opened()
        #expect(near.age.now == Moment(hands.wall))
        near.stop()
        hands.advance(1)
        let far = try opened()
        #expect(far.age.now == Moment(written))
        hands.advance(LedgerLimits.clockBelievedMilliseconds - 1)
        #expect(far.age.now == Moment(written + LedgerLimits.clockBelievedMilliseconds - 1))
        hands.advance(1)
        #expect(far.age.now == Moment(hands.wall))
        far.stop()
    }

    /// `verify` finds nothing, and the journal alone makes the same rows.
    private func expectRebuilt() throws {
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }
}
