import Entitlements
import JSON

/// Writes the payloads that the words of one step stand for.
struct ApplePayloadWriter {
    private let step: ScenarioStep
    private let names: ScenarioNames

    init(_ step: ScenarioStep, _ names: ScenarioNames) {
        self.step = step
        self.names = names
    }

    func outer() throws(ScenarioFailure) -> JSONObject {
        let words = step.subject.split(separator: "/", omittingEmptySubsequences: false)
        let label = step.words["uuid"].map { "label \($0)" } ?? "line \(step.line)"
        var outer: JSONObject = [
            "notificationType": .string(String(words[0])),
            "notificationUUID": .string(names.uuid("notification \(label)")),
            "version": "2.0",
            "signedDate": try signed("signed"),
        ]
        if words.count > 1 { outer["subtype"] = .string(String(words[1])) }
        return outer
    }

    func app() -> JSONObject {
        [
            "appAppleId": .integer(ApplePayloads.appAppleID),
            "bundleId": .string(ApplePayloads.bundleID),
            "environment": environment,
        ]
    }

    func summary() -> JSONObject {
        var object = app()
        object["requestIdentifier"] = .string(names.uuid("extension"))
        object["productId"] = .string(step.words["product"] ?? "monthly")
        object["storefrontCountryCodes"] = ["USA"]
        object["succeededCount"] = 5
        object["failedCount"] = 1
        return object
    }

    func externalPurchaseToken() throws(ScenarioFailure) -> JSONObject {
        let prefix = step.words["env"] == "Sandbox" ? "SANDBOX_" : ""
        return [
            "externalPurchaseId": .string(prefix + names.uuid("external")),
            "tokenCreationDate": try signed("signed"),
            "appAppleId": .integer(ApplePayloads.appAppleID),
            "bundleId": .string(ApplePayloads.bundleID),
        ]
    }

    func appTransaction() throws(ScenarioFailure) -> JSONValue {
        let name = step.words["appTransaction"].map { names.uuid("app transaction \($0)") }
        return [
            "receiptType": environment,
            "appAppleId": .integer(ApplePayloads.appAppleID),
            "bundleId": .string(ApplePayloads.bundleID),
            "applicationVersion": "1",
            "receiptCreationDate": try signed("signed"),
            "appTransactionId": .string(name ?? "704000000000000000"),
            "originalPlatform": "iOS",
        ]
    }

    /// The transaction (JWSTransactionDecodedPayload); nil for a notification without one.
    func transaction() throws(ScenarioFailure) -> JSONValue? {
        guard step.words["tx"] != nil else { return nil }
        guard let product = step.words["product"], let purchased = try moment("purchase") else {
            throw ScenarioFailure(line: step.line, "a transaction names product and purchase")
        }
        let isRenewal = step.words["tx"] != original
        var payload: JSONObject = [
            "transactionId": try transactionID(step.words["tx"] ?? ""),
            "originalTransactionId": try transactionID(original),
            "webOrderLineItemId": try transactionID(step.words["tx"] ?? ""),
            "bundleId": .string(ApplePayloads.bundleID),
            "productId": .string(product),
            "subscriptionGroupIdentifier": "21000000",
            "purchaseDate": purchased,
            "originalPurchaseDate": purchased,
            "quantity": .integer(try step.number("quantity") ?? 1),
            "type": .string(kind),
            "inAppOwnershipType": step.words["family"] == nil ? "PURCHASED" : "FAMILY_SHARED",
            "signedDate": try signed("txSigned"),
            "environment": environment,
            "transactionReason": .string(
                step.words["reason"]?.uppercased() ?? (isRenewal ? "RENEWAL" : "PURCHASE")
            ),
            "storefront": "USA",
            "storefrontId": "143441",
            "price": 9990,
            "currency": "USD",
            "appTransactionId": "704000000000000000",
        ]
        if let previous = step.words["previous"] {
            payload["previousOriginalTransactionId"] = try transactionID(previous)
        }
        if kind != "Auto-Renewable Subscription" { payload["subscriptionGroupIdentifier"] = nil }
        payload["expiresDate"] = try moment("expires")
        if let token = step.words["token"] {
            payload["appAccountToken"] = .string(names.token(token))
        }
        if let revoked = try moment("revoked") {
            payload["revocationDate"] = revoked
            payload["revocationReason"] = .integer(try step.number("revocationReason") ?? 0)
            payload["revocationPercentage"] = try step.number("share").map { .integer($0) }
            payload["revocationType"] = step.words["revocationType"].map { .string($0) }
        }
        try addCommitment(to: &payload)
        try addItem(to: &payload)
        if step.words["upgraded"] != nil { payload["isUpgraded"] = true }
        try addOffer(to: &payload)
        return .object(payload)
    }

    /// The twelfth of a commitment that ends at a moment: `committedUntil`, `payment`.
    private func addCommitment(to payload: inout JSONObject) throws(ScenarioFailure) {
        guard let end = try moment("committedUntil") else { return }
        payload["billingPlanType"] = "MONTHLY"
        payload["commitmentInfo"] = [
            "billingPeriodNumber": .integer(try step.number("payment") ?? 1),
            "totalBillingPeriods": 12,
            "commitmentPrice": 119_880,
            "commitmentExpiresDate": end,
        ]
    }

