import Entitlements
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

    private func lease(_ number: Int) throws -> Command.Kind {
        let user = try user("user \(number)")
        let charge = Charge(
            user: user,
            amount: 1,
            key: IdempotencyKey(user: user, digest: digest(2)),
            fingerprint: digest(2)
        )
        return .reserve(ReservationOrder(charge: charge, milliseconds: day, isLease: true))
    }
}
