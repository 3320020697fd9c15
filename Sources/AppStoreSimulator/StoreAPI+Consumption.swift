import FoundationEssentials
import JSON

/// What an app tells about the use of a purchase when a refund is asked for.
extension StoreAPI {
    /// Send Consumption Information: noted, and accepted.
    func takeConsumption(of number: String, _ request: APIRequest) throws -> APIAnswer {
        let body = try consumption(of: number, request)
        let statuses = [
            "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
            "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
        ]
        guard let status = body["deliveryStatus"]?.string, statuses.contains(status) else {
            throw APIFailure.invalidDeliveryStatus
        }
        guard body["sampleContentProvided"]?.bool != nil else { throw APIFailure.invalidSample }
        return try take(body, about: number)
    }

    /// Send Consumption Information, version 1: numbers in place of words, most of which may be
    /// missing.
    func takeOldConsumption(of number: String, _ request: APIRequest) throws -> APIAnswer {
        let body = try consumption(of: number, request)
        for (member, max, failure) in Self.oldNumbers {
            guard let value = body[member] else { continue }
            guard let value = value.int64, (0...max).contains(value) else { throw failure }
        }
        if let sample = body["sampleContentProvided"], sample.bool == nil {
            throw APIFailure.invalidSample
        }
        if let token = body["appAccountToken"] {
            guard let token = token.string, token.isEmpty || UUID(uuidString: token) != nil else {
                throw APIFailure.invalidToken
            }
        }
        return try take(body, about: number)
    }

    /// The members of version 1 that are numbers from 0 up, with the greatest of each.
    private static let oldNumbers: [(member: String, max: Int64, failure: APIFailure)] = [
        ("accountTenure", 7, .invalidAccountTenure),
        ("consumptionStatus", 3, .invalidConsumptionStatus),
        ("deliveryStatus", 5, .invalidDeliveryStatus),
        ("lifetimeDollarsPurchased", 7, .invalidDollarsPurchased),
        ("lifetimeDollarsRefunded", 7, .invalidDollarsRefunded),
        ("platform", 2, .invalidPlatform),
        ("playTime", 7, .invalidPlayTime),
        ("refundPreference", 3, .badRequest),
        ("userStatus", 4, .invalidUserStatus),
    ]

    /// What is told about this purchase, with the customer's consent.
    private func consumption(of number: String, _ request: APIRequest) throws -> JSONObject {
        let (customer, _) = try customer(of: number)
        guard number != customer.appTransactionID else { throw APIFailure.noDownload }
        guard
            let transaction = (customer.transactions + customer.purchases)
                .first(where: { $0.id == number })
        else { throw APIFailure.transactionNotFound }
        guard !transaction.isFamilyShared else { throw APIFailure.familyShared }
        let body = try request.object()
        guard body["customerConsented"]?.bool == true else { throw APIFailure.invalidConsent }
        return body
    }

    private func take(_ body: JSONObject, about number: String) throws -> APIAnswer {
        try books.note(ConsumptionReport(transactionID: number, date: books.clock(), body: body))
        return APIAnswer(status: 202)
    }
}
