import Entitlements
import JSON

/// The parts of a transaction and a renewal that do not decide about access.
///
/// None of these is required: a value whose form differs from Apple's pages counts as absent.
extension AppStoreDecoder {
    static func terms(of document: DecodedDocument) -> TransactionTerms {
        let payload = document.payload
        var terms = TransactionTerms()
        terms.price = payload["price"]?.int64.flatMap { $0 < 0 ? nil : $0 }
        terms.currency = payload["currency"]?.string.flatMap(word)
        terms.storefront = payload["storefront"]?.string.flatMap(word)
        terms.group = payload["subscriptionGroupIdentifier"]?.string.flatMap(named)
        terms.offerID = payload["offerIdentifier"]?.string.map(shortened)
        terms.offerPeriod = payload["offerPeriod"]?.string.flatMap(word)
        terms.revocationType = payload["revocationType"]?.string.flatMap(word)
        terms.revocationPercentage = payload["revocationPercentage"]?.int64
        terms.previousOriginalID = payload["previousOriginalTransactionId"]?.string.flatMap(named)
        terms.billingPlan = payload["billingPlanType"]?.string.flatMap(word)
        if let info = payload["commitmentInfo"], info.object != nil {
            terms.commitment = Commitment(
                period: info["billingPeriodNumber"]?.int64,
                periods: info["totalBillingPeriods"]?.int64,
                price: info["commitmentPrice"]?.int64,
                expires: info["commitmentExpiresDate"]?.int64.map { Moment($0) }
            )
        }
        return terms
    }

    static func renewalTerms(of document: DecodedDocument) -> RenewalTerms {
        let payload = document.payload
        var terms = RenewalTerms()
        terms.billingPlan = payload["renewalBillingPlanType"]?.string.flatMap(word)
        guard let info = payload["commitmentInfo"], info.object != nil else { return terms }
        terms.commitmentRenews = info["commitmentAutoRenewStatus"]?.int64.map { $0 != 0 }
        terms.commitmentProductID = info["commitmentAutoRenewProductId"]?.string.flatMap(named)
        terms.commitmentBillingPlan = info["commitmentRenewalBillingPlanType"]?.string
            .flatMap(word)
        terms.commitmentRenewalDate = info["commitmentRenewalDate"]?.int64.map { Moment($0) }
        terms.commitmentPrice = info["commitmentRenewalPrice"]?.int64
        return terms
    }

    /// An id, as the store writes it.
    static func named(_ text: String) -> String? { DecodedDocument.isName(text) ? text : nil }

    /// A short word of the store; nil if the text is none.
    static func word(_ text: String) -> String? {
        named(text).flatMap { $0.utf8.count <= 64 ? $0 : nil }
    }

    /// A name that a developer gave, shortened to the length that is stored.
    static func shortened(_ text: String) -> String {
        String(decoding: text.utf8.prefix(64), as: UTF8.self)
    }
}
