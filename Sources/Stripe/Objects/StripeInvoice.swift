import Entitlements
import JSON

/// An invoice (https://docs.stripe.com/api/invoices/object), as versions of the API before and
/// after 2025-03-31 write it.
package struct StripeInvoice: Hashable, Sendable {
    /// Its id: `in_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The subscription that it bills; nil if it bills something else.
    package let subscription: StripeID?
    /// Whether it is fully paid, or needs no payment.
    package let isPaid: Bool
    /// Why it was made, such as `subscription_cycle`.
    package let billingReason: String?
    /// The lines that it bills.
    package let lines: [Line]
    /// Whether it has more lines than it shows here.
    package let isCut: Bool
    /// How much of it was paid, in the smallest unit of the currency; nil if it does not say.
    package let amountPaid: Int64?
    /// The payments that paid it, if the API version names them.
    package let payments: [StripeID]
    /// The metadata that the subscription had when the invoice was made.
    package let metadata: StripeMetadata?
    /// When it was made.
    package let created: Moment

    /// One line of it.
    package struct Line: Hashable, Sendable {
        /// The item of the subscription that it bills; nil if it does not say.
        package let item: StripeID?
        /// The price; nil for a plain amount.
        package let price: StripePrice?
        /// The beginning of the period that it bills.
        package let periodStart: Moment
        /// The end of that period.
        package let periodEnd: Moment
        /// The quantity.
        package let quantity: Int64
        /// Whether it compensates for a change within a period.
        package let isProration: Bool
        /// The amount without discounts and taxes, in the smallest unit of the currency; nil if it
        /// does not say.
        package let amount: Int64?
    }

    /// Reads the invoice in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "invoice" else { throw ShapeFault("object") }
        id = try object.id()
        environment = try object.environment()
        let details = try object.object("parent")?.object("subscription_details")
        let holder = details?["subscription"] == nil ? object : details
        subscription = try holder?.reference("subscription")
        isPaid = try object.text("status") == "paid"
        billingReason = try object.text("billing_reason")
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
        let former = try object.object("subscription_details")
        metadata = try (details ?? former)
            .map { (holder) throws(ShapeFault) in
                try StripeMetadata(of: holder)
            }
        lines = try Self.lines(of: object)
        isCut = try object.isCut("lines")
        payments = try Self.payments(of: object)
        amountPaid = try object.integer("amount_paid")
    }

    private static func lines(of object: StripeObject) throws(ShapeFault) -> [Line] {
        var lines: [Line] = []
        for line in try object.list("lines") ?? [] {
            guard let period = try line.object("period"),
                let start = try period.moment("start"), let end = try period.moment("end")
            else { throw ShapeFault("period") }
            let parent = try line.object("parent")
            var item = try parent?.object("subscription_item_details")
            if item == nil { item = try parent?.object("invoice_item_details") }
            lines.append(
                Line(
                    item: try (item ?? line).reference("subscription_item"),
                    price: try price(of: line),
                    periodStart: start,
                    periodEnd: end,
                    quantity: try line.integer("quantity") ?? 1,
                    isProration: try (item ?? line).flag("proration") ?? false,
                    amount: try line.integer("amount")
                )
            )
        }
        return lines
    }

    /// The price of a line.
    ///
    /// Since 2025-03-31 a line has only the ids of price and product; before, it had the whole
    /// price.
    private static func price(of line: StripeObject) throws(ShapeFault) -> StripePrice? {
        if let details = try line.object("pricing")?.object("price_details") {
            guard let id = try details.reference("price"),
                let product = try details.reference("product")
            else { return nil }
            return StripePrice(id: id, product: product)
        }
        guard let price = try line.object("price", or: "plan") else { return nil }
        return try StripePrice(price)
    }

    /// The payments of an invoice.
    ///
    /// Since 2025-03-31 an invoice may have several, which are listed on request.
    private static func payments(of object: StripeObject) throws(ShapeFault) -> [StripeID] {
        var found: [StripeID] = []
        for payment in try object.list("payments") ?? [] {
            let how = try payment.object("payment")
            if let id = try how?.reference("payment_intent", or: "charge") {
                found.append(id)
            }
        }
        if let id = try object.reference("payment_intent", or: "charge") {
            found.append(id)
        }
        return found
    }
}
