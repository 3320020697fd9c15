import Foundation

/// What can be asked of the store's API here, under the names of Apple's documentation.
package enum APIEndpoint: String, CaseIterable, Sendable {
    case statuses = "Get All Subscription Statuses"
    case transaction = "Get Transaction Info"
    case history = "Get Transaction History"
    case historyV1 = "Get Transaction History V1"
    case appTransaction = "Get App Transaction Info"
    case finish = "Finish Transaction"
    case notifications = "Get Notification History"
    case requestTest = "Request a Test Notification"
    case testStatus = "Get Test Notification Status"
    case setToken = "Set App Account Token"
    case consumption = "Send Consumption Information"
    case consumptionV1 = "Send Consumption Information V1"
    case extend = "Extend a Subscription Renewal Date"
    case extendAll = "Extend Subscription Renewal Dates for All Active Subscribers"
    case extendAllStatus = "Get Status of Subscription Renewal Date Extensions"
    case order = "Look Up Order ID"
    case refunds = "Get Refund History"

    /// Its method, and its path under /inApps; `*` stands for an id.
    var pattern: (method: String, path: String) {
        switch self {
        case .statuses: ("GET", "v1/subscriptions/*")
        case .transaction: ("GET", "v1/transactions/*")
        case .history: ("GET", "v2/history/*")
        case .historyV1: ("GET", "v1/history/*")
        case .appTransaction: ("GET", "v1/transactions/appTransactions/*")
        case .finish: ("POST", "v1/transactions/*/finish")
        case .notifications: ("POST", "v1/notifications/history")
        case .requestTest: ("POST", "v1/notifications/test")
        case .testStatus: ("GET", "v1/notifications/test/*")
        case .setToken: ("PUT", "v1/transactions/*/appAccountToken")
        case .consumption: ("PUT", "v2/transactions/consumption/*")
        case .consumptionV1: ("PUT", "v1/transactions/consumption/*")
        case .extend: ("PUT", "v1/subscriptions/extend/*")
        case .extendAll: ("POST", "v1/subscriptions/extend/mass")
        case .extendAllStatus: ("GET", "v1/subscriptions/extend/mass/*/*")
        case .order: ("GET", "v1/lookup/*")
        case .refunds: ("GET", "v2/refund/lookup/*")
        }
    }

    /// The error with which this endpoint says that it does not know a number; nil where it takes
    /// none.
    var unknownNumber: APIFailure? {
        switch self {
        case .statuses, .transaction, .history, .historyV1, .appTransaction, .finish,
            .notifications, .consumption, .consumptionV1, .refunds:
            .transactionNotFound
        case .setToken, .extend: .originalTransactionNotFound
        case .requestTest, .testStatus, .order, .extendAll, .extendAllStatus: nil
        }
    }

    /// Which endpoint a request is for, with the ids in its path.
    static func find(_ method: String, _ path: String) -> Found {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard words.first == "inApps" else { return .nothing }
        var allowed: [String] = []
        for endpoint in allCases {
            let wanted = endpoint.pattern.path.split(separator: "/")
            guard let ids = match(words.dropFirst(), wanted) else { continue }
            if endpoint.pattern.method == method { return .endpoint(endpoint, ids: ids) }
            allowed.append(endpoint.pattern.method)
        }
        return allowed.isEmpty ? .nothing : .otherMethod(allowed)
    }

    /// What a path leads to.
    enum Found: Equatable {
        case endpoint(APIEndpoint, ids: [String])
        case otherMethod([String])
        case nothing
    }

    private static func match(
        _ words: ArraySlice<Substring>,
        _ wanted: [Substring]
    ) -> [String]? {
        guard words.count == wanted.count else { return nil }
        var ids: [String] = []
        for (word, wanted) in zip(words, wanted) {
            if wanted == "*", !word.isEmpty {
                ids.append(word.removingPercentEncoding ?? String(word))
            } else if word != wanted {
                return nil
            }
        }
        return ids
    }
}