    /// Two items, the second of which was refunded at a moment: `itemRevoked`.
    private func addItem(to payload: inout JSONObject) throws(ScenarioFailure) {
        guard let revoked = try moment("itemRevoked") else { return }
        let refund: JSONValue = [
            "refundAmount": 990, "refundDate": revoked,
            "refundReason": "UNSATISFIED_WITH_PURCHASE", "refundType": "FULL",
        ]
        payload["advancedCommerceInfo"] = [
            "requestReferenceId": .string(names.uuid("commerce")), "taxCode": "C003-00-2",
            "items": [
                ["SKU": "base", "displayName": "Base", "price": 9_000],
                [
                    "SKU": "extra", "displayName": "Extra", "price": 990,
                    "refunds": [refund], "revocationDate": revoked,
                ],
            ],
        ]
    }

    private func addOffer(to payload: inout JSONObject) throws(ScenarioFailure) {
        let (type, discount): (Int64, JSONValue)
        switch step.words["offer"] {
        case nil: return
        case "trial": (type, discount) = (1, "FREE_TRIAL")
        case "intro": (type, discount) = (1, "PAY_AS_YOU_GO")
        case "promo": (type, discount) = (2, "FREE_TRIAL")
        case "code": (type, discount) = (3, "PAY_UP_FRONT")
        case "freecode": (type, discount) = (3, "FREE_TRIAL")
        case "freewinback": (type, discount) = (4, "FREE_TRIAL")
        case "winback": (type, discount) = (4, "PAY_AS_YOU_GO")
        case let other?: throw ScenarioFailure(line: step.line, "no such offer: \(other)")
        }
        payload["offerType"] = .integer(type)
        payload["offerDiscountType"] = discount
        payload["offerPeriod"] = "P1W"
        if type != 1 { payload["offerIdentifier"] = "spring" }
        if discount == "FREE_TRIAL" { payload["price"] = 0 }
    }

    /// The renewal information (JWSRenewalInfoDecodedPayload); nil where no word speaks of it.
    func renewal() throws(ScenarioFailure) -> JSONValue? {
        let speaking = [
            "autoRenew", "next", "grace", "retrying", "intent", "priceIncrease", "recommits",
        ]
        guard step.words["tx"] != nil, speaking.contains(where: { step.words[$0] != nil }) else {
            return nil
        }
        let product = step.words["product"] ?? ""
        var payload: JSONObject = [
            "originalTransactionId": try transactionID(original),
            "productId": .string(product),
            "autoRenewProductId": .string(step.words["next"] ?? product),
            "autoRenewStatus": .integer(try step.number("autoRenew") ?? 1),
            "environment": environment,
            "signedDate": try signed("renewalSigned"),
            "appTransactionId": "704000000000000000",
        ]
        payload["renewalDate"] = try moment("expires")
        if let retrying = step.words["retrying"] {
            payload["isInBillingRetryPeriod"] = .bool(retrying != "no")
        }
        payload["gracePeriodExpiresDate"] = try moment("grace")
        if let intent = try step.number("intent") { payload["expirationIntent"] = .integer(intent) }
        if let recommits = try step.number("recommits") {
            payload["renewalBillingPlanType"] = "MONTHLY"
            payload["commitmentInfo"] = [
                "commitmentAutoRenewProductId": .string(product),
                "commitmentAutoRenewStatus": .integer(recommits),
                "commitmentRenewalBillingPlanType": "MONTHLY",
                "commitmentRenewalDate": try moment("committedUntil") ?? .null,
                "commitmentRenewalPrice": 119_880,
            ]
        }
        if let consent = try step.number("priceIncrease") {
            payload["priceIncreaseStatus"] = .integer(consent)
        }
        return .object(payload)
    }

    private var original: String { step.words["original"] ?? "1" }

    private var environment: JSONValue { .string(step.words["env"] ?? "Production") }

    private var kind: String {
        switch step.words["kind"] {
        case "consumable": "Consumable"
        case "nonconsumable": "Non-Consumable"
        case "nonrenewing": "Non-Renewing Subscription"
        default: "Auto-Renewable Subscription"
        }
    }

    private func transactionID(_ word: String) throws(ScenarioFailure) -> JSONValue {
        guard let id = names.transactionID(word) else {
            throw ScenarioFailure(
                line: step.line,
                "a transaction is a number from 1 to 999: \(word)"
            )
        }
        return .string(id)
    }

    private func moment(_ key: String) throws(ScenarioFailure) -> JSONValue? {
        guard let moment = try step.moment(key) else { return nil }
        return .integer(names.moment(moment).milliseconds)
    }

    /// The signing time: that of the document, else of the notification, else the step's moment.
    private func signed(_ key: String) throws(ScenarioFailure) -> JSONValue {
        if let signed = try moment(key) { return signed }
        if let signed = try moment("signed") { return signed }
        return .integer(names.moment(step.at).milliseconds)
    }
}
