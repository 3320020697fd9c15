import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// What a clock that was ahead has judged removes nothing from views that are rebuilt.
struct ReplayedAgeTests {
    private let scratch: Scratch
    private let hands = HandClock()

    init() throws { scratch = try Scratch() }

    private func charge(_ key: Int) throws -> Command.Kind {
        let user = try user("user 1")
        let key = IdempotencyKey(user: user, digest: digest(key))
        return .charge(Charge(user: user, amount: 1, key: key, fingerprint: digest(1)))
    }

    @Test func `a rebuild keeps the keys of charges though entries were judged 40 days ahead`()
        throws
    {
        var limits = CheckpointLimits()
        limits.changesMax = 200
        var source = tariff()
        source.plans?[0].products = []
        var ledger = try open(
            scratch.store,
            clock: hands.clock,
            source: source,
            checkpoints: limits
        )
        try ledger.order(try registration(1))
        try ledger.order(try gift(1_000, to: "user 1", key: 5))
        for key in 100..<400 { try ledger.order(try charge(key)) }
        try ledger.checkpointer.settle()
        hands.jump(40 * day)
        _ = try ledger.say(try registration(7))
        hands.advance(6_000)
        for number in 1_000..<3_600 { _ = try ledger.say(try registration(number)) }
        hands.jump(-40 * day)
        _ = try ledger.say(try registration(8))
        hands.advance(6_000)
        try ledger.order(try registration(9))
        try ledger.checkpointer.settle()
        let kept = try ledger.storedRows()[.settlements]?.count
        ledger.stop()
        var options = options(scratch.store, clock: hands.clock, checkpoints: limits)
        options.allowsClockBehind = true
        #expect(try Ledger.verify(options).differences == [])
        _ = try Ledger.rebuild(options, under: source)
        ledger = try open(scratch.store, clock: hands.clock, source: source, checkpoints: limits)
        #expect(try ledger.storedRows()[.settlements]?.count == kept)
        for key in 100..<400 {
            guard case .charged(_, _, let replay) = try ledger.order(try charge(key)).outcome else {
                Issue.record("\(key) is no charge")
                continue
            }
            #expect(replay != nil, "\(key)")
        }
        ledger.stop()
    }
}
