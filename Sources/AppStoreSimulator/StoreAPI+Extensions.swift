import JSON

/// Periods that the app gives away: for one subscription, or for all of a product.
extension StoreAPI {
    /// Extend a Subscription Renewal Date.
    func extendRenewal(ofLine number: String, _ request: APIRequest) throws -> APIAnswer {
        let wish = try ExtensionWish(request.object())
        let (customer, now) = try customer(of: number, else: .originalTransactionNotFound)
        guard number != customer.appTransactionID else { throw APIFailure.noDownload }
        guard customer.originalID == number else { throw APIFailure.originalTransactionNotFound }
        let notification = try extend(customer.name, wish, at: now)
        let transaction = notification.transaction
        var answer: JSONObject = ["originalTransactionId": .string(number)]
        answer["webOrderLineItemId"] = transaction?["webOrderLineItemId"]
        answer["success"] = true
        answer["effectiveDate"] = transaction?["expiresDate"]
        return APIAnswer(answer)
    }

    /// Extend Subscription Renewal Dates for All Active Subscribers.
    ///
    /// It is done at once, and each customer has a notification of it; a summary follows. A request
    /// identifier that was here before does nothing.
    func extendAll(_ request: APIRequest) throws -> APIAnswer {
        let body = try request.object()
        let wish = try ExtensionWish(body)
        let products = books.settings.products
        guard let product = products.first(where: { $0.isRenewing(body["productId"]) }) else {
            throw APIFailure.invalidProductID
        }
        let answer = APIAnswer(["requestIdentifier": .string(wish.requestID)])
        let known = try books.read { pages, _ in pages.massExtension(product.id, wish.requestID) }
        guard known == nil else { return answer }
        let names = try books.read { pages, now in
            pages.customers(holding: product, at: now).map(\.name)
        }
        var done = MassExtension(productID: product.id, requestID: wish.requestID)
        for name in wish.isForStorefront("USA") ? names : [] {
            do {
                _ = try extend(name, wish, at: books.clock())
                done.succeeded += 1
            } catch is APIFailure {
                try tellFailure(to: name)
                done.failed += 1
            }
        }
        done.date = books.clock()
        try books.note(done)
        let notices = StoreNotices(Till(books.settings, now: done.date))
        let summary = notices.summary(
            of: product,
            requestID: wish.requestID,
            succeeded: done.succeeded,
            failed: done.failed
        )
        try send(summary, about: nil)
        return answer
    }

    /// Get Status of Subscription Renewal Date Extensions.
    func extensionStatus(product: String, request: String) throws -> APIAnswer {
        let done = try books.read { pages, _ in pages.massExtension(product, request) }
        guard let done else { throw APIFailure.extensionNotFound }
        return APIAnswer([
            "requestIdentifier": .string(done.requestID), "complete": true,
            "completeDate": .integer(done.date), "succeededCount": .integer(done.succeeded),
            "failedCount": .integer(done.failed),
        ])
    }

    /// Extends the customer's period, or says why it cannot be.
    private func extend(
        _ name: String,
        _ wish: ExtensionWish,
        at now: Int64
    ) throws -> SimulatedNotification {
        var till = Till(books.settings, now: now)
        let notification = try books.change(name, &till) { customer, till in
            if let failure = customer.extensionFailure(till) { throw failure }
            var words = ActionWords()
            words.days = wish.days
            return try customer.perform(.extend, words, &till)
        }
        try send(notification, about: name)
        return notification
    }

    private func tellFailure(to name: String) throws {
        var till = Till(books.settings, now: books.clock())
        let notification = try books.change(name, &till) { customer, till in
            try customer.perform(.extendFailed, ActionWords(), &till)
        }
        try send(notification, about: name)
    }
}

/// What a request for an extension asks for.
private struct ExtensionWish {
    let days: Int64
    let requestID: String
    /// Where; nil for everywhere.
    private let storefronts: [String]?

    init(_ body: JSONObject) throws(APIFailure) {
        guard let days = body["extendByDays"]?.int64,
            (1...SimulatorLimits.extensionDaysMax).contains(Int(clamping: days))
        else { throw .invalidExtension }
        guard let reason = body["extendReasonCode"]?.int64, (0...3).contains(reason) else {
            throw .invalidExtensionReason
        }
        guard let requestID = body["requestIdentifier"]?.string,
            (1...SimulatorLimits.requestIDBytesMax).contains(requestID.utf8.count)
        else { throw .invalidRequestID }
        self.days = days
        self.requestID = requestID
        guard let list = body["storefrontCountryCodes"], !list.isNull else {
            storefronts = nil
            return
        }
        guard let codes = list.array, !codes.isEmpty else { throw .noStorefronts }
        storefronts = codes.compactMap(\.string)
        let isPlain = storefronts?
            .allSatisfy { code in
                code.utf8.count == 3
                    && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            }
        guard storefronts?.count == codes.count, isPlain == true else { throw .invalidStorefront }
    }

    func isForStorefront(_ code: String) -> Bool { storefronts?.contains(code) ?? true }
}

extension Product {
    /// Whether it is the subscription of this id.
    fileprivate func isRenewing(_ id: JSONValue?) -> Bool {
        kind == .autoRenewable && id?.string == self.id
    }
}

/// An extension for all, once it is done.
struct MassExtension: Equatable, Sendable {
    var productID: String
    var requestID: String
    var date: Int64 = 0
    var succeeded: Int64 = 0
    var failed: Int64 = 0
}
