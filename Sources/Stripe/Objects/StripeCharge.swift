import Entitlements
import JSON

/// A charge (https://docs.stripe.com/api/charges/object), and how much of it was returned.
package struct StripeCharge: Hashable, Sendable {
    /// Its id: `ch_…` or `py_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The payment to which it belongs.
    package let paymentIntent: StripeID?
    /// The invoice that it paid; API versions since 2025-03-31 do not name it.
    package let invoice: StripeID?
    /// The amount, in the smallest unit of the currency.
    package let amount: Int64
    /// How much of it was refunded.
    package let amountRefunded: Int64
    /// Whether the customer disputed it at the bank; where it does not say, disputes are asked for.
    package let isDisputed: Bool
    /// When it was made.
    package let created: Moment

    /// Reads the charge in `object`.
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
        // The flag is true only if all of it was refunded.
        amountRefunded = try object.flag("refunded") == true ? amount : refunded
        isDisputed = try object.flag("disputed") ?? true
        guard let created = try object.moment("created") else { throw ShapeFault("created") }
        self.created = created
    }

    /// The refunded share, in thousandths of a percent, rounded down.
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
    /// The charge that is refunded.
    package let charge: StripeID?
    /// The payment to which that charge belongs.
    package let paymentIntent: StripeID?
    /// Its status, as Stripe writes it, such as `succeeded`.
    package let status: String?

    /// Reads the refund in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "refund" else { throw ShapeFault("object") }
        id = try object.id()
        charge = try object.reference("charge")
        paymentIntent = try object.reference("payment_intent")
        status = try object.text("status")
    }
}

/// A dispute (https://docs.stripe.com/api/disputes/object): a customer told the bank that a charge
/// was not justified.
package struct StripeDispute: Hashable, Sendable {
    /// Its id: `dp_…` or `du_…`.
    package let id: StripeID
    /// Live mode, or test mode.
    package let environment: StoreEnvironment
    /// The disputed charge.
    package let charge: StripeID?
    /// The payment to which that charge belongs.
    package let paymentIntent: StripeID?
    /// Its status.
    package let status: Status
    /// Its status, as Stripe writes it.
    package let statusWord: String
    /// When it began.
    package let created: Moment

    /// The status of a dispute.
    package enum Status: Hashable, Sendable {
        /// An inquiry, by which no money moves; or one that Stripe averted.
        case inquiry
        /// Not decided yet.
        case open
        /// Decided for the seller, who keeps the money.
        case won
        /// Decided for the customer, who gets the money back.
        case lost

        /// Reads Stripe's word; an unknown word counts as not decided.
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

    /// Reads the dispute in `object`.
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
    /// The invoice that it paid; API versions since 2025-03-31 do not name it.
    package let invoice: StripeID?
    /// Text that the seller attached.
    package let metadata: StripeMetadata

    /// Reads the payment in `object`.
    init(_ object: StripeObject) throws(ShapeFault) {
        guard object.kind == "payment_intent" else { throw ShapeFault("object") }
        id = try object.id()
        latestCharge = try object.reference("latest_charge")
        invoice = try object.reference("invoice")
        metadata = try StripeMetadata(of: object)
    }
}
