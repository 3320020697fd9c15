import Entitlements
import JSON
import Wire

extension RowReading {
    static func subscription(
        of key: SubscriptionKey,
        _ value: RowMembers
    ) throws(RowReading) -> Subscription {
        var transactions: [TransactionFact] = []
        var traces: [TransactionTrace] = []
        typealias Limits = Entitlements.Limits
        let kept =
            key.store.signsDocuments
            ? Limits.transactionsKeptMax : Limits.pastTransactionsMax + Limits.statedItemsMax
        for one in try value.objects("transactions", countMax: kept) {
            let transaction = try transaction(one)
            transactions.append(transaction)
            traces.append(try trace(of: transaction, one))
        }
        var subscription = Subscription(
            key: key,
            transactions: transactions,
            renewal: try value.optionalObject("renewal", renewal),
            status: try value.optionalObject("status", status),
            renewalDisabled: try value.optionalMoment("cancelledAt"),
            everEntitled: try value.flag("everEntitled"),
            bearer: try value.optionalObject("newestToken") { (bearer) throws(RowReading) in
                TokenBearer(
                    purchased: try bearer.moment("purchaseDate"),
                    version: try bearer.version(),
                    transactionID: try bearer.name("transactionId"),
                    token: try bearer.token("appAccountToken")
                )
            },
            tokens: try value.tokens("tokens", countMax: Entitlements.Limits.tokensKeptMax),
            link: try value.optionalUser("link"),
            owner: try value.optionalUser("owner"),
            sharers: try value.users("sharedWith", countMax: Entitlements.Limits.sharersMax),
            successors: try successors(of: key, value),
            traces: traces,
            claims: try claims(value),
            linkedAt: try value.optionalMoment("linkedAt"),
            revocations: try revocations(value),
            named: try namedUsers(value),
            replacedAt: try value.optionalMoment("replacedAt"),
            replacements: try replacements(value)
        )
        if value.has("dated") { subscription.isDated = try value.flag("dated") }
        return subscription
    }

    /// As an older release dumped it, without what it did not keep.
    private static func trace(
        of transaction: TransactionFact,
        _ value: RowMembers
    ) throws(RowReading) -> TransactionTrace {
        guard value.has("firstSignedDate") else { return TransactionTrace(transaction) }
        return TransactionTrace(
            first: try value.moment("firstSignedDate"),
            unrevoked: try value.optionalMoment("unrevokedSignedDate")
        )
    }

    private static func claims(_ value: RowMembers) throws(RowReading) -> [TokenClaim]? {
        guard value.has("claims") else { return nil }
        var claims: [TokenClaim] = []
        for one in try value.objects("claims", countMax: Entitlements.Limits.claimsKeptMax) {
            claims.append(
                TokenClaim(
                    token: try one.token("appAccountToken"),
                    purchased: try one.moment("purchaseDate"),
                    transactionID: try one.name("transactionId"),
                    version: try one.version()
                )
            )
        }
        return claims
    }

    private static func successors(
        of key: SubscriptionKey,
        _ value: RowMembers
    ) throws(RowReading) -> [SubscriptionKey] {
        guard value.has("successors") else { return [] }
        let names = try value.texts(
            "successors",
            countMax: Entitlements.Limits.successorsMax
        )
        guard names.allSatisfy(RowMembers.isName) else { throw value.wrong("successors") }
        return names.map { SubscriptionKey(key, originalID: $0) }
    }

    private static func transaction(_ value: RowMembers) throws(RowReading) -> TransactionFact {
        var fact = TransactionFact(
            id: try value.name("transactionId"),
            version: try value.version(),
            productID: try value.plainText("productId"),
            purchased: try value.moment("purchaseDate")
        )
        fact.expires = try value.optionalMoment("expiresDate")
        fact.revoked = try value.optionalMoment("revocationDate")
        fact.isUpgraded = try value.flag("isUpgraded")
        fact.kind = try value.text("type", isEmptyFine: true)
        fact.ownership = try value.text("inAppOwnershipType", isEmptyFine: true)
        fact.offerType = try value.optionalInteger("offerType")
        fact.offerDiscount = try value.optionalText("offerDiscountType")
        if try value.optionalText("appAccountToken") != nil {
            fact.token = try value.token("appAccountToken")
        }
        fact.quantity = try value.integer("quantity")
        fact.revocationReason = try value.optionalInteger("revocationReason")
        fact.reason = try value.optionalText("transactionReason")
        fact.terms = try terms(value)
        return fact
    }

    private static func renewal(_ value: RowMembers) throws(RowReading) -> RenewalFact {
        var fact = RenewalFact(version: try value.version())
        if value.has("autoRenew") { fact.autoRenew = try value.flag("autoRenew") }
        if value.has("autoRenewProductId") {
            fact.nextProductID = try value.plainText("autoRenewProductId")
        }
        fact.isInBillingRetry = try value.flag("isInBillingRetryPeriod")
        fact.graceUntil = try value.optionalMoment("gracePeriodExpiresDate")
        fact.expirationIntent = try value.optionalInteger("expirationIntent")
        fact.priceIncreaseStatus = try value.optionalInteger("priceIncreaseStatus")
        fact.renewalDate = try value.optionalMoment("renewalDate")
        fact.terms = try renewalTerms(value)
        return fact
    }
}
