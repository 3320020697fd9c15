/// What the app changes, where it describes its products itself (Advanced Commerce).
extension Subscriber {
    /// Other words for the product: METADATA_UPDATE.
    package mutating func updateMetadata(
        displayName: String,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        try changeCommerce("METADATA_UPDATE", till) { $0.displayName = displayName }
    }

    /// Another price: PRICE_CHANGE.
    package mutating func changePrice(
        to price: Int64,
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        guard price >= 0 else { throw StoreRefusal("a price is not negative") }
        return try changeCommerce("PRICE_CHANGE", till) { $0.price = price }
    }

    /// The line gets a new number and names the old one: MIGRATION.
    package mutating func migrate(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let current = try line(at: till.now).current
        let newID = till.nextNumber()
        for place in transactions.indices {
            transactions[place].previousOriginalID = transactions[place].originalID
            transactions[place].originalID = newID
        }
        return try changeCommerce("MIGRATION", till) { $0.sku = current.product.id }
    }

    /// An item that was bought with the present period is paid back by itself, and the period goes
    /// on: REFUND, without a revocation of the transaction.
    package mutating func refundItem(
        _ till: inout Till
    ) throws(StoreRefusal) -> SimulatedNotification {
        let (current, now) = (try paidLine(at: till.now).current, till.now)
        guard current.commerce?.itemRefunded == nil else {
            throw StoreRefusal("\(name)'s item is refunded already")
        }
        return try changeCommerce("REFUND", till) { $0.itemRefunded = now }
    }

    private mutating func changeCommerce(
        _ type: String,
        _ till: Till,
        _ body: (inout SimulatedTransaction.Commerce) -> Void
    ) throws(StoreRefusal) -> SimulatedNotification {
        let current = try line(at: till.now).current
        var commerce =
            current.commerce
            ?? SimulatedTransaction.Commerce(
                sku: current.product.id,
                displayName: current.product.id,
                price: current.price,
                requestID: ""
            )
        commerce.requestID = till.nextUUID()
        body(&commerce)
        change(current.id) { [commerce] in $0.commerce = commerce }
        return notice(NoticeKind(type), try transaction(current.id), till)
    }
}
