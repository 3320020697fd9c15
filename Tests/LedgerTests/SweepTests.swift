import Entitlements
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// Rows that answer nothing any more are taken away, and nothing that is asked notices.
struct SweepTests {
    private let hands = HandClock()
    private let scratch: Scratch
    private let source = WholeStore.shop()

    init() throws { scratch = try Scratch() }

    private func charge(_ amount: Int64, key: Int) throws -> Command.Kind {
        let user = try user("fred")
        return .charge(
            Charge(
                user: user,
                amount: amount,
                key: IdempotencyKey(user: user, digest: digest(key)),
                fingerprint: digest(1)
            )
        )
    }

    private func reservation(_ key: Int, days: Int64, of name: String) throws -> Command.Kind {
        let user = try user(name)
        let charge = Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(key)),
            fingerprint: digest(key)
        )
        return .reserve(
            ReservationOrder(
                charge: charge,
                milliseconds: days * day,
                isLease: false,
                id: drawnID()
            )
        )
    }

    private func rows(_ directory: String? = nil) throws -> (settlements: Int, reservations: Int) {
        let rows = try storedRows(directory ?? scratch.store)
        return (rows[.settlements]?.count ?? 0, rows[.reservations]?.count ?? 0)
    }

    /// Refusals, whose answers are rows, and three reservations: one that is ended, one that ends
    /// by itself, and one that holds.
    private func fill(_ ledger: Ledger) throws {
        try ledger.order(WholeStore.credits("fred"))
        try ledger.order(WholeStore.credits("gus"))
        for key in 1_000..<1_300 { try ledger.order(charge(1_000, key: key)) }
        let reserved = try ledger.order(reservation(2_000, days: 1, of: "fred"))
        try ledger.order(reservation(2_001, days: 1, of: "fred"))
        try ledger.order(reservation(2_002, days: 400, of: "gus"))
        guard case .reserved(.reserved, let id?, _, nil) = reserved.outcome else {
            Issue.record("\(reserved.outcome)")
            return
        }
        try ledger.order(.endReservation(ReservationEnd(id: id, kind: .released)))
        try ledger.checkpointer.settle()
    }

    /// Five refusals, each with a checkpoint that goes on where the one before ended.
    private func checkpointOften(_ ledger: Ledger, from first: Int = 4_000) throws {
        for key in first..<first + 5 {
            try ledger.order(charge(1_000, key: key))
            try ledger.checkpointer.settle()
        }
    }

    @Test func `first answers and reservations go once nobody can ask for them`() throws {
        var ledger = try open(scratch.store, clock: hands.clock, source: source)
        try fill(ledger)
        ledger.stop()
        #expect(try rows() == (300, 3))
        hands.advance(29 * day)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        for key in 3_000..<3_010 { try ledger.order(charge(1_000, key: key)) }
        ledger.stop()
        // The first of these met the end of a reservation: its answer stands with the account.
        #expect(try rows() == (309, 3), "within 30 days everything stays")
        hands.advance(2 * day)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        try checkpointOften(ledger)
        try ledger.checkpointer.settle()
        #expect(try ledger.storedRows()[.settlements]?.count == 314, "the clock may be wrong")
        hands.advance(day)
        try checkpointOften(ledger, from: 5_000)
        ledger.stop()
        #expect(try rows() == (19, 1), "what holds stays")
        try expectClean(scratch.store)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        // What was settled so long ago is decided anew.
        let again = try ledger.order(charge(10, key: 1_000))
        #expect(again.outcome == .charged(.consumed, remaining: 0, replay: nil))
        ledger.stop()
        #expect(try rows() == (19, 1))
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `a notification is known again for 180 days, and its row goes after them`() throws {
        var ledger = try open(scratch.store, clock: hands.clock, source: source)
        let signed = hands.wall
        let bought = purchase(1, from: signed, token: try token(0))
        let sent = notification(1, signed: signed, [bought])
        #expect(try ledger.order(sent).outcome == .recorded(.applied))
        hands.advance(180 * day - 1)
        #expect(try ledger.order(sent).outcome == .recorded(.duplicate))
        // Or the next start finds its clock far ahead of the journal.
        try ledger.order(try registration(7))
        try ledger.checkpointer.settle()
        ledger.stop()
        #expect(try storedRows(scratch.store)[.notifications]?.count == 1)
        hands.advance(2)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        // The signing time says nothing of when it was here: another of that day is new.
        let late = notification(2, signed: signed, [purchase(2, from: signed, token: nil)])
        #expect(try ledger.order(late).outcome == .recorded(.applied))
        #expect(try ledger.order(late).outcome == .recorded(.duplicate))
        try ledger.checkpointer.settle()
        #expect(try ledger.look { try $0.rows(of: .notifications, count: 10) }.count == 1)
        #expect(try ledger.order(sent).outcome == .recorded(.stale))
        #expect(try ledger.order(sent).outcome == .recorded(.duplicate), "it is known anew")
        ledger.stop()
        #expect(try storedRows(scratch.store)[.notifications]?.count == 2)
        try expectClean(scratch.store)
    }

    @Test func `the base is swept as the views are`() throws {
        var ledger = try open(
            scratch.store,
            clock: hands.clock,
            source: source,
            segmentBytesMax: WriterBench.smallLimits.segmentBytesMax
        )
        try fill(ledger)
        for month in 1...6 {
            hands.advance(31 * day)
            for key in 0..<100 { try ledger.order(charge(1_000, key: month * 10_000 + key)) }
        }
        let edge = Moment(hands.wall - 20 * day)
        try ledger.checkpointer.settle()
        let report = try ledger.prune(olderThan: edge, reserveBytes: 0)
        guard case .pruned = report else {
            Issue.record("\(report)")
            return
        }
        ledger.stop()
        let base = try storedRows(scratch.store + "/base")
        #expect((base[.settlements]?.count ?? 0) < 300)
        try expectClean(scratch.store)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a row that is damaged stays to be found`() throws {
        var ledger = try open(scratch.store, clock: hands.clock, source: source)
        try fill(ledger)
        ledger.stop()
        let key = SettlementRow.bytes(
            of: IdempotencyKey(user: try user("fred"), digest: digest(1_000))
        )
        try tamper(scratch.store) { views, transaction in
            try transaction.put([1, 2, 3, 4, 5], for: key, in: views.table(.settlements))
        }
        hands.advance(40 * day)
        ledger = try open(scratch.store, clock: hands.clock, source: source)
        hands.advance(LedgerLimits.clockBelievedMilliseconds)
        try checkpointOften(ledger)
        ledger.stop()
        let left = try storedRows(scratch.store)[.settlements] ?? [:]
        #expect(left.count == 5 && left[key] == [1, 2, 3, 4, 5])
    }
}
