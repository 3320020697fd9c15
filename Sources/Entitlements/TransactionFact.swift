/// One version of one transaction, in the store's own words where entitld has none.
package struct TransactionFact: Hashable, Sendable {
    /// The store's id of the transaction; a renewal has a new one.
    package var id: String
    /// Which version this is.
    package var version: Version
    /// What was bought.
    package var productID: String
    /// When the period begins; may lie in the future of the signature.
    package var purchased: Moment
    /// When the period ends; none for purchases that are not subscriptions.
    package var expires: Moment?
    /// When it was refunded or withdrawn.
    ///
    /// A subscription's access ends with it, also where only the rest of a period was paid back:
    /// https://developer.apple.com/documentation/advancedcommerceapi/revoke-subscription
    package var revoked: Moment?
    /// Replaced at once by a higher-ranked product.
    package var isUpgraded = false
    /// `Auto-Renewable Subscription`, `Non-Consumable`, … as the store writes it.
    package var kind = ""
    /// `PURCHASED` or `FAMILY_SHARED`, as the store writes it.
    package var ownership = ""
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back; others survive.
    package var offerType: Int64?
    /// `FREE_TRIAL`, `PAY_AS_YOU_GO`, … as the store writes it.
    package var offerDiscount: String?
    /// Whose purchase the app said it was.
    package var token: Token?
    /// How many.
    package var quantity: Int64 = 1
    /// Why it was revoked, as the store numbers it.
    package var revocationReason: Int64?
    /// `PURCHASE` or `RENEWAL`, as the store writes it.
    package var reason: String?
    /// What was paid, where, and on which terms.
    package var terms = TransactionTerms()
    /// Where it comes from; nil in a subscription, which does not keep it.
    package var origin: TransactionOrigin?

    /// A transaction with these main parts; the rest are properties.
    package init(id: String, version: Version, productID: String, purchased: Moment) {
        self.id = id
        self.version = version
        self.productID = productID
        self.purchased = purchased
    }

    /// A free trial: an introductory, offer-code or win-back offer without a price.
    ///
    /// The type alone may be that of a paid one.
    package var isTrial: Bool {
        guard offerDiscount == "FREE_TRIAL" else { return false }
        return offerType == 1 || offerType == 3 || offerType == 4
    }

    /// Refunded or withdrawn before it began: what was paid before it holds on, unless it
    /// `leavesFamily`.
    var neverBegan: Bool { revoked.map { $0 < purchased } ?? false }

    /// A renewal that an upgrade replaced.
    ///
    /// It begins where the period before it ends. What was bought earlier and is running then was
    /// bought in between, and has replaced it before it began, unless a purchase is not known yet.
    var isReplacedRenewal: Bool { isUpgraded && reason == "RENEWAL" }

    /// Withdrawn before it began because the family shares it no more: what it shared before is
    /// gone, too.
    ///
    /// Not where it was refunded to whoever bought it: that takes the announced period alone.
    var leavesFamily: Bool {
        guard neverBegan else { return false }
        if terms.revocationType == "FAMILY_REVOKE" { return true }
        let isRefund = terms.revocationType?.hasPrefix("REFUND") ?? false
        return ownership == "FAMILY_SHARED" && !isRefund
    }

    /// Whether it was bought once, and for good, in the App Store's word.
    var isBoughtForGood: Bool { expires == nil && kind == "Non-Consumable" }

    /// Whether a device made it where it restored what `other` bought for good.
    func isCopy(of other: TransactionFact) -> Bool {
        id != other.id && productID == other.productID && isBoughtForGood && other.isBoughtForGood
    }

    /// How much of it was refunded or withdrawn, in thousandths of a percent.
    ///
    /// Apple's page on `revocationPercentage` says: of the whole quantity. Where a store names
    /// none, or none that can be, it is all; and a revocation of a type that is not known is one.
    package var revokedShare: Int64 {
        guard revoked != nil else { return 0 }
        guard let share = terms.revocationPercentage, (0...Self.wholeShare).contains(share) else {
            return Self.wholeShare
        }
        return share
    }

    /// 100 percent, in thousandths of one.
    package static let wholeShare: Int64 = 100_000

    /// Names a period that lasts.
    package var namesPeriod: Bool {
        guard let expires else { return false }
        return expires > purchased
    }

    /// Renews by itself, as far as the store says.
    package var isAutoRenewable: Bool { kind == Self.renewingKind || endsAlone }

    /// Ends with its period, while others of its purchase renew.
    package var endsAlone: Bool { kind == Self.endingKind }

    /// Is used up, as credits are: nothing that lasts.
    package var isConsumable: Bool { kind == "Consumable" }
}
