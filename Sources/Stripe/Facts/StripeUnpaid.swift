import Entitlements

/// Since when the items of a subscription are unpaid; some of them may be paid.
struct StripeUnpaid: Hashable, Sendable {
    /// By price: a subscription has each of them once.
    private var moments: [StripeID: Moment] = [:]

    /// Judges by the open invoices; without one, the item is unpaid whose period began last.
    init(of subscription: StripeSubscription, open invoices: [StripeInvoice] = []) {
        if let shown = StripeUnpaid(of: subscription, shownBy: invoices) {
            self = shown
            return
        }
        let items = subscription.items
        let latest = items.map(\.periodStart).max()
        for item in items where item.periodStart == latest {
            moments[item.price.id] = item.periodStart
        }
    }

    /// Judges by the open invoices alone; nil if none is about the subscription.
    ///
    /// The lines of an invoice name prices. What names none of the subscription's is about the item
    /// whose period began last, too. If a subscription is left past due, each period gets another
    /// invoice, and the oldest one counts that is followed by nothing but unpaid ones. Unless the
    /// state says that something is unpaid, an invoice for an earlier period tells nothing about
    /// the present one.
    init?(of subscription: StripeSubscription, shownBy invoices: [StripeInvoice]) {
        let items = subscription.items
        let latest = items.map(\.periodStart).max()
        var unpaid: [StripeID: [Range<Moment>]] = [:]
        for invoice in invoices where invoice.isOfSubscription {
            let billed = items.filter { item in
                items.count > 1 && invoice.lines.contains { $0.price?.id == item.price.id }
            }
            for item in billed {
                let time = invoice.unpaidTime { $0.price?.id == item.price.id }
                unpaid[item.price.id, default: []].append(time)
            }
            guard billed.isEmpty else { continue }
            for item in items where item.periodStart == latest {
                unpaid[item.price.id, default: []].append(invoice.unpaidTime { _ in true })
            }
        }
        for item in items {
            let times = unpaid[item.price.id] ?? []
            let isOfPeriod = times.contains { $0.upperBound > item.periodStart }
            guard subscription.isUnpaid || isOfPeriod else { continue }
            moments[item.price.id] = Self.beginning(of: times)
        }
        if moments.isEmpty { return nil }
    }

    /// Since when nothing was paid: what follows an open invoice of long ago was.
    private static func beginning(of times: [Range<Moment>]) -> Moment? {
        var found: Moment?
        for time in times.sorted(by: { $0.lowerBound > $1.lowerBound }) {
            if let found, time.upperBound.milliseconds < found.milliseconds - gapMilliseconds {
                break
            }
            found = time.lowerBound
        }
        return found
    }

    /// Invoices are made within an hour or so of the period's beginning.
    private static let gapMilliseconds: Int64 = 86_400_000

    /// The earliest moment: grace counts from it.
    var earliest: Moment? { moments.values.min() }

    /// Since when an item is unpaid; nil if it is paid.
    func since(_ item: StripeSubscription.Item) -> Moment? { moments[item.price.id] }
}

extension StripeSubscription {
    /// Since when which items are unpaid, by the open invoices; nil if all of them are paid.
    func unpaid(open invoices: [StripeInvoice]) -> StripeUnpaid? {
        isUnpaid
            ? StripeUnpaid(of: self, open: invoices) : StripeUnpaid(of: self, shownBy: invoices)
    }
}

extension StripeInvoice {
    /// Whether it bills a period of a subscription, or a change of it.
    fileprivate var isOfSubscription: Bool {
        billingReason?.hasPrefix("subscription") ?? (subscription != nil)
    }

    /// The unpaid time, by some of its lines.
    ///
    /// A line that is billed afterwards, such as usage, has a period that is already over: what is
    /// unpaid begins with its end, and lasts as long.
    fileprivate func unpaidTime(by isMeant: (Line) -> Bool) -> Range<Moment> {
        let times = lines.filter(isMeant)
            .map { line in
                let length = max(0, line.periodEnd.milliseconds - line.periodStart.milliseconds)
                let start = line.periodEnd <= created ? line.periodEnd : line.periodStart
                return start..<start.advanced(byMilliseconds: length)
            }
        return times.filter { $0.lowerBound <= created }.max { $0.lowerBound < $1.lowerBound }
            ?? created..<created
    }
}
