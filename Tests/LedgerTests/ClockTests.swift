import Chance
import Entitlements
import TestSupport
import Testing

@testable import Ledger

struct ClockTests {
    @Test(arguments: [61_000, 86_400_000, -61_000, -86_400_000] as [Int64])
    func `after a jump nothing is taken until the new time has held`(_ jump: Int64) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(scratch.store, clock: hands.clock, notices: notices)
        let first = try ledger.order(try registration(1))
        #expect(first.at == Moment(hands.wall))
        hands.jump(jump)
        #expect(try ledger.say(try registration(2)) == .failure(.notReady))
        #expect(try ledger.putInForce(tariff(), stamp(1)) == .failure(.notReady))
        hands.advance(LedgerLimits.clockHoldMilliseconds - 1)
        #expect(try ledger.say(try registration(2)) == .failure(.notReady))
        #expect(try ledger.account(try user("user 1")) != nil)
        #expect(try ledger.account(try user("user 2")) == nil)
        hands.advance(1)
        let second = try ledger.order(try registration(2))
        #expect(second.at == max(first.at, Moment(hands.wall)))
        #expect(ledger.figures.clockJumps == 1)
        #expect(notices.notes.filter { $0 == .clockJumped }.count == 1)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a jump within the wait begins it anew`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let ledger = try open(scratch.store, clock: hands.clock)
        defer { ledger.stop() }
        try ledger.order(try registration(1))
        hands.jump(600_000)
        #expect(try ledger.say(try registration(2)) == .failure(.notReady))
        hands.advance(4_000)
        hands.jump(-600_000)
        #expect(try ledger.say(try registration(2)) == .failure(.notReady))
        hands.advance(4_000)
        #expect(try ledger.say(try registration(2)) == .failure(.notReady))
        hands.advance(1_000)
        #expect(try ledger.order(try registration(2)).at == Moment(hands.wall))
        #expect(ledger.figures.clockJumps == 2)
    }

    @Test func `the moment of a command never falls, not even across a restart`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var ledger = try open(scratch.store, clock: hands.clock)
        var random = SplitMix64.told()
        var last = Moment.distantPast
        for number in 0..<60 {
            // Small steps of the clock are no jumps.
            hands.jump(Int64(random.pick(-30_000..<30_000)))
            hands.advance(Int64(random.pick(0..<2_000)))
            let receipt = try ledger.order(try registration(number))
            #expect(receipt.at >= last)
            #expect(receipt.at >= Moment(hands.wall))
            last = receipt.at
            guard number % 20 == 19 else { continue }
            ledger.stop()
            hands.jump(-86_400_000)
            ledger = try open(scratch.store, clock: hands.clock, allowsClockBehind: true)
        }
        #expect(ledger.figures.clockJumps == 0)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test(arguments: [0, 60_000, 60_001, 86_400_000] as [Int64])
    func `a start with a clock behind the journal says by how much`(
        _ milliseconds: Int64
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let notices = Notebook<LedgerNotice>()
        var ledger = try open(scratch.store, clock: hands.clock)
        try ledger.order(try registration(0))
        ledger.stop()
        hands.jump(-milliseconds)
        ledger = try open(
            scratch.store,
            clock: hands.clock,
            notices: notices,
            allowsClockBehind: true
        )
        ledger.stop()
        let isTold = milliseconds > LedgerLimits.clockJumpMilliseconds
        #expect(notices.notes == (isTold ? [.clockBehind(milliseconds: milliseconds)] : []))
    }

    @Test func `a jump that only an installation met is told too`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(scratch.store, clock: hands.clock, notices: notices)
        defer { ledger.stop() }
        hands.jump(600_000)
        #expect(try ledger.putInForce(tariff(), stamp(1)) == .failure(.notReady))
        #expect(ledger.figures.clockJumps == 1)
        #expect(notices.notes == [.clockJumped])
    }
}

extension Scratch {
    /// Leaves the store as a daemon does whose clock was ahead for one command.
    func beAhead(of hands: HandClock, days: Int64) throws {
        guard days > 0 else { return }
        hands.jump(days * day)
        let ledger = try open(store, clock: hands.clock)
        try ledger.order(try registration(9_999))
        ledger.stop()
        hands.jump(-days * day)
    }
}
