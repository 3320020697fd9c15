import Entitlements
import JSON

/// Questions about purchases.
///
/// TLS proves who answered, but only a signature makes a fact, so the storefront verifies the API's
/// answers like any other document.
extension AppStoreQuestions {
    /// Get All Subscription Statuses: the subscriptions of the customer who made it.
    ///
    /// The store's own status number is not signed in this answer, and is not used.
    package func state(
        of key: SubscriptionKey,
        kept: Subscription?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard key.store == store, let id = StoreName(key.originalID) else { return nil }
        let request = request(.get, "/inApps/v1/subscriptions/\(id.text)", in: scope)
        return StoreQuestion(request) { (reply, now) throws(StoreAPIFailure) in
            let answer = try AppStoreReplies.object(in: reply)
            guard let groups = answer["data"]?.array else {
                throw AppStoreReplies.shapeless("data")
            }
            var statement = StoreStatement()
            for group in groups {
                guard let items = group["lastTransactions"]?.array else {
                    throw AppStoreReplies.shapeless("lastTransactions")
                }
                for item in items { try add(item, to: &statement, at: now) }
            }
            return .answer(statement)
        }
    }

    /// Get Transaction History, version 2, ordered by change, the oldest change first.
    package func history(
        of key: SubscriptionKey,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        guard key.store == store, let id = StoreName(key.originalID) else { return nil }
        return history(of: id, after: nil, in: scope)
    }

    /// Get Transaction Info: the signed transaction.
    package func purchase(
        _ hint: PurchaseHint,
        in scope: StoreScope
    ) -> StoreQuestion<PurchaseAnswer>? {
        switch hint {
        case .transaction(let id):
            guard let id = StoreName(id) else { return nil }
            return StoreQuestion(transaction(id, in: scope)) {
                (reply, _) throws(StoreAPIFailure) in
                .answer(.document(try document(in: reply)))
            }
        case .purchaseToken, .checkoutSession, .subscription, .withdrawal, .partialWithdrawal:
            return nil
        }
    }

    /// Get Notification History; the body is the same for every page.
    package func missed(
        in window: Range<Moment>,
        onlyFailures: Bool,
        of scope: StoreScope
    ) -> StoreQuestion<StoreStatement>? {
        var body: JSONObject = [
            "startDate": .integer(window.lowerBound.milliseconds),
            "endDate": .integer(window.upperBound.milliseconds),
        ]
        if onlyFailures { body["onlyFailures"] = true }
        return notifications(JSONValue.object(body).bytes, after: nil, in: scope)
    }

