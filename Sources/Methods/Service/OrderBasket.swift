import Ledger
import Synchronization

/// Orders that the jobs of a lane made, on their way to the writer.
///
/// While more jobs wait, orders go together: a group costs one flush, however many are in it, and
/// wakes those who wait for it once. With short turns (`NamedThread`) the writer would otherwise
/// take each order by itself as soon as it comes.
final class OrderBasket: Sendable {
    private struct Content {
        var orders: [WriteOrder] = []
        var since = ContinuousClock.now
    }

    private let ledger: Ledger
    private let countMax: Int
    private let content = Mutex(Content())

    /// A basket for orders to `ledger`, at most `countMax` of which go together.
    init(_ ledger: Ledger, countMax: Int) {
        self.ledger = ledger
        self.countMax = countMax
    }

    /// Takes an order in; called by a job of the lane.
    func add(_ order: WriteOrder) {
        content.withLock { content in
            if content.orders.isEmpty { content.since = .now }
            content.orders.append(order)
        }
    }

    /// Hands the orders over if nothing more is to be expected, or if they are many or old.
    func settle(isIdle: Bool) {
        let orders: [WriteOrder] = content.withLock { content in
            guard !content.orders.isEmpty,
                isIdle || content.orders.count >= countMax
                    || ContinuousClock.now - content.since >= MethodLimits.basketWait
            else { return [] }
            defer { content.orders.removeAll(keepingCapacity: true) }
            return content.orders
        }
        if !orders.isEmpty { ledger.submit(orders) }
    }
}
