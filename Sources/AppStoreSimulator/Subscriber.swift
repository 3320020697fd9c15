/// One of the store's customers: a line of subscription periods in one group, and single purchases.
///
/// Actions change it as the App Store would and yield the notification that the App Store would
/// send; what the App Store would not do is refused. A value: whoever keeps it, stores it.
package struct Subscriber: Codable, Hashable, Sendable {
    /// What this store calls the customer.
    package let name: String
    /// The user, as the app names them in purchases.
    package var token: String?
    /// The periods, in the order bought.
    package internal(set) var transactions: [SimulatedTransaction] = []
    /// What was bought once, in the order bought.
    package internal(set) var purchases: [SimulatedTransaction] = []
    /// What happens at the end of the period.
    package internal(set) var renewal: RenewalState?
    /// One number for each customer and app.
    package let appTransactionID: String
    /// When the app was downloaded; nil in a store that was made before this was kept.
    package let joined: Int64?
    /// When periods of this customer were extended.
    var extensions: [Int64]?
    /// When something was signed last: two documents never carry one moment, for equal times could
    /// not be told apart.
    var lastSigned: Int64 = 0

    /// A customer who has bought nothing.
    package init(_ name: String, token: String? = nil, at till: inout Till) {
        self.name = name
        self.token = token
        appTransactionID = till.nextNumber()
        joined = till.now
    }

    /// The number of the line; nil before the first purchase.
    package var originalID: String? { transactions.last?.originalID }

    /// The current transaction at `now`.
    package func current(at now: Int64) -> SimulatedTransaction? {
        let valid = transactions.filter { !$0.isUpgraded }
        let begun = valid.filter { $0.purchaseDate <= now }
        return begun.max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
            ?? valid.min { $0.purchaseDate < $1.purchaseDate }
    }

    /// The end of what is paid, prolonged through announced renewals; nil before the first
    /// purchase.
    package func paidUntil(at now: Int64) -> Int64? {
        guard let current = current(at: now), var end = current.expiresDate else { return nil }
        for later in transactions where later.purchaseDate > current.purchaseDate {
            guard !later.isUpgraded, later.revocation == nil, later.purchaseDate <= end,
                let expires = later.expiresDate
            else { continue }
            end = max(end, expires)
        }
        return end
    }

    /// Apple's number for the state at `now`: 1 active, 2 expired, 3 billing retry, 4 grace,
    /// 5 revoked; nil before the first purchase.
    package func status(at now: Int64) -> Int64? {
        guard let current = current(at: now), let end = paidUntil(at: now) else { return nil }
        // A period that is refunded when the next one is paid for already ends nothing.
        let isPaidAhead = transactions.contains {
            $0.purchaseDate > now && $0.revocation == nil && !$0.isUpgraded
        }
        if current.revocation != nil { return isPaidAhead ? 1 : 5 }
        if now < end { return 1 }
        guard let renewal, renewal.isInBillingRetry == true else { return 2 }
        if renewal.isGraceOpen { return 4 }
        return renewal.graceUntil.map { now < $0 } == true ? 4 : 3
    }

    /// The line as it stands at `now`; refused before the first purchase.
    func line(
        at now: Int64
    ) throws(StoreRefusal) -> (current: SimulatedTransaction, end: Int64, renewal: RenewalState) {
        guard let current = current(at: now), let end = paidUntil(at: now), let renewal else {
            throw StoreRefusal("\(name) has no subscription")
        }
        return (current, end, renewal)
    }

    /// The moment of the next document.
    mutating func stamp(_ till: Till) -> Int64 {
        lastSigned = max(lastSigned + 1, till.now)
        return lastSigned
    }

    /// The notification of `kind` about `transaction`, with all that goes with a subscription.
    mutating func notice(
        _ kind: NoticeKind,
        _ transaction: SimulatedTransaction,
        _ till: Till,
        consumptionReason: String? = nil
    ) -> SimulatedNotification {
        let signed = stamp(till)
        let payloads = Payloads(settings: till.settings, signed: signed)
        let isLine = transaction.product.kind == .autoRenewable
        return SimulatedNotification(
            kind: kind,
            uuid: till.nextUUID(),
            signedDate: signed,
            outer: .data(
                payloads.data(
                    status: isLine ? status(at: signed) : nil,
                    consumptionReason: consumptionReason
                )
            ),
            transaction: payloads.transaction(transaction, of: self),
            renewal: isLine ? payloads.renewal(of: self) : nil
        )
    }

    /// Changes the transaction with this number.
    mutating func change(_ id: String, _ body: (inout SimulatedTransaction) -> Void) {
        if let place = transactions.firstIndex(where: { $0.id == id }) {
            body(&transactions[place])
        }
        if let place = purchases.firstIndex(where: { $0.id == id }) { body(&purchases[place]) }
    }
}
