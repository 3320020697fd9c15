import Entitlements
import JSON

/// The terms of transactions and renewals, under the names of Apple's pages; what is absent is not
/// there, since of most of them most is absent.
extension RowView {
    static func members(of terms: TransactionTerms) -> JSONObject {
        var object: JSONObject = [:]
        object["price"] = terms.price.map { .integer($0) }
        object["currency"] = terms.currency.map { .string($0) }
        object["storefront"] = terms.storefront.map { .string($0) }
        object["subscriptionGroupIdentifier"] = terms.group.map { .string($0) }
        object["offerIdentifier"] = terms.offerID.map { .string($0) }
        object["offerPeriod"] = terms.offerPeriod.map { .string($0) }
        object["revocationType"] = terms.revocationType.map { .string($0) }
        object["revocationPercentage"] = terms.revocationPercentage.map { .integer($0) }
        object["previousOriginalTransactionId"] = terms.previousOriginalID.map { .string($0) }
        object["billingPlanType"] = terms.billingPlan.map { .string($0) }
        object["commitmentInfo"] = terms.commitment.map(view)
        object["variant"] = terms.variant.map { .string($0) }
        object["lookupKey"] = terms.lookupKey.map { .string($0) }
        return object
    }

    private static func view(_ commitment: Commitment) -> JSONValue {
        [
            "billingPeriodNumber": commitment.period.map { .integer($0) } ?? .null,
            "totalBillingPeriods": commitment.periods.map { .integer($0) } ?? .null,
            "commitmentPrice": commitment.price.map { .integer($0) } ?? .null,
            "commitmentExpiresDate": .exact(commitment.expires),
        ]
    }

    static func members(of origin: TransactionOrigin?) -> JSONObject {
        var object: JSONObject = [:]
        object["bundleId"] = origin?.app.map { .string($0) }
        object["appTransactionId"] = origin?.appTransactionID.map { .string($0) }
        return object
    }

    static func members(of terms: RenewalTerms) -> JSONObject {
        var object: JSONObject = [:]
        object["renewalBillingPlanType"] = terms.billingPlan.map { .string($0) }
        object["commitmentAutoRenew"] = terms.commitmentRenews.map { .bool($0) }
        object["commitmentAutoRenewProductId"] = terms.commitmentProductID.map { .string($0) }
        object["commitmentRenewalBillingPlanType"] = terms.commitmentBillingPlan
            .map { .string($0) }
        object["commitmentRenewalDate"] = terms.commitmentRenewalDate.map { .exact($0) }
        object["commitmentRenewalPrice"] = terms.commitmentPrice.map { .integer($0) }
        object["resumesAt"] = terms.resumes.map { .exact($0) }
        return object
    }
}

extension RowReading {
    static func terms(_ value: RowMembers) throws(RowReading) -> TransactionTerms {
        var terms = TransactionTerms()
        terms.price = try value.optionalInteger("price")
        terms.currency = try value.optionalShortText("currency")
        terms.storefront = try value.optionalShortText("storefront")
        terms.group = try value.optionalShortText("subscriptionGroupIdentifier")
        terms.offerID = try value.optionalShortText("offerIdentifier")
        terms.offerPeriod = try value.optionalShortText("offerPeriod")
        terms.revocationType = try value.optionalShortText("revocationType")
        terms.revocationPercentage = try value.optionalInteger("revocationPercentage")
        if value.has("previousOriginalTransactionId") {
            terms.previousOriginalID = try value.name("previousOriginalTransactionId")
        }
        terms.billingPlan = try value.optionalShortText("billingPlanType")
        terms.commitment = try value.optionalObject("commitmentInfo") {
            (info) throws(RowReading) in
            Commitment(
                period: try info.optionalInteger("billingPeriodNumber"),
                periods: try info.optionalInteger("totalBillingPeriods"),
                price: try info.optionalInteger("commitmentPrice"),
                expires: try info.optionalMoment("commitmentExpiresDate")
            )
        }
        terms.variant = try value.optionalShortText("variant")
        terms.lookupKey = try value.optionalShortText("lookupKey")
        return terms
    }

    static func renewalTerms(_ value: RowMembers) throws(RowReading) -> RenewalTerms {
        var terms = RenewalTerms()
        terms.billingPlan = try value.optionalShortText("renewalBillingPlanType")
        if value.has("commitmentAutoRenew") {
            terms.commitmentRenews = try value.flag("commitmentAutoRenew")
        }
        terms.commitmentProductID = try value.optionalShortText("commitmentAutoRenewProductId")
        terms.commitmentBillingPlan =
            try value.optionalShortText("commitmentRenewalBillingPlanType")
        terms.commitmentRenewalDate = try value.optionalMoment("commitmentRenewalDate")
        terms.commitmentPrice = try value.optionalInteger("commitmentRenewalPrice")
        terms.resumes = try value.optionalMoment("resumesAt")
        return terms
    }
}

extension JSONObject {
    /// The same with `others` behind.
    func adding(_ others: JSONObject) -> JSONObject {
        var object = self
        for member in others.members { object[member.key] = member.value }
        return object
    }
}
