import Wire

/// What can be asked, and who may ask it: permissions as data, next to the names.
///
/// proto/openrpc.json says the same; a test holds the two together.
package enum Method: String, CaseIterable, Sendable {
    case canRender
    case getStatus
    case getEntitlement
    case getManagementURL
    case ping
    case version
    case discover = "rpc.discover"
    case registerAccount
    case verifyPurchase
    case grantEntitlement
    case revokeGrant
    case dump
    case get
    case stats

    /// The least role that may ask this.
    package var role: Role {
        switch self {
        case .canRender, .getStatus, .getEntitlement, .getManagementURL, .ping, .version,
            .discover:
            .reader
        case .registerAccount, .verifyPurchase: .app
        case .grantEntitlement, .revokeGrant, .dump, .get, .stats: .admin
        }
    }

    /// Whether it is answered before `ready` and while stopping.
    var isAlwaysAnswered: Bool {
        switch self {
        case .ping, .version: true
        case .canRender, .getStatus, .getEntitlement, .getManagementURL, .discover,
            .registerAccount, .verifyPurchase, .grantEntitlement, .revokeGrant, .dump, .get,
            .stats:
            false
        }
    }

    /// The parameters of a method that writes; others are refused, because a mistyped one must not
    /// change what is meant.
    ///
    /// Nil for reads, which ignore what they do not know.
    var parameters: [StaticString]? {
        switch self {
        case .canRender, .getStatus, .getEntitlement, .getManagementURL, .ping, .version,
            .discover, .dump, .get, .stats:
            nil
        case .registerAccount: ["userId", "appAccountToken"]
        case .verifyPurchase:
            [
                "userId", "signedTransaction", "signedRenewalInfo", "productId", "transactionId",
                "originalTransactionId", "appAccountToken",
            ]
        case .grantEntitlement:
            ["userId", "plan", "idempotencyKey", "expiresAt", "startsAt", "store", "reason"]
        case .revokeGrant: ["userId", "grant", "reason"]
        }
    }

    /// The method of this name.
    static func named(_ request: borrowing RequestView) -> Method? {
        // The hot ones first; the rest by their text.
        if request.isMethod("canRender") { return .canRender }
        if request.isMethod("getStatus") { return .getStatus }
        return Method(rawValue: request.methodName)
    }
}
