import Entitlements
import JSON

/// Money that was taken (https://docs.stripe.com/api/charges/object), and how much of it went back.
package struct StripeCharge: Hashable, Sendable {
    /// Its id: `ch_…` or `py_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// For what it was taken.
    package let paymentIntent: StripeID?
    /// For which invoice; versions of the API since 2025-03-31 do not say.
    package let invoice: StripeID?
    /// How much, in the smallest unit of the currency.
    package let amount: Int64
    /// How much of that went back.
    package let amountRefunded: Int64
    /// Whether the bank was told that it was no rightful charge.
    package let isDisputed: Bool
    /// When it was taken.
    package let created: Moment

    /// The charge that `object` is.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "charge" else { throw ShapeFault("object") }
        id = try object.id()
        environment = try object.environment()
        paymentIntent = try object.reference("payment_intent")
        invoice = try object.reference("invoice")
        guard let amount = try object.integer("amount"), amount >= 0 else {
            throw ShapeFault("amount")
        }
        let refunded = try object.integer("amount_refunded") ?? 0
        guard (0...amount).contains(refunded) else { throw ShapeFault("amount_refunded") }
        self.amount = amount
        // The flag is true for all of it alone.
        amountRefunded = try object.flag("refunded") == true ? amount : refunded
        isDisputed = try object.flag("disputed") ?? false
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
    }

    /// How much of it went back, in thousandths of a percent, rounded down.
    package var refundedShare: Int64 {
        guard amount > 0 else { return 0 }
        let (scaled, overflow) = amountRefunded.multipliedReportingOverflow(
            by: TransactionFact.wholeShare
        )
        if !overflow { return scaled / amount }
        return min(
            TransactionFact.wholeShare,
            amountRefunded / max(1, amount / TransactionFact.wholeShare)
        )
    }
}

/// A refund (https://docs.stripe.com/api/refunds/object).
package struct StripeRefund: Hashable, Sendable {
    /// Its id: `re_…`.
    package let id: StripeID
    /// The charge of which it gives back.
    package let charge: StripeID?
    /// What that charge was for.
    package let paymentIntent: StripeID?
    /// How it stands, as Stripe writes it, such as `succeeded`.
    package let status: String?

    /// The refund that `object` is.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "refund" else { throw ShapeFault("object") }
        id = try object.id()
        charge = try object.reference("charge")
        paymentIntent = try object.reference("payment_intent")
        status = try object.text("status")
    }
}

/// That a customer told the bank that a charge was not rightful
/// (https://docs.stripe.com/api/disputes/object).
package struct StripeDispute: Hashable, Sendable {
    /// Its id: `dp_…` or `du_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The charge.
    package let charge: StripeID?
    /// What that charge was for.
    package let paymentIntent: StripeID?
    /// How it stands.
    package let status: Status
    /// How it stands, as Stripe writes it.
    package let statusWord: String
    /// When it began.
    package let created: Moment

    /// How a dispute stands.
    package enum Status: Hashable, Sendable {
        /// An inquiry, by which no money moves; or one that Stripe averted.
        case inquiry
        /// Not decided.
        case open
        /// The money stays here.
        case won
        /// The money went back.
        case lost

        /// Stripe's word; one that is not known here is undecided.
        init(_ word: String) {
            switch word {
            case "won": self = .won
            case "lost", "appeal_needs_response", "appeal_under_review": self = .lost
            case "warning_needs_response", "warning_under_review", "warning_closed", "prevented":
                self = .inquiry
            default: self = .open
            }
        }
    }

    /// The dispute that `object` is.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "dispute" else { throw ShapeFault("object") }
        id = try object.id()
        environment = try object.environment()
        charge = try object.reference("charge")
        paymentIntent = try object.reference("payment_intent")
        guard let word = try object.text("status") else { throw ShapeFault("status") }
        statusWord = word
        status = Status(word)
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
    }
}

/// A payment (https://docs.stripe.com/api/payment_intents/object): one or more charges until one
/// succeeds.
package struct StripePaymentIntent: Hashable, Sendable {
    /// Its id: `pi_…`.
    package let id: StripeID
    /// The charge that was tried last.
    package let latestCharge: StripeID?
    /// For which invoice; versions of the API since 2025-03-31 do not say.
    package let invoice: StripeID?
    /// Text that the seller attached.
    package let metadata: StripeMetadata

    /// The payment that `object` is.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "payment_intent" else { throw ShapeFault("object") }
        id = try object.id()
        latestCharge = try object.reference("latest_charge")
        invoice = try object.reference("invoice")
        metadata = try StripeMetadata(of: object)
    }
}
