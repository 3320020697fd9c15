import Entitlements
import JSON

/// What the store says of one subscription: two signed documents, not yet verified.
package struct StatedSubscription: Hashable, Sendable {
    /// The id under which the store lists it.
    package let originalID: String
    /// Its newest transaction, signed.
    package let transaction: [UInt8]
    /// Its renewal information, signed.
    package let renewal: [UInt8]?
}

/// One page of the notification history; documents are not yet verified.
package struct NotificationPage: Hashable, Sendable {
    /// The notifications as they were, or should have been, delivered.
    package let payloads: [[UInt8]]
    /// What leads to the next page; nil on the last.
    package let next: String?
}

/// One page of a subscription's transactions; documents are not yet verified.
package struct TransactionPage: Hashable, Sendable {
    /// The signed transactions.
    package let transactions: [[UInt8]]
    /// What leads to the next page; nil on the last.
    package let next: String?
}

/// How a test notification fared.
package struct TestNotificationResult: Hashable, Sendable {
    /// Whether the store got a 2xx for it.
    package let delivered: Bool
    /// The store's word for its last attempt; nil where there was none in time.
    package let sendAttemptResult: String?

    /// A result.
    package init(delivered: Bool, sendAttemptResult: String?) {
        self.delivered = delivered
        self.sendAttemptResult = sendAttemptResult
    }
}

extension AppStoreServerAPI {
    /// Get All Subscription Statuses: the subscriptions of the customer who made `id`.
    ///
    /// The store's own number for the state is not signed here, and is left out.
    package func statuses(
        of id: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> [StatedSubscription] {
        let answer = try await answer(to: .statuses(of: id), haste)
        guard let groups = answer["data"]?.array else { throw .shapeless("data") }
        var stated: [StatedSubscription] = []
        for group in groups {
            guard let items = group["lastTransactions"]?.array else {
                throw .shapeless("lastTransactions")
            }
            for item in items {
                guard let original = item["originalTransactionId"]?.string,
                    let transaction = item["signedTransactionInfo"]?.string
                else { throw .shapeless("signedTransactionInfo") }
                let renewal = item["signedRenewalInfo"]?.string.map { Array($0.utf8) }
                stated.append(
                    StatedSubscription(
                        originalID: original,
                        transaction: Array(transaction.utf8),
                        renewal: renewal
                    )
                )
            }
        }
        return stated
    }

    /// Get Transaction Info: the signed transaction.
    package func transaction(
        _ id: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> [UInt8] {
        let answer = try await answer(to: .transaction(id), haste)
        guard let transaction = answer["signedTransactionInfo"]?.string else {
            throw .shapeless("signedTransactionInfo")
        }
        return Array(transaction.utf8)
    }

    /// Get Transaction History, version 2: one page, from the start or from `revision`.
    package func history(
        of id: StoreName,
        revision: String?,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> TransactionPage {
        let answer = try await answer(to: .history(of: id, revision: revision), haste)
        guard let items = answer["signedTransactions"]?.array else {
            throw .shapeless("signedTransactions")
        }
        return TransactionPage(
            transactions: try Self.documents(items, "signedTransactions") { $0.string },
            next: try Self.next(in: answer, "revision", after: revision)
        )
    }

    /// Get Notification History: one page, from the start or from `paginationToken`.
    package func notifications(
        in window: Range<Moment>,
        onlyFailures: Bool,
        paginationToken: String?,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> NotificationPage {
        let request = StoreRequest.notifications(
            in: window,
            onlyFailures: onlyFailures,
            paginationToken: paginationToken
        )
        let answer = try await answer(to: request, haste)
        guard let items = answer["notificationHistory"]?.array else {
            throw .shapeless("notificationHistory")
        }
        return NotificationPage(
            payloads: try Self.documents(items, "signedPayload") { $0["signedPayload"]?.string },
            next: try Self.next(in: answer, "paginationToken", after: paginationToken)
        )
    }

    /// Request a Test Notification: the token to ask with.
    package func requestTest(_ haste: Haste) async throws(StoreAPIFailure) -> StoreName {
        let answer = try await answer(to: .test(), haste)
        let token = answer["testNotificationToken"]?.string
        guard let token = token.flatMap(StoreName.init) else {
            throw .shapeless("testNotificationToken")
        }
        return token
    }

    /// Get Test Notification Status: the store's words for its attempts so far, in order.
    package func testAttempts(
        _ token: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> [String] {
        let answer = try await answer(to: .testStatus(token), haste)
        let attempts = answer["sendAttempts"]?.array ?? []
        return attempts.compactMap { attempt in
            attempt["sendAttemptResult"]?.string.flatMap { StoreName($0)?.text }
        }
    }

    /// Set App Account Token.
    package func setToken(
        _ token: Token,
        of original: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) {
        _ = try await answer(to: .setToken(token, of: original), haste)
    }

    /// Send Consumption Information, version 2.
    package func send(
        _ info: ConsumptionInfo,
        of id: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) {
        _ = try await answer(to: .consumption(info, of: id), haste)
    }

    /// Extend a Subscription Renewal Date.
    package func extend(
        _ wish: RenewalWish,
        of original: StoreName,
        _ haste: Haste
    ) async throws(StoreAPIFailure) -> RenewalPutOff {
        let answer = try await answer(to: .extend(wish, of: original), haste)
        guard let isSuccess = answer["success"]?.bool else { throw .shapeless("success") }
        return RenewalPutOff(
            originalID: answer["originalTransactionId"]?.string ?? original.text,
            webOrderLineItemID: answer["webOrderLineItemId"]?.string,
            isSuccess: isSuccess,
            effective: answer["effectiveDate"]?.int64.map { Moment($0) }
        )
    }

    private static func documents(
        _ items: [JSONValue],
        _ member: String,
        _ document: (JSONValue) -> String?
    ) throws(StoreAPIFailure) -> [[UInt8]] {
        var documents: [[UInt8]] = []
        for item in items {
            guard let text = document(item) else { throw .shapeless(member) }
            documents.append(Array(text.utf8))
        }
        return documents
    }

    /// A page that leads to itself, or nowhere, would be read for ever, or lose the rest.
    private static func next(
        in answer: JSONValue,
        _ member: String,
        after token: String?
    ) throws(StoreAPIFailure) -> String? {
        guard answer["hasMore"]?.bool == true else { return nil }
        guard let next = answer[member]?.string, !next.isEmpty, next != token else {
            throw .shapeless(member)
        }
        return next
    }
}

extension StoreAPIFailure {
    fileprivate static func shapeless(_ member: String) -> StoreAPIFailure {
        StoreAPIFailure(.malformed, "an answer without a right \(member)")
    }
}
