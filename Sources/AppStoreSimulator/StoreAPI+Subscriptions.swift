import CertificateAuthority
import FoundationEssentials
import JSON

/// What can be asked about a customer's subscription, and be changed.
extension StoreAPI {
    /// The customer who has this number, and the moment of the answer.
    func customer(
        of number: String,
        else unknown: APIFailure = .transactionNotFound
    ) throws -> (customer: Subscriber, now: Int64) {
        guard (1...20).contains(number.utf8.count),
            number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw APIFailure.invalidTransactionID }
        let (customer, now) = try books.read { pages, now in (pages.customer(of: number), now) }
        guard let customer else { throw unknown }
        return (customer, now)
    }

    /// A transaction as a signed document, as things stood at `now`.
    func signed(
        _ transaction: SimulatedTransaction,
        of customer: Subscriber,
        at now: Int64
    ) throws -> JSONValue {
        let payloads = payloads(of: customer, at: now)
        let bytes = JSONValue.object(payloads.transaction(transaction, of: customer)).bytes
        return .string(try books.authority.sign(bytes))
    }

    func payloads(of customer: Subscriber, at now: Int64) -> Payloads {
        Payloads(settings: books.settings, signed: customer.moment(ofAnswerAt: now))
    }

    /// The members that say which app this is.
    var app: JSONObject {
        var app: JSONObject = [
            "environment": .string(books.settings.environment.rawValue),
            "bundleId": .string(books.settings.bundleID),
        ]
        // The sandbox names no app id.
        if books.settings.environment == .production {
            app["appAppleId"] = .integer(books.settings.appAppleID)
        }
        return app
    }

    /// Get All Subscription Statuses: for each group the last transaction and its status.
    func statuses(of number: String, _ request: APIRequest) throws -> APIAnswer {
        let wanted = try request.values("status")
            .map { text in
                guard let status = Int64(text), (1...5).contains(status) else {
                    throw APIFailure.invalidStatus
                }
                return status
            }
        let (customer, now) = try customer(of: number)
        var groups: [JSONValue] = []
        if let last = customer.last(at: now), let status = customer.status(at: now),
            let renewal = payloads(of: customer, at: now).renewal(of: customer),
            wanted.isEmpty || wanted.contains(status)
        {
            let item: JSONObject = [
                "originalTransactionId": .string(last.originalID),
                "status": .integer(status),
                "signedTransactionInfo": try signed(last, of: customer, at: now),
                "signedRenewalInfo": .string(
                    try books.authority.sign(JSONValue.object(renewal).bytes)
                ),
            ]
            groups = [
                [
                    "subscriptionGroupIdentifier": .string(StoreSettings.group),
                    "lastTransactions": .array([.object(item)]),
                ]
            ]
        }
        var answer = app
        answer["data"] = .array(groups)
        return APIAnswer(answer)
    }

    /// Set App Account Token.
    func setToken(ofLine number: String, _ request: APIRequest) throws -> APIAnswer {
        let (customer, _) = try customer(of: number, else: .originalTransactionNotFound)
        guard number != customer.appTransactionID else { throw APIFailure.noDownload }
        let all = customer.transactions + customer.purchases
        guard let line = all.first(where: { $0.originalID == number }) else {
            throw APIFailure.notOriginal
        }
        guard !line.isFamilyShared else { throw APIFailure.familyShared }
        guard let token = try request.object()["appAccountToken"]?.string,
            UUID(uuidString: token) != nil
        else { throw APIFailure.tokenNoUUID }
        var till = Till(books.settings, now: books.clock())
        try books.change(customer.name, &till) { customer, till in
            customer.setToken(token, ofLine: number, till)
        }
        return APIAnswer(status: 200)
    }
}
