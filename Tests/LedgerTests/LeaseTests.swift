import Entitlements
import Glibc
import TestSupport
import Testing

@testable import Ledger

/// What is held for a connection returns when the daemon starts again.
struct LeaseTests {
    @Test func `every lease returns, also of more than the queue holds, oldest first`() throws {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        let count = LedgerLimits.queueCommandsMax + 100
        let half = count / 2
        let numbers = Array(0..<count)
        for part in [numbers[..<half], numbers[half...]] {
            try ledger.orderTogether(part.map { try credit($0) })
            try ledger.orderTogether(part.map { try lease($0) })
        }
        #expect(try ledger.look { try $0.rows(of: .leases, count: 2 * count) }.count == count)
        ledger.stop()

        ledger = try open(scratch.store)
        // Whatever is asked first finds them returned.
        let receipt = try ledger.order(try credit(count))
        #expect(try ledger.look { try $0.rows(of: .leases, count: 1) }.isEmpty)
        var ends: [UInt64] = []
        for number in numbers {
            let account = try #require(try ledger.account(try user("user \(number)")))
            #expect(account.purse.balance(at: receipt.at) == 1)
            ends.append(account.lastSeq)
        }
        #expect(ends == ends.sorted())
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a lease that cannot end for a full queue ends all the same`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        try ledger.order(try credit(0))
        let id = try reserved(0, in: ledger)
        // The writer stands still, and the queue takes nothing more.
        let gate = try Gate(ledger)
        let refused = Notebook<LedgerFailure>()
        for number in 1...LedgerLimits.queueCommandsMax + 1 {
            ledger.submit(try credit(number)) { said in
                if case .failure(let failure) = said { refused.note(failure) }
            }
        }
        #expect(refused.notes.contains(.overloaded))
        ledger.endLeases([id])
        gate.open()
        try expectReturned(id, in: ledger)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a lease that cannot end while the clock is doubted ends afterwards`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let ledger = try open(scratch.store, clock: hands.clock)
        try ledger.order(try credit(0))
        let id = try reserved(0, in: ledger)
        hands.jump(2 * LedgerLimits.clockJumpMilliseconds)
        #expect(failure { try ledger.order(try credit(1)) } == .notReady)
        ledger.endLeases([id])
        #expect(failure { try ledger.order(try credit(1)) } == .notReady)
        #expect(try ledger.look { try $0.rows(of: .leases, count: 1) }.count == 1)
        hands.advance(LedgerLimits.clockHoldMilliseconds + 1)
        try expectReturned(id, in: ledger)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `leases that cannot end on a full disk end when there is room`() throws {
        guard let disk = try SmallDisk(bytes: 6 << 20) else { return }
        let ledger = try open(disk.path + "/store")
        // So many that their ends need more room than is left where the least does not fit.
        let count = LedgerLimits.groupCommandsMax
        try ledger.orderTogether(try (0..<count).map { try credit($0) })
        let ids = try (0..<count).map { try reserved($0, in: ledger) }
        try disk.fill()
        var number = count
        while failure({ try ledger.order(try credit(number)) }) == nil, number < 100_000 {
            number += 1
        }
        #expect(failure { try ledger.order(try credit(number)) } == .storageFull)
        ledger.endLeases(ids)
        #expect(failure { try ledger.order(try credit(number)) } == .storageFull)
        #expect(try ledger.look { try $0.rows(of: .leases, count: count) }.count == count)
        disk.empty()
        try expectReturned(ids[0], in: ledger)
        ledger.stop()
    }

    @Test func `an id is given once`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        for number in 0..<2 { try ledger.order(try credit(number)) }
        let id = try reserved(0, in: ledger)
        let outcome = try ledger.order(try lease(1, id: id)).outcome
        #expect(outcome == .idTaken)
        #expect(try ledger.account(try user("user 1"))?.purse.holds == [])
        ledger.stop()
    }

    @Test func `a row without host and epoch is of this host, and those of others stay held`()
        throws
    {
        let scratch = try Scratch()
        let user = try user("user 0")
        let old = try LeaseRow(key: Array("r7".utf8), value: ByteWriter.bytes { $0.user(user) })
        #expect(old.record == Lease(user: user, holder: LeaseHolder(host: "", epoch: 0)))
        var ledger = try open(scratch.store)
        for number in 0..<3 { try ledger.order(try credit(number)) }
        try ledger.order(try lease(0))
        let holder = LeaseHolder(host: "host-b", epoch: 3)
        let reservation = try ledger.order(try lease(1, by: holder)).outcome
        guard case .reserved(.reserved, let id?, _, nil) = reservation else {
            Issue.record("\(reservation)")
            return
        }
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = scratch.path + "/rebuilt"
        #expect(
            differences(try storedRows(scratch.store), try rebuiltRows(scratch.store, in: rebuilt))
                == []
        )
        // A start ends the holds of its own connections.
        ledger = try open(scratch.store)
        try ledger.order(try credit(3))
        let rows = try ledger.look { try $0.rows(of: .leases, count: 9) }
        let other = Lease(user: try LedgerTests.user("user 1"), holder: holder)
        #expect(rows.map(\.value) == [.lease(id, other)])
        ledger.stop()
        try expectClean(scratch.store)
    }

    private func reserved(_ number: Int, in ledger: Ledger) throws -> UInt64 {
        let outcome = try ledger.order(try lease(number)).outcome
        guard case .reserved(.reserved, let id?, _, nil) = outcome else {
            Issue.record("\(outcome)")
            return 0
        }
        return id
    }

    /// Waits until the reservation `id` has ended and its credits are back, for 10 s at most.
    private func expectReturned(_ id: UInt64, in ledger: Ledger) throws {
        for _ in 0..<1_000 {
            if try ledger.look({ try $0.rows(of: .leases, count: 1) }).isEmpty { break }
            usleep(10_000)
        }
        #expect(try ledger.look { try $0.rows(of: .leases, count: 1) }.isEmpty)
        let account = try #require(try ledger.account(try user("user 0")))
        #expect(account.purse.holds.isEmpty)
        let row = try ledger.look { try $0.row(Array("r\(id)".utf8), of: .reservations) }
        guard case .reservation(_, let reservation)? = row?.value else {
            Issue.record("no reservation \(id)")
            return
        }
        #expect(reservation.ending?.kind == .disconnected)
    }

    private func credit(_ number: Int) throws -> Command.Kind {
        let user = try user("user \(number)")
        return .credit(
            CreditOrder(
                user: user,
                amount: 1,
                key: IdempotencyKey(user: user, digest: digest(1)),
                fingerprint: digest(1),
                until: nil,
                source: "gift",
                reason: "",
                isAdjustment: false
            )
        )
    }

    private func lease(
        _ number: Int,
        id: UInt64? = nil,
        by holder: LeaseHolder = .here
    ) throws -> Command.Kind {
        let user = try user("user \(number)")
        let charge = Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(2)),
            fingerprint: digest(2)
        )
        return .reserve(
            ReservationOrder(
                charge: charge,
                milliseconds: day,
                isLease: true,
                by: holder,
                id: id ?? Limits.positionMax + 1 + UInt64(number)
            )
        )
    }
}
