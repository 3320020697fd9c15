import JSON

/// An error that the store's API answers, under Apple's codes.
package struct APIFailure: Error, Equatable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// Apple's number for it.
    package let code: Int64
    /// What it says.
    package let message: String

    private init(_ code: Int64, _ message: String) {
        status = Int(code / 10_000)
        self.code = code
        self.message = message
    }

    /// The body that says so.
    var body: [UInt8] {
        JSONValue.object(["errorCode": .integer(code), "errorMessage": .string(message)]).bytes
    }

    static let badRequest = APIFailure(4_000_000, "Bad request.")
    static let invalidRevision = APIFailure(4_000_005, "Invalid request revision.")
    static let invalidTransactionID = APIFailure(4_000_006, "Invalid transaction id.")
    static let invalidExtension = APIFailure(4_000_009, "Invalid extend by days value.")
    static let invalidExtensionReason = APIFailure(4_000_010, "Invalid extend reason code.")
    static let invalidRequestID = APIFailure(4_000_011, "Invalid request identifier.")
    static let startTooOld = APIFailure(
        4_000_012,
        "Invalid request. The start date is earlier than the earliest allowed date."
    )
    static let startAfterEnd = APIFailure(
        4_000_013,
        "Invalid request. The end date precedes the start date or the dates are the same."
    )
    static let invalidPageToken = wrong(4_000_014, "pagination token is invalid")
    static let invalidStart = wrong(4_000_015, "start date is invalid")
    static let invalidEnd = wrong(4_000_016, "end date is invalid")
    static let pageTokenExpired = wrong(4_000_017, "pagination token is expired")
    static let invalidNotificationType = wrong(4_000_018, "notification type or subtype is invalid")
    static let manyFilters = APIFailure(
        4_000_019,
        "Invalid request. Supply either a transaction id or a notification type, but not both."
    )
    static let invalidTestToken = wrong(4_000_020, "test notification token is invalid")
    static let invalidSort = wrong(4_000_021, "sort is invalid")
    static let invalidProductType = wrong(4_000_022, "product type is invalid")
    static let invalidProductID = wrong(4_000_023, "product id parameter is invalid")
    static let invalidOwnership = wrong(4_000_026, "in-app ownership type is invalid")
    static let noStorefronts = APIFailure(
        4_000_027,
        "Invalid request. If provided, the list of storefront country codes must not be empty."
    )
    static let invalidStorefront = APIFailure(
        4_000_028,
        "Invalid request. A storefront country code is invalid."
    )
    static let invalidRevoked = APIFailure(4_000_030, "Invalid request. Revoked is invalid.")
    static let invalidStatus = wrong(4_000_031, "status is invalid")
    static let invalidAccountTenure = invalid(4_000_032, "account tenure")
    static let invalidToken = invalid(4_000_033, "app account token")
    static let invalidConsumptionStatus = invalid(4_000_034, "consumption status")
    static let invalidConsent = wrong(4_000_035, "customer consented field must be true")
    static let invalidDeliveryStatus = wrong(4_000_036, "delivery status is invalid")
    static let invalidDollarsPurchased = invalid(4_000_037, "lifetime dollars purchased")
    static let invalidDollarsRefunded = invalid(4_000_038, "lifetime dollars refunded")
    static let invalidPlatform = invalid(4_000_039, "platform")
    static let invalidPlayTime = invalid(4_000_040, "play time")
    static let invalidSample = wrong(4_000_041, "sample content provided field is invalid")
    static let invalidUserStatus = invalid(4_000_042, "user status")
    static let noDownload = APIFailure(
        4_000_048,
        "Invalid request. This endpoint takes no app transaction id."
    )
    static let tokenNoUUID = wrong(4_000_183, "app account token field must be a valid UUID")
    static let familyShared = APIFailure(
        4_000_185,
        "Invalid request. Family transactions are not supported by this endpoint."
    )
    static let notOriginal = wrong(4_000_187, "transaction id is not an original transaction id")
    static let notExtendable = APIFailure(
        4_030_004,
        "Forbidden - subscription state ineligible for extension."
    )
    static let manyExtensions = APIFailure(
        4_030_005,
        "Forbidden - subscription has reached maximum extension count."
    )
    static let familyExtension = APIFailure(
        4_030_007,
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension"
            + " directly."
    )
    static let originalTransactionNotFound = APIFailure(
        4_040_005,
        "Original transaction id not found."
    )
    static let noURL = APIFailure(
        4_040_007,
        "No App Store Server Notification URL found for provided app."
    )
    static let testNotFound = APIFailure(
        4_040_008,
        "Either the test notification token is expired or the notification and status are not"
            + " yet available."
    )
    static let extensionNotFound = APIFailure(
        4_040_009,
        "Either the requestIdentifier and productId combination is invalid, or the status of the"
            + " request isn't available."
    )
    static let transactionNotFound = APIFailure(4_040_010, "Transaction id not found.")
    static let tooMany = APIFailure(4_290_000, "Rate limit exceeded.")
    static let internalError = APIFailure(5_000_000, "An unknown error occurred.")
    static let internalRetryable = APIFailure(
        5_000_001,
        "An unknown error occurred. Please try again."
    )

    private static func wrong(_ code: Int64, _ what: String) -> APIFailure {
        APIFailure(code, "Invalid request. The \(what).")
    }

    private static func invalid(_ code: Int64, _ field: String) -> APIFailure {
        wrong(code, "\(field) field is invalid")
    }
}
