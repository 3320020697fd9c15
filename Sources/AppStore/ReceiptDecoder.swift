import Entitlements
import Signatures

/// Turns the attributes of a genuine receipt into facts.
///
/// It is strict about the values that make a fact: ids, product, purchase date. It is pure: no
/// clock, no signatures.
enum ReceiptDecoder {
    /// Why a genuine receipt cannot be used, with a sentence for the log.
    struct Fault: Error {
        let fault: ReceiptFault
        let detail: String

        init(_ fault: ReceiptFault, _ detail: String) {
            self.fault = fault
            self.detail = detail
        }
    }

    /// The environment that type 0 names.
    ///
    /// Receipts of volume purchases come from the same two environments.
    static func environment(named name: String?) throws(Fault) -> StoreEnvironment {
        switch name {
        case "Production", "ProductionVPP": return .production
        case "ProductionSandbox", "ProductionVPPSandbox": return .sandbox
        case "Xcode": throw Fault(.xcode, "a receipt of the environment Xcode")
        default: throw Fault(.environment, "not an environment of the store")
        }
    }

    /// One fact for each purchase, in their order.
    ///
    /// All facts have the receipt's date as their time of signing, because the receipt states the
    /// purchases as of that time.
    static func facts(
        of attributes: ReceiptAttributes,
        in environment: StoreEnvironment,
        created: Moment
    ) throws(Fault) -> [Fact] {
        var facts: [Fact] = []
        facts.reserveCapacity(attributes.purchases.count)
        let beginnings = beginnings(among: attributes.purchases)
        for purchase in attributes.purchases {
            guard var transaction = transaction(purchase, created: created),
                let originalID = name(purchase.originalID)
            else { throw Fault(.malformed, "a purchase without id, product or date") }
            if isUpgraded(purchase, beginnings[originalID] ?? []) {
                transaction.revoked = nil
                transaction.isUpgraded = true
            }
            let key = SubscriptionKey(
                store: .appStore,
                environment: environment,
                originalID: originalID
            )
            facts.append(Fact(key: key, transaction: transaction))
        }
        return facts
    }

    /// When the periods of each subscription begin of which something was cancelled.
    private static func beginnings(
        among purchases: [ReceiptAttributes.Purchase]
    ) -> [String: [Int64]] {
        let cancelled = Set(purchases.filter { $0.cancelled != nil }.compactMap(\.originalID))
        if cancelled.isEmpty { return [:] }
        var beginnings: [String: [Int64]] = [:]
        for purchase in purchases where purchase.expires != nil {
            guard let original = purchase.originalID, cancelled.contains(original),
                let purchased = purchase.purchased
            else { continue }
            beginnings[original, default: []].append(purchased)
        }
        return beginnings
    }

    /// Whether `purchase` was cancelled because an upgrade took its place: another period of the
    /// same subscription begins while it runs, at its cancellation or shortly before.
    ///
    /// Apple sets the date of cancellation for a refund and for an upgrade. In an upgrade it is a
    /// few seconds behind the beginning of the period that replaces this one, and the part of the
    /// money that Apple gives back is no refund of the period: its credits end, no more.
    private static func isUpgraded(
        _ purchase: ReceiptAttributes.Purchase,
        _ beginnings: [Int64]
    ) -> Bool {
        guard let cancelled = purchase.cancelled, let expires = purchase.expires,
            let purchased = purchase.purchased
        else { return false }
        return beginnings.contains { begins in
            purchased < begins && begins < expires && begins <= cancelled
                && cancelled - begins <= ReceiptContentLimits.upgradeMilliseconds
        }
    }

    private static func transaction(
        _ purchase: ReceiptAttributes.Purchase,
        created: Moment
    ) -> TransactionFact? {
        guard let id = name(purchase.transactionID), let product = name(purchase.productID),
            let purchased = purchase.purchased
        else { return nil }
        // The digest of the purchase's own bytes gives an order to two purchases with the same id
        // in one receipt.
        let digest = Digest256(bytes: Digest.sha256(Array(purchase.bytes)))
        var fact = TransactionFact(
            id: id,
            version: Version(signed: created, digest: digest),
            productID: product,
            purchased: Moment(purchased)
        )
        if let expires = purchase.expires {
            guard expires >= purchased else { return nil }
            fact.expires = Moment(expires)
        }
        let quantity = purchase.quantity ?? 1
        guard (1...Int64(Int32.max)).contains(quantity) else { return nil }
        fact.quantity = quantity
        fact.revoked = purchase.cancelled.map { Moment($0) }
        fact.kind = kind(of: purchase)
        fact.terms = .ofReceipt
        if purchase.isTrial {
            fact.offerType = 1
            fact.offerDiscount = "FREE_TRIAL"
        } else if purchase.isIntroductory {
            fact.offerType = 1
        } else if purchase.promotion != nil {
            fact.offerType = 2
        }
        return fact
    }

    /// The words of transactions for the numbers of type 1707, which Apple does not document.
    ///
    /// So the end of a period is examined first: in a receipt only auto-renewable subscriptions
    /// have one.
    private static func kind(of purchase: ReceiptAttributes.Purchase) -> String {
        if purchase.expires != nil { return "Auto-Renewable Subscription" }
        return switch purchase.kind {
        case 0: "Non-Consumable"
        case 1: "Consumable"
        case 2: "Non-Renewing Subscription"
        default: ""
        }
    }

    private static func name(_ text: String?) -> String? {
        text.flatMap { DecodedDocument.isName($0) ? $0 : nil }
    }
}
