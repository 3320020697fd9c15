import Chance
import Entitlements
import JSON
import Testing

@testable import Ledger
@testable import Methods

/// What the past is said to have been is what was said when it was the present.
struct PastTests {
    private static let records = 10_000
    private static let year = 365 * YearOfLife.day
    private static let start: Int64 = 1_750_000_000_000

    /// What was answered once.
    private struct Record {
        let at: Moment
        let status: JSONValue
        let explanation: JSONValue
    }

    @Test(arguments: [MilestonePace(), .quick])
    func `explain at a past moment says what was said then`(_ pace: MilestonePace) throws {
        let seed = Seed.told()
        let stage = try Stage(startingAt: Self.start, milestones: pace)
        let records = try Self.live(on: stage, records: Self.records / 2, seed)
        var states: Set<String> = []
        for (user, records) in records {
            try Self.expectSame(user, records, stage, seed)
            states.formUnion(records.compactMap { $0.explanation["rule"]?.string })
        }
        let common: Set = [
            "no_account", "never_subscribed", "paid", "grant", "credits", "expired",
        ]
        #expect(states.isSuperset(of: common), "\(states)")
    }

    @Test func `behind a pruning the past is what it was, and before it is not told`() throws {
        let seed = Seed.told()
        let stage = try Stage(
            startingAt: Self.start,
            segmentBytesMax: 16 << 10,
            milestones: .quick
        )
        let records = try Self.live(on: stage, records: 2_000, seed)
        let end = stage.now
        // Time is noted behind a command, some of it each time, until nothing is left to note.
        let nothing = GrantRevocation(user: YearOfLife.users[0], grant: 0, reason: "")
        var seq: UInt64
        repeat {
            seq = stage.ledger.figures.seq
            for _ in 0..<3 { try stage.order(.revokeGrant(nothing)) }
        } while stage.ledger.figures.seq != seq
        let before = try Self.turns(until: end, stage)
        let middle = Moment((Self.start + end.milliseconds) / 2)
        try stage.ledger.checkpointer.settle()
        let report = try stage.ledger.prune(olderThan: middle)
        guard case .pruned(_, let border) = report else {
            Issue.record("\(report)")
            return
        }
        for (user, records) in records {
            try Self.expectSame(user, records, stage, seed, from: border.at)
        }
        let kept = before.mapValues { turns in
            turns.filter { $0.seq > border.seq || $0.at > border.at }
        }
        let after = try Self.turns(until: end, stage)
        for user in YearOfLife.users {
            // What time did up to the first thing heard is walked through from another start: a
            // catalog that came between may part it otherwise.
            let (left, right) = (
                (kept[user] ?? []).drop { $0.cause == .clock },
                (after[user] ?? []).drop { $0.cause == .clock }
            )
            try #require(left.map(\.seq) == right.map(\.seq), "seed \(seed), \(user)")
            for (one, other) in zip(left, right) {
                #expect(one.at == other.at && one.cause == other.cause, "seed \(seed), \(user)")
                #expect(Self.status(one.before) == Self.status(other.before), "seed \(seed)")
                #expect(one.after.status == other.after.status, "seed \(seed), \(user)")
            }
        }
    }

    private static func turns(
        until end: Moment,
        _ stage: Stage
    ) throws -> [UserID: [Chronicle.Turn]] {
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        var turns: [UserID: [Chronicle.Turn]] = [:]
        for user in YearOfLife.users {
            var chronicle = try Chronicle(of: user, reader)
            turns[user] = try chronicle.turns(until: end)
        }
        return turns
    }

    /// Two years of a story, and what was said now and then.
    private static func live(
        on stage: Stage,
        records count: Int,
        _ seed: UInt64
    ) throws -> [UserID: [Record]] {
        var random = SplitMix64(seed: seed)
        var story = YearOfLife(SplitMix64(seed: ~seed))
        try stage.install(story.catalog())
        var records: [UserID: [Record]] = [:]
        var recorded = 0
        var commands = 0
        while recorded < count {
            stage.pass(Int64(random.pick(Int(2 * Self.year) / (count * 6 / 5))) + 1)
            if random.isOne(in: 1_000) { try stage.install(story.catalog()) }
            if random.isOne(in: 6) {
                let kind = story.command(at: stage.now)
                story.heard(try stage.order(kind).outcome, of: kind)
                commands += 1
            } else {
                let user = random.pick(YearOfLife.users)
                records[user, default: []].append(try Self.record(user, stage))
                recorded += 1
            }
        }
        print(
            "\(commands) commands in \((stage.now.milliseconds - Self.start) / YearOfLife.day) days"
        )
        return records
    }

    private static func record(_ user: UserID, _ stage: Stage) throws -> Record {
        let reader = try LedgerReader(stage.ledger)
        defer { reader.rest() }
        let view = try StatusView(of: user, reader, at: stage.now, whole: true)
        return Record(at: stage.now, status: Self.status(view), explanation: Self.explanation(view))
    }

    private static func expectSame(
        _ user: UserID,
        _ records: [Record],
        _ stage: Stage,
        _ seed: UInt64,
        from oldest: Moment = .distantPast
    ) throws {
        let reader = try LedgerReader(stage.ledger)
        try reader.wake()
        defer { reader.rest() }
        // One walk along all records, and walks to some of them alone, as a caller would ask.
        var walk = try Chronicle(of: user, reader)
        for (number, record) in records.enumerated() {
            if record.at < oldest {
                #expect(throws: LedgerFailure.gone(oldest: oldest)) {
                    _ = try walk.view(at: record.at)
                }
                continue
            }
            var views = [try walk.view(at: record.at)]
            if number % 20 == 0 {
                var alone = try Chronicle(of: user, reader)
                views.append(try alone.view(at: record.at))
            }
            for view in views {
                let place = "seed \(seed), \(user) at \(record.at.milliseconds)"
                try #require(Self.status(view) == record.status, "\(place)")
                try #require(Self.explanation(view) == record.explanation, "\(place)")
            }
        }
    }

    /// Without the position: then it was that of the newest entry, later that of the last one that
    /// bears on the user.
    private static func status(_ view: StatusView) -> JSONValue {
        var status = view.status
        status["seq"] = nil
        return .object(status)
    }

    private static func explanation(_ view: StatusView) -> JSONValue {
        var explanation = Explanation(view).object
        explanation["seq"] = nil
        explanation["status"] = nil
        return .object(explanation)
    }
}
