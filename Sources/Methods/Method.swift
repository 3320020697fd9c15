import Wire

/// What can be asked, and who may ask it: permissions as data, next to the names.
///
/// proto/openrpc.json says the same; a test holds the two together.
package enum Method: String, CaseIterable, Sendable {
    case canRender
    case getStatus
    case getEntitlement
    case getSubscriptions
    case getCredits
    case getManagementURL
    case getHistory
    case explain
    case watch
    case ping
    case version
    case discover = "rpc.discover"
    case registerAccount
    case verifyPurchase
    case restorePurchases
    case verifyReceipt
    case signOffer
    case signIntroductoryOffer
    case consumeCredit
    case reserveCredits
    case commitReservation
    case releaseReservation
    case reverseCredits
    case mergeAccounts
    case grantEntitlement
    case revokeGrant
    case movePurchase
    case grantCredits
    case adjustCredits
    case sendConsumption
    case extendRenewal
    case dump
    case get
    case load
    case eraseUser
    case exportUser
    case backup
    case setLogLevel
    case reconcile
    case testNotification
    case stats

    /// The least role that may ask this; `reconcile` without a user is for support.
    package var role: Role {
        switch self {
        case .canRender, .getStatus, .getEntitlement, .getSubscriptions, .getCredits,
            .getManagementURL, .getHistory, .explain, .watch, .ping, .version, .discover:
            .reader
        case .registerAccount, .verifyPurchase, .restorePurchases, .verifyReceipt,
            .consumeCredit, .reserveCredits,
            .commitReservation, .releaseReservation, .reverseCredits, .mergeAccounts,
            .reconcile,
            .signOffer, .signIntroductoryOffer:
            .app
        case .grantEntitlement, .revokeGrant, .movePurchase, .grantCredits, .adjustCredits,
            .sendConsumption, .extendRenewal, .stats:
            .support
        case .dump, .get, .testNotification, .load, .eraseUser, .exportUser, .backup, .setLogLevel:
            .admin
        }
    }

    /// Whether it is answered before `ready` and while stopping.
    var isAlwaysAnswered: Bool {
        self == .ping || self == .version
    }

    /// The parameters of a method that writes; others are refused, because a mistyped one must not
    /// change what is meant.
    ///
    /// Nil for reads, which ignore what they do not know.
    var parameters: [StaticString]? {
        switch self {
        case .canRender, .getStatus, .getEntitlement, .getSubscriptions, .getCredits,
            .getManagementURL, .getHistory, .explain, .watch, .ping, .version, .discover, .dump,
            .get, .stats, .exportUser, .signOffer, .signIntroductoryOffer:
            nil
        case .load: ["entries"]
        case .eraseUser: ["userId"]
        case .backup: ["path"]
        case .setLogLevel: ["level"]
        case .reconcile: ["userId"]
        case .testNotification: ["timeoutSeconds"]
        case .sendConsumption:
            [
                "transactionId", "customerConsented", "deliveryStatus", "sampleContentProvided",
                "consumptionPercentage", "refundPreference", "bundleId",
            ]
        case .extendRenewal:
            [
                "transactionId", "extendByDays", "extendReasonCode", "requestIdentifier",
                "bundleId",
            ]
        case .registerAccount: ["userId", "appAccountToken", "signedAppTransaction"]
        case .verifyPurchase:
            [
                "userId", "signedTransaction", "signedRenewalInfo", "productId", "transactionId",
                "originalTransactionId", "appAccountToken",
            ]
        case .restorePurchases: ["userId", "signedTransactions", "receiptData", "appAccountToken"]
        case .verifyReceipt: ["userId", "receiptData", "productId", "appAccountToken"]
        case .grantEntitlement:
            ["userId", "plan", "idempotencyKey", "expiresAt", "startsAt", "store", "reason"]
        case .revokeGrant: ["userId", "grant", "reason"]
        case .movePurchase: ["store", "originalTransactionId", "toUserId", "reason"]
        case .consumeCredit: ["userId", "idempotencyKey", "amount"]
        case .reserveCredits:
            ["userId", "idempotencyKey", "amount", "ttlSeconds", "releaseOnDisconnect"]
        case .commitReservation: ["reservation", "amount"]
        case .releaseReservation: ["reservation"]
        case .reverseCredits: ["userId", "idempotencyKey", "consumeKey"]
        case .mergeAccounts: ["fromUserId", "intoUserId", "idempotencyKey"]
        case .grantCredits, .adjustCredits:
            ["userId", "amount", "idempotencyKey", "expiresAt", "source", "reason"]
        }
    }

    /// The method of this name.
    static func named(_ request: borrowing RequestView) -> Method? {
        // The hot ones first; the rest by their text.
        if request.isMethod("canRender") { return .canRender }
        if request.isMethod("getStatus") { return .getStatus }
        if request.isMethod("consumeCredit") { return .consumeCredit }
        return Method(rawValue: request.methodName)
    }
}
