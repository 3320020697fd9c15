import JSON

/// Notifications about the app or a person, not about a purchase.
package struct StoreNotices: Sendable {
    private let till: Till

    /// Those of this store at this moment.
    package init(_ till: Till) { self.till = till }

    /// TEST, as asked for through the API.
    package func test() -> SimulatedNotification {
        var data = app
        data["environment"] = environment
        // Apple's own test notification in the sandbox names no app id.
        if till.settings.environment == .sandbox { data["appAppleId"] = nil }
        return notice(NoticeKind("TEST"), .data(data))
    }

    /// RENEWAL_EXTENSION/SUMMARY: an extension for all is finished.
    package func summary(
        of product: Product,
        requestID: String? = nil,
        succeeded: Int64 = 5,
        failed: Int64 = 1
    ) -> SimulatedNotification {
        var summary: JSONObject = [
            "requestIdentifier": .string(requestID ?? till.nextUUID()), "environment": environment,
        ]
        summary.members += app.members
        summary["productId"] = .string(product.id)
        summary["storefrontCountryCodes"] = ["USA"]
        summary["succeededCount"] = .integer(succeeded)
        summary["failedCount"] = .integer(failed)
        return notice(NoticeKind("RENEWAL_EXTENSION", "SUMMARY"), .summary(summary))
    }

    /// EXTERNAL_PURCHASE_TOKEN.
    package func externalPurchaseToken(_ subtype: ExternalSubtype) -> SimulatedNotification {
        let prefix = till.settings.environment == .sandbox ? "SANDBOX_" : ""
        var token: JSONObject = [
            "externalPurchaseId": .string(prefix + till.nextUUID()),
            "tokenCreationDate": .integer(till.now),
        ]
        token.members += app.members
        if subtype != .unreported {
            token["tokenExpirationDate"] = .integer(
                till.now + till.settings.time.milliseconds(days: 365)
            )
            token["tokenType"] = "ACQUISITION"
        }
        return notice(
            NoticeKind("EXTERNAL_PURCHASE_TOKEN", subtype.rawValue),
            .externalPurchaseToken(token)
        )
    }

    /// RESCIND_CONSENT: a parent takes back a child's use of the app.
    package func rescindConsent(of subscriber: Subscriber) -> SimulatedNotification {
        var data = app
        data["environment"] = environment
        let payloads = Payloads(settings: till.settings, signed: till.now)
        let transaction = payloads.appTransaction(of: subscriber)
        return notice(NoticeKind("RESCIND_CONSENT"), .appData(data), appTransaction: transaction)
    }

    /// Why an external purchase token is told.
    package enum ExternalSubtype: String, CaseIterable, Sendable {
        case unreported = "UNREPORTED"
        case created = "CREATED"
        case reminder = "ACTIVE_TOKEN_REMINDER"
    }

    private var environment: JSONValue { .string(till.settings.environment.rawValue) }

    private var app: JSONObject {
        [
            "appAppleId": .integer(till.settings.appAppleID),
            "bundleId": .string(till.settings.bundleID),
        ]
    }

    private func notice(
        _ kind: NoticeKind,
        _ outer: SimulatedNotification.Body,
        appTransaction: JSONObject? = nil
    ) -> SimulatedNotification {
        SimulatedNotification(
            kind: kind,
            uuid: till.nextUUID(),
            signedDate: till.now,
            outer: outer,
            appTransaction: appTransaction
        )
    }
}
