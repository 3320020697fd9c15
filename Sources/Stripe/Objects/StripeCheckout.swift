import Entitlements
import JSON

/// A checkout session: one visit to Stripe's payment page
/// (https://docs.stripe.com/api/checkout/sessions/object).
package struct StripeCheckout: Hashable, Sendable {
    /// Its id: `cs_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The purpose of the visit.
    package let mode: Mode
    /// Whether the payment has arrived, or none is required.
    ///
    /// With a payment method that takes days, it is false when the visit ends.
    package let isPaid: Bool
    /// The seller's own name for the visitor.
    package let clientReference: String?
    /// The buyer's id at Stripe.
    package let customer: StripeID?
    /// The subscription that was made.
    package let subscription: StripeID?
    /// The payment.
    package let paymentIntent: StripeID?
    /// The lines that were bought; nil if they were not asked for.
    package private(set) var lines: [Line]?
    /// When it was made.
    package let created: Moment
    /// When the money was charged, if Stripe was asked for the charge and there is one.
    package let charged: Moment?
    /// Text that the seller attached.
    package let metadata: StripeMetadata

    /// The purposes of a visit.
    package enum Mode: Hashable, Sendable {
        case payment
        case subscription
        /// To store a card, or an unknown purpose.
        case other
    }

    /// One line of it.
    package struct Line: Hashable, Sendable {
        /// Its id: `li_…`.
        package let id: StripeID
        /// The price.
        package let price: StripePrice
        /// The quantity.
        package let quantity: Int64
        /// The amount paid for the line, in the smallest unit of the currency.
        package let total: Int64?
    }

    /// Reads the visit in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "checkout.session" else { throw ShapeFault("object") }
        id = try object.id()
        environment = try object.environment()
        mode =
            switch try object.text("mode") {
            case "payment": .payment
            case "subscription": .subscription
            default: .other
            }
        isPaid = ["paid", "no_payment_required"].contains(try object.text("payment_status"))
        clientReference = try object.text("client_reference_id")
        customer = try object.customer()
        subscription = try object.reference("subscription")
        paymentIntent = try object.reference("payment_intent")
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
        let charge = object.expanded("payment_intent")?.expanded("latest_charge")
        charged = try charge?.moment("created")
        metadata = try StripeMetadata(of: object)
        lines = try object.object("line_items")
            .map { (list) throws(ShapeFault) in
                try Self.lines(list)
            }
    }

    /// The user whom its client reference names, otherwise its metadata.
    package func user(under key: String) -> UserID? { referenced ?? metadata.user(under: key) }

    /// The user whom its client reference names.
    package var referenced: UserID? { clientReference.flatMap { UserID($0) } }

    /// Adds further lines.
    mutating func add(_ list: StripeObject) throws(ShapeFault) {
        lines = (lines ?? []) + (try Self.lines(list))
    }

    private static func lines(_ list: StripeObject) throws(ShapeFault) -> [Line] {
        var lines: [Line] = []
        for line in try list.elements() {
            guard let price = try line.object("price") else { throw ShapeFault("price") }
            let quantity = try line.integer("quantity") ?? 1
            guard (1...Int64(Int32.max)).contains(quantity) else { throw ShapeFault("quantity") }
            lines.append(
                Line(
                    id: try line.id(),
                    price: try StripePrice(price),
                    quantity: quantity,
                    total: try line.integer("amount_total")
                )
            )
        }
        return lines
    }
}
