import Entitlements
import JSON

/// Questions and orders that a caller requests.
extension AppStoreQuestions {
    /// Request a Test Notification, then Get Test Notification Status.
    package func testNotification(in scope: StoreScope) -> StoreQuestion<PendingTest>? {
        let request = request(.post, "/inApps/v1/notifications/test", budget: .tests, in: scope)
        return StoreQuestion(request) { (reply, _) throws(StoreAPIFailure) in
            let token = try AppStoreReplies.object(in: reply)["testNotificationToken"]?.string
            guard let token = token.flatMap(StoreName.init) else {
                throw AppStoreReplies.shapeless("testNotificationToken")
            }
            return .answer(PendingTest(result: testResult(of: token, in: scope)))
        }
    }

    /// Send Consumption Information, version 2.
    package func consumption(
        _ report: ConsumptionReport,
        in scope: StoreScope
    ) -> StoreQuestion<Void>? {
        guard let id = StoreName(report.transactionID) else { return nil }
        var body: JSONObject = [
            "customerConsented": true,
            "deliveryStatus": .string(report.delivery.rawValue),
            "sampleContentProvided": .bool(report.sampleProvided),
        ]
        body["consumptionPercentage"] = report.consumedMilliPercent.map { .integer($0) }
        body["refundPreference"] = report.preference.map { .string($0.rawValue) }
        let request = request(
            .put,
            "/inApps/v2/transactions/consumption/\(id.text)",
            body: .json(JSONValue.object(body).bytes),
            in: scope
        )
        return StoreQuestion(request) { (reply, _) throws(StoreAPIFailure) in
            _ = try AppStoreReplies.object(in: reply)
            return .answer(())
        }
    }

    /// Extend a Subscription Renewal Date.
    ///
    /// Apple requires the id of the first transaction. If the wish names another one, Apple does
    /// not know it, and the subscription's first transaction is asked for first.
    package func extend(
        _ wish: ExtensionWish,
        in scope: StoreScope
    ) -> StoreQuestion<RenewalExtension>? {
        guard let id = StoreName(wish.transactionID) else { return nil }
        return StoreQuestion(extensionRequest(wish, of: id, in: scope), reading: [404]) {
            (reply, now) throws(StoreAPIFailure) in
            if reply.isSuccess { return .answer(try Self.renewal(of: id, in: reply)) }
            let failure = failure(of: reply, at: now)
            guard failure.kind == .unknown else { throw failure }
            return .ask(
                StoreQuestion(transaction(id, in: scope)) { (reply, now) throws(StoreAPIFailure) in
                    let original = try original(in: reply, at: now)
                    guard original != id else { throw failure }
                    let request = extensionRequest(wish, of: original, in: scope)
                    return .ask(
                        StoreQuestion(request) { (reply, _) throws(StoreAPIFailure) in
                            .answer(try Self.renewal(of: original, in: reply))
                        }
                    )
                }
            )
        }
    }

    private func testResult(
        of token: StoreName,
        in scope: StoreScope
    ) -> StoreQuestion<TestNotificationResult?> {
        let request = request(
            .get,
            "/inApps/v1/notifications/test/\(token.text)",
            budget: .tests,
            in: scope
        )
        return StoreQuestion(request, reading: [404]) { (reply, now) throws(StoreAPIFailure) in
            guard reply.isSuccess else {
                guard AppStoreReplies.code(in: reply) == Self.testNotFound else {
                    throw failure(of: reply, at: now)
                }
                return .answer(nil)
            }
            let attempts = try AppStoreReplies.object(in: reply)["sendAttempts"]?.array ?? []
            let words = attempts.compactMap { attempt in
                attempt["sendAttemptResult"]?.string.flatMap { StoreName($0)?.text }
            }
            return .answer(
                words.last.map { last in
                    TestNotificationResult(
                        delivered: words.contains("SUCCESS"),
                        sendAttemptResult: last
                    )
                }
            )
        }
    }

    private func extensionRequest(
        _ wish: ExtensionWish,
        of original: StoreName,
        in scope: StoreScope
    ) -> StoreRequest {
        let body: JSONObject = [
            "extendByDays": .integer(wish.days),
            "extendReasonCode": .integer(wish.reason),
            "requestIdentifier": .string(wish.requestID),
        ]
        return request(
            .put,
            "/inApps/v1/subscriptions/extend/\(original.text)",
            body: .json(JSONValue.object(body).bytes),
            budget: .extensions,
            isRepeatable: false,
            in: scope
        )
    }

    private static func renewal(
        of original: StoreName,
        in reply: StoreReply
    ) throws(StoreAPIFailure) -> RenewalExtension {
        let answer = try AppStoreReplies.object(in: reply)
        guard let isSuccess = answer["success"]?.bool else {
            throw AppStoreReplies.shapeless("success")
        }
        return RenewalExtension(
            originalTransactionID: answer["originalTransactionId"]?.string ?? original.text,
            webOrderLineItemID: answer["webOrderLineItemId"]?.string,
            isSuccess: isSuccess,
            effective: answer["effectiveDate"]?.int64.map { Moment($0) }
        )
    }

    /// The subscription of a transaction, as the store signed it.
    private func original(
        in reply: StoreReply,
        at now: Moment
    ) throws(StoreAPIFailure) -> StoreName {
        let document = try document(in: reply)
        let verdict = storefront.verdict(onPurchase: document, renewal: nil, at: now)
        guard case .genuine(let fact) = verdict, let original = StoreName(fact.key.originalID)
        else {
            throw StoreAPIFailure(.malformed, "a transaction that does not verify")
        }
        return original
    }

    /// Apple's error number for a test whose result is not known yet.
    private static let testNotFound: Int64 = 4_040_008
}
