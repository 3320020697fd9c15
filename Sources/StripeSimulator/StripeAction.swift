/// What can happen to a customer.
package enum StripeAction: String, CaseIterable, Codable, Hashable, Sendable {
    /// A visit to the payment page that begins a subscription.
    case subscribe
    /// The same, and the first payment waits for the customer.
    case subscribeUnpaid = "subscribe-unpaid"
    /// The first payment is made.
    case confirm
    /// It is not, for a day.
    case abandon
    /// The next period, paid.
    case renew
    /// At the end of the period: `cancel_at_period_end`.
    case cancel
    /// The same in the customer portal, which writes `cancel_at` alone (flexible billing mode).
    case cancelInPortal = "cancel-in-portal"
    /// Takes that back.
    case keep
    /// At once.
    case cancelNow = "cancel-now"
    /// The end that was scheduled is there.
    case expire
    /// The next period begins, and its invoice is not paid.
    case failToRenew = "fail-to-renew"
    /// The open invoice is paid.
    case recover
    /// Stripe stops trying, and leaves the subscription open.
    case giveUp = "give-up"
    /// Stripe stops trying, and ends it.
    case cancelUnpaid = "cancel-unpaid"
    /// Invoices are not collected, and the service stops (`void`).
    case pause
    /// Invoices are kept as drafts, and the service goes on (`keep_as_draft`).
    case pauseCollection = "pause-collection"
    case unpause
    /// The open invoice is voided, and the subscription goes on.
    case voidInvoice = "void-invoice"
    /// The open invoice is written off, and the subscription goes on.
    case markUncollectible = "mark-uncollectible"
    /// The newest invoice is paid once more.
    case overpay
    /// Three days before a trial ends.
    case warnOfTrialEnd = "warn-of-trial-end"
    /// The customer is deleted, and with it the subscription.
    case deleteCustomer = "delete-customer"
    /// The trial ends, and the first period is paid.
    case endTrial = "end-trial"
    /// The trial ends without a way to pay.
    case endTrialUnpaid = "end-trial-unpaid"
    /// The seller pauses the subscription itself: neither service nor invoices, and the period ends
    /// now.
    case pauseSubscription = "pause-subscription"
    /// Goes on after either.
    case resume
    /// To another price, at once.
    case change
    /// To another price, as soon as its invoice is paid (`pending_update`).
    case proposeChange = "propose-change"
    /// It is paid.
    case applyChange = "apply-change"
    /// It is not, for a day.
    case dropChange = "drop-change"
    /// All of the newest payment goes back.
    case refund
    /// Half of it does.
    case refundHalf = "refund-half"
    /// The newest refund does not arrive: the money is with the seller again.
    case failRefund = "fail-refund"
    case dispute
    /// The seller contests the dispute.
    case contest
    /// The bank asks before there is a dispute: no money moves.
    case inquire
    /// It asks no more.
    case closeInquiry = "close-inquiry"
    case loseDispute = "lose-dispute"
    case winDispute = "win-dispute"
    /// A visit to the payment page that buys something once.
    case buy
    /// The same, with a way to pay that takes days.
    case buyLater = "buy-later"
    case pay
    case failToPay = "fail-to-pay"
    /// A visit to the payment page that ends without a purchase.
    case leave
}

/// What may be said beside an action.
package struct StripeWords: Hashable, Sendable {
    /// Where the seller writes who it is.
    package enum Naming: String, CaseIterable, Codable, Hashable, Sendable {
        /// In the metadata of the subscription, or of the visit.
        case metadata
        /// As the visit's `client_reference_id` alone.
        case reference
        /// Nowhere.
        case nowhere
    }

    /// The price, by its lookup key.
    package var price: String?
    /// The user of the app; the customer's name where there is none.
    package var user: String?
    /// Where that is written.
    package var naming = Naming.metadata
    /// Begin with a free trial of a month.
    package var isTrial = false
    /// How many are bought once.
    package var quantity: Int64 = 1

    /// Nothing.
    package init() {}
}
