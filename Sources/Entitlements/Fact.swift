/// What a storefront stated about one subscription or purchase.
///
/// One notification, one API answer or one purchase document makes one fact. Its parts are
/// versions; of two versions the newer stays (docs/app-store-facts.md, "Merging", 2 to 4). Google
/// Play and Stripe answer with whole states: see `StoreSnapshot.swift`.
package struct Fact: Hashable, Sendable {
    /// The subscription or purchase that it speaks of.
    package let key: SubscriptionKey
    /// A version of one transaction.
    package var transaction: TransactionFact?
    /// A version of the renewal information.
    package var renewal: RenewalFact?
    /// The store's own word on the state, in a notification only.
    package var status: StatusFact?
    /// When the store signed that auto-renewal was turned off: the cancellation, in a notification.
    package var renewalDisabled: Moment?
    /// What else is sold together with the transaction, under the same version; not Apple's.
    package var items: [TransactionFact] = []
    /// What was refunded or withdrawn; not Apple's, who states it in the transaction.
    package var revocations: [RevocationFact] = []
    /// Whom the purchase names.
    package var user: UserFact?
    /// When another purchase took its place; not Apple's.
    package var replaced: Moment?
    /// Whether its token was made from an account id that is no UUID, so that it is nobody's id.
    ///
    /// Only the command that brings the fact asks: nothing keeps it.
    package var hasDerivedToken = false

    /// A fact about `key` with these parts.
    package init(
        key: SubscriptionKey,
        transaction: TransactionFact? = nil,
        renewal: RenewalFact? = nil,
        status: StatusFact? = nil,
        renewalDisabled: Moment? = nil
    ) {
        self.key = key
        self.transaction = transaction
        self.renewal = renewal
        self.status = status
        self.renewalDisabled = renewalDisabled
    }

    /// The same as the journal keeps it.
    var asKept: Fact {
        guard hasDerivedToken else { return self }
        var kept = self
        kept.hasDerivedToken = false
        return kept
    }
}

/// A SHA-256, as four big-endian words, so that it can be compared and stored without a heap.
package struct Digest256: Hashable, Comparable, Sendable {
    /// The words, most significant first.
    package let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest made of these words.
    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        words = (first, second, third, fourth)
    }

    /// The digest with these 32 bytes.
    package init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        words = bytes.withUnsafeBytes { bytes in
            func word(_ start: Int) -> UInt64 {
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            }
            return (word(0), word(8), word(16), word(24))
        }
    }

    package static func == (left: Digest256, right: Digest256) -> Bool { left.words == right.words }
    package static func < (left: Digest256, right: Digest256) -> Bool { left.words < right.words }
    package func hash(into hasher: inout Hasher) { hasher.combine(words.0 ^ words.3) }
}

/// Which of two signed versions of one thing is newer: the later signed, then the greater digest,
/// so that equal times do not depend on arrival.
package struct Version: Hashable, Comparable, Sendable {
    /// The `signedDate`.
    package let signed: Moment
    /// SHA-256 of the signed payload.
    package let digest: Digest256

    /// The version signed then, with that payload.
    package init(signed: Moment, digest: Digest256) {
        self.signed = signed
        self.digest = digest
    }

    package static func < (left: Version, right: Version) -> Bool {
        (left.signed, left.digest) < (right.signed, right.digest)
    }
}

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

    /// Refunded before it began.
    var neverBegan: Bool { revoked.map { $0 < purchased } ?? false }

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
    package var isAutoRenewable: Bool { kind == "Auto-Renewable Subscription" }

    /// Is used up, as credits are: nothing that lasts.
    package var isConsumable: Bool { kind == "Consumable" }
}

/// One version of what the store says about the next renewal.
package struct RenewalFact: Hashable, Sendable {
    /// Which version this is.
    package var version: Version
    /// Whether it will renew; nil where the store did not say.
    package var autoRenew: Bool?
    /// The product of the next period.
    package var nextProductID: String?
    /// The store is still trying to charge.
    package var isInBillingRetry = false
    /// Until when access goes on while the store tries to charge.
    package var graceUntil: Moment?
    /// Why it expired: 1 cancelled, 2 billing, 3 price, 4 product, 5 other.
    package var expirationIntent: Int64?
    /// 0 no answer, 1 consented.
    package var priceIncreaseStatus: Int64?
    /// When the next charge is due.
    package var renewalDate: Moment?
    /// What holds when a commitment ends.
    package var terms = RenewalTerms()

    /// Whether the customer has it end: with this period, or with the payments to which they are
    /// bound.
    ///
    /// Of a commitment, Apple's `autoRenewStatus` speaks of the next payment alone, and is on until
    /// the last one.
    package var endsRenewing: Bool { autoRenew == false || terms.commitmentRenews == false }

    /// Whether a commitment ends with the period of `transaction`, and no other follows.
    package func isLast(_ transaction: TransactionFact) -> Bool {
        guard terms.commitmentRenews == false else { return false }
        guard let end = transaction.expires, let last = transaction.terms.commitment?.expires else {
            return false
        }
        return last <= end
    }

    /// Renewal information of this version; the rest are properties.
    package init(version: Version) {
        self.version = version
    }
}

/// One version of the store's own word on the state; see `StatusCode`, others survive.
package struct StatusFact: Hashable, Sendable {
    /// Which version this is; the signing time is the notification's.
    package var version: Version
    /// What it means, by Apple's numbers.
    package var code: Int64
    /// How the store itself writes it, where that is not the number.
    package var word: String

    /// The word `code` of this version.
    package init(version: Version, code: Int64, word: String = "") {
        self.version = version
        self.code = code
        self.word = word
    }
}
