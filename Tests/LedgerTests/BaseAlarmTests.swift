import Entitlements
import Glibc
import Journal
import TestSupport
import Testing

@testable import Ledger

/// Alarms of the base: a purchase that is renewed each month leaves none behind.
struct BaseAlarmTests {
    private static let users = 20
    private static let months: Int64 = 8

    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func opened() throws -> Ledger {
        try open(scratch.store, clock: hands.clock, segmentBytesMax: 8 << 10)
    }

    /// Gives the writer something to do, which first tells what is due.
    private func nudge(_ ledger: Ledger) throws {
        _ = try ledger.say(.revokeGrant(.init(user: try user("nobody"), grant: 0, reason: "")))
    }

    /// Everybody buys a month and renews it a day before its end; one user less each month.
    private func live(_ ledger: Ledger) throws {
        for number in 0..<Self.users { _ = try ledger.order(registration(number)) }
        for month in 0..<Self.months {
            for number in Int(month)..<Self.users {
                var fact = purchase(number, from: hands.wall, token: try token(number))
                fact.transaction?.id += "\(month)"
                _ = try ledger.order(.learn([fact]))
            }
            // A day before the end comes the next renewal, from then on.
            for days in [2, 27] as [Int64] {
                hands.advance(days * day)
                try nudge(ledger)
            }
        }
        try nudge(ledger)
        try ledger.checkpointer.settle()
    }

    private func baseAlarms() throws -> [Tick.Passing] {
        let rows = try storedRows(scratch.store + "/base")
        return try #require(rows[.alarms]).keys.map { try AlarmRow.key(of: $0) }
    }

    /// How often each user was told of an end.
    private func told() throws -> [UserID: Int] {
        var found: [UserID: Int] = [:]
        let journal = scratch.store + "/journal"
        let first = try SegmentReader(directory: journal).firstSeq()
        _ = try Segments.readEach(directory: journal, afterSeq: first - 1) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                guard case .passed(let tick) = event else { continue }
                for passing in tick.passings { found[passing.user, default: 0] += 1 }
            }
        }
        return found
    }

    @Test func `a base keeps no alarms that were examined, and loses none that are to come`() throws
    {
        let ledger = try opened()
        try live(ledger)
        #expect(try told().count == Int(Self.months) - 1)
        guard case .pruned = try ledger.prune(olderThan: Moment(hands.wall), reserveBytes: 0) else {
            Issue.record("nothing was pruned")
            return
        }
        let left = try told()
        ledger.stop()
        let alarms = try baseAlarms()
        #expect(alarms.count <= 2 * Self.users)
        #expect(Set(alarms.map(\.user)).count >= Self.users - Int(Self.months))
        try expectClean(scratch.store)

        // Views that are made from the base tell each later end, and each once.
        unlink(scratch.store + "/data.mdb")
        let again = try opened()
        for _ in 0..<40 {
            hands.advance(day)
            try nudge(again)
        }
        again.stop()
        try expectClean(scratch.store)
        let now = try told()
        for number in Int(Self.months)..<Self.users {
            let user = try user("user \(number)")
            #expect((now[user] ?? 0) - (left[user] ?? 0) == 1, "\(user)")
        }
        for number in 0..<Int(Self.months) - 1 {
            let user = try user("user \(number)")
            #expect(now[user] == left[user], "\(user)")
        }
    }
}
