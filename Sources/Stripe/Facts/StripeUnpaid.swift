import Entitlements

/// Since when the items of a `past_due` subscription are unpaid; some of them may be paid.
struct StripeUnpaid: Hashable, Sendable {
    /// By price: a subscription has each of them once.
    private var moments: [StripeID: Moment] = [:]

    /// Judges by the open invoices; without one, the item is unpaid whose period began last.
    ///
    /// The lines of an invoice name prices. What names none of the subscription's is about the item
    /// whose period began last, too. If a subscription is left past due, each period gets another
    /// invoice, and the oldest one counts.
    init(of subscription: StripeSubscription, open invoices: [StripeInvoice] = []) {
        let items = subscription.items
        let latest = items.map(\.periodStart).max()
        for invoice in invoices where invoice.isOfSubscription {
            let billed = items.filter { item in
                items.count > 1 && invoice.lines.contains { $0.price?.id == item.price.id }
            }
            for item in billed {
                note(item, invoice.unpaidSince { $0.price?.id == item.price.id })
            }
            guard billed.isEmpty else { continue }
            for item in items where item.periodStart == latest {
                note(item, invoice.unpaidSince { _ in true })
            }
        }
        guard moments.isEmpty else { return }
        for item in items where item.periodStart == latest { note(item, item.periodStart) }
    }

    private mutating func note(_ item: StripeSubscription.Item, _ moment: Moment) {
        moments[item.price.id] = min(moments[item.price.id] ?? .distantFuture, moment)
    }

    /// The earliest moment: grace counts from it.
    var earliest: Moment? { moments.values.min() }

    /// Since when an item is unpaid; nil if it is paid.
    func since(_ item: StripeSubscription.Item) -> Moment? { moments[item.price.id] }
}

extension StripeInvoice {
    /// Whether it bills a period of a subscription, or a change of it.
    fileprivate var isOfSubscription: Bool {
        billingReason?.hasPrefix("subscription") ?? (subscription != nil)
    }

    /// The beginning of the unpaid time, by some of its lines.
    ///
    /// A line that is billed afterwards, such as usage, has a period that is already over.
    fileprivate func unpaidSince(by isMeant: (Line) -> Bool) -> Moment {
        lines.filter(isMeant).map { $0.periodEnd <= created ? $0.periodEnd : $0.periodStart }
            .filter { $0 <= created }.max() ?? created
    }
}
