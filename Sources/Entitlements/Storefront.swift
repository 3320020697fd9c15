/// A store that signs what it says.
///
/// Turns bytes from outside into facts, or refuses them.
///
/// The only door through which facts enter: what it has not called genuine goes no further.
package protocol Storefront: Sendable {
    /// Judges a notification's signed payload, received at `now`.
    func verdict(onNotification payload: [UInt8], at now: Moment) -> NotificationVerdict

    /// Judges a purchase document that an app server shows at `now`, with the renewal document
    /// beside it if there is one.
    func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict
}

/// Why a document goes no further; the raw value is the contract's `data.reason`.
package enum DocumentFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Not a signed document at all.
    case malformed
    /// The signature does not hold.
    case signature
    /// The certificates do not lead to a trusted root.
    case chain
    /// Another app's.
    case bundle
    /// An environment that does not exist here.
    case environment
    /// Another app's, by its Apple id.
    case app
    /// JSON without a signature.
    case unsigned
    /// Genuine, but not of the kind that belongs here, or at odds with the others.
    case wrongDocument = "wrong_document"
    /// Signed more than five minutes in the future.
    case futureDate = "future_date"
}

/// What a storefront says of a notification.
package enum NotificationVerdict: Sendable {
    /// Genuine.
    case genuine(Notification)
    /// Genuine, but of an environment that is not configured.
    case foreign(type: String)
    /// Not to be believed; the detail is for the log.
    case refused(DocumentFault, detail: String)
}

/// What a storefront says of a purchase document.
package enum PurchaseVerdict: Sendable {
    /// Genuine; the transaction is present in the fact.
    case genuine(Fact)
    /// Not to be believed; the detail is for the log.
    case refused(DocumentFault, detail: String)
}
