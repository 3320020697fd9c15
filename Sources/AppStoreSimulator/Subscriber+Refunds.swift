/// What is taken back, or is asked to be.
extension Subscriber {
    /// The money is paid back: REFUND.
    ///
    /// An old period may be refunded while the subscription goes on, and renewal stays as it is.
    /// The reason is 0 for other, 1 for an issue in the app. Of what was bought several at a time
    /// so many `units` may be refunded.
    package mutating func refund(
        _ choice: TransactionChoice = .current,
        reason: Int64 = 0,
        percentage: Int64 = 100,
        units: Int64? = nil,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let transaction = try transaction(choice, at: till.now)
        guard transaction.revocation == nil else {
            throw StoreRefusal("transaction \(transaction.id) is refunded already")
        }
        guard (1...100).contains(percentage) else { throw StoreRefusal("no such percentage") }
        guard (1...transaction.quantity).contains(units ?? 1) else {
            throw StoreRefusal("\(transaction.quantity) were bought, not so many")
        }
        let share = units.map { $0 * 100_000 / transaction.quantity } ?? percentage * 1_000
        let revocation = SimulatedTransaction.Revocation(
            date: till.now,
            reason: reason,
            kind: share == 100_000 ? .fullRefund : .proratedRefund,
            percentage: share
        )
        change(transaction.id) { $0.revocation = revocation }
        return notice(NoticeKind("REFUND"), try self.transaction(transaction.id), till)
    }

    /// The refund is undone: REFUND_REVERSED.
    package mutating func reverseRefund(
        _ choice: TransactionChoice = .current,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let transaction = try transaction(choice, at: till.now)
        guard transaction.revocation != nil else {
            throw StoreRefusal("transaction \(transaction.id) is not refunded")
        }
        change(transaction.id) { $0.revocation = nil }
        return notice(NoticeKind("REFUND_REVERSED"), try self.transaction(transaction.id), till)
    }

    /// The refund is refused: REFUND_DECLINED.
    package mutating func declineRefund(
        _ choice: TransactionChoice = .current,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let transaction = try transaction(choice, at: till.now)
        return notice(NoticeKind("REFUND_DECLINED"), transaction, till)
    }

    /// A refund is asked for, and the store asks for data: CONSUMPTION_REQUEST.
    ///
    /// Repeats are new notifications.
    package mutating func requestConsumption(
        _ choice: TransactionChoice = .current,
        reason: String = "UNINTENDED_PURCHASE",
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let transaction = try transaction(choice, at: till.now)
        return notice(
            NoticeKind("CONSUMPTION_REQUEST"),
            transaction,
            till,
            consumptionReason: reason
        )
    }

    /// Family Sharing ended for this member: REVOKE.
    package mutating func revoke(
        _ choice: TransactionChoice = .current,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let transaction = try transaction(choice, at: till.now)
        guard transaction.isFamilyShared else {
            throw StoreRefusal("transaction \(transaction.id) was not shared by a family")
        }
        let revocation = SimulatedTransaction.Revocation(
            date: till.now,
            reason: 0,
            kind: .family,
            percentage: 100_000
        )
        change(transaction.id) { $0.revocation = revocation }
        return notice(NoticeKind("REVOKE"), try self.transaction(transaction.id), till)
    }
}