    private func notifications(
        _ body: [UInt8],
        after token: String?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement> {
        let request = request(
            .post,
            "/inApps/v1/notifications/history",
            query: token.map { [(name: "paginationToken", value: $0)] } ?? [],
            body: .json(body),
            in: scope
        )
        return StoreQuestion(request) { (reply, now) throws(StoreAPIFailure) in
            let answer = try AppStoreReplies.object(in: reply)
            guard let items = answer["notificationHistory"]?.array else {
                throw AppStoreReplies.shapeless("notificationHistory")
            }
            var payloads: [[UInt8]] = []
            for item in items {
                guard let text = item["signedPayload"]?.string else {
                    throw AppStoreReplies.shapeless("signedPayload")
                }
                payloads.append(Array(text.utf8))
            }
            let next = try Self.next(in: answer, "paginationToken", after: token)
            var statement = StoreStatement()
            for payload in payloads { add(notification: payload, to: &statement, at: now) }
            statement.next = next.map { notifications(body, after: $0, in: scope) }
            return .answer(statement)
        }
    }

    private func history(
        of id: StoreName,
        after revision: String?,
        in scope: StoreScope
    ) -> StoreQuestion<StoreStatement> {
        var query = [(name: "sort", value: "ASCENDING")]
        if let revision { query.append((name: "revision", value: revision)) }
        let request = request(.get, "/inApps/v2/history/\(id.text)", query: query, in: scope)
        return StoreQuestion(request) { (reply, now) throws(StoreAPIFailure) in
            let answer = try AppStoreReplies.object(in: reply)
            guard let items = answer["signedTransactions"]?.array else {
                throw AppStoreReplies.shapeless("signedTransactions")
            }
            var documents: [[UInt8]] = []
            for item in items {
                guard let text = item.string else {
                    throw AppStoreReplies.shapeless("signedTransactions")
                }
                documents.append(Array(text.utf8))
            }
            let next = try Self.next(in: answer, "revision", after: revision)
            var statement = StoreStatement()
            for document in documents { add(transaction: document, to: &statement, at: now) }
            statement.next = next.map { history(of: id, after: $0, in: scope) }
            return .answer(statement)
        }
    }

    /// The token of the next page.
    ///
    /// A page that names itself as the next would be read for ever, and one without a token would
    /// lose the rest, so both are failures.
    private static func next(
        in answer: JSONValue,
        _ member: String,
        after token: String?
    ) throws(StoreAPIFailure) -> String? {
        guard answer["hasMore"]?.bool == true else { return nil }
        guard let next = answer[member]?.string, !next.isEmpty, next != token else {
            throw AppStoreReplies.shapeless(member)
        }
        return next
    }
}

// The documents in answers, judged.
extension AppStoreQuestions {
    /// One of the last transactions of Get All Subscription Statuses.
    private func add(
        _ item: JSONValue,
        to statement: inout StoreStatement,
        at now: Moment
    ) throws(StoreAPIFailure) {
        guard let original = item["originalTransactionId"]?.string,
            let transaction = item["signedTransactionInfo"]?.string
        else { throw AppStoreReplies.shapeless("signedTransactionInfo") }
        statement.documents += 1
        let verdict = storefront.verdict(
            onPurchase: Array(transaction.utf8),
            renewal: item["signedRenewalInfo"]?.string.map { Array($0.utf8) },
            at: now
        )
        switch verdict {
        case .genuine(let fact) where fact.key.originalID == original:
            statement.facts.append(fact)
        case .genuine:
            statement.refusals.append(.init(.wrongDocument, "listed under another id"))
        case .refused(let fault, let detail): statement.refusals.append(.init(fault, detail))
        }
    }

    private func add(
        transaction: [UInt8],
        to statement: inout StoreStatement,
        at now: Moment
    ) {
        statement.documents += 1
        switch storefront.verdict(onPurchase: transaction, renewal: nil, at: now) {
        case .genuine(let fact): statement.facts.append(fact)
        case .refused(let fault, let detail): statement.refusals.append(.init(fault, detail))
        }
    }

    private func add(
        notification payload: [UInt8],
        to statement: inout StoreStatement,
        at now: Moment
    ) {
        statement.documents += 1
        switch storefront.verdict(onNotification: payload, at: now) {
        case .genuine(let notification): statement.notifications.append(notification)
        case .foreign: break
        // The signature holds, so another walk would find the same document: do not fail the walk.
        case .unreadable(_, let detail, _): statement.unreadable.append(detail)
        case .refused(let fault, let detail): statement.refusals.append(.init(fault, detail))
        case .malformed: statement.refusals.append(.init(.malformed, "no notification"))
        case .announced, .undecided:
            statement.refusals.append(.init(.wrongDocument, "not a kind that Apple sends"))
        }
    }
}

// Helpers that several questions share.
extension AppStoreQuestions {
    func request(
        _ method: StoreRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = [],
        body: StoreBody? = nil,
        budget: StoreBudget = .ordinary,
        isRepeatable: Bool = true,
        in scope: StoreScope
    ) -> StoreRequest {
        StoreRequest(
            method,
            host(of: scope),
            path,
            query: query,
            body: body,
            budget: budget,
            isRepeatable: isRepeatable
        )
    }

    func transaction(_ id: StoreName, in scope: StoreScope) -> StoreRequest {
        request(.get, "/inApps/v1/transactions/\(id.text)", in: scope)
    }

    /// The signed transaction in an answer of Get Transaction Info.
    func document(in reply: StoreReply) throws(StoreAPIFailure) -> [UInt8] {
        let answer = try AppStoreReplies.object(in: reply)
        guard let transaction = answer["signedTransactionInfo"]?.string else {
            throw AppStoreReplies.shapeless("signedTransactionInfo")
        }
        return Array(transaction.utf8)
    }
}
