import CertificateAuthority
import JSON

/// What can be asked about transactions.
extension StoreAPI {
    /// Get Transaction Info.
    func transaction(_ number: String) throws -> APIAnswer {
        let (customer, now) = try customer(of: number)
        let all = customer.transactions + customer.purchases
        // An original id whose own transaction is gone by migration is of no transaction.
        guard let transaction = all.first(where: { $0.id == number }) else {
            throw APIFailure.transactionNotFound
        }
        return APIAnswer([
            "signedTransactionInfo": try signed(transaction, of: customer, at: now)
        ])
    }

    /// Get Transaction History, in the order in which transactions changed last.
    ///
    /// One that changes between two pages comes once more. Version 1 leaves finished consumables
    /// out.
    func history(
        of number: String,
        _ request: APIRequest,
        withFinishedConsumables: Bool = true
    ) throws -> APIAnswer {
        let filter = try HistoryFilter(request)
        let (customer, now) = try customer(of: number)
        var all = (customer.transactions + customer.purchases).filter(filter.accepts)
        if !withFinishedConsumables {
            all.removeAll { $0.finished != nil && $0.product.kind == .consumable }
        }
        all.sort { filter.isAscending ? $0.place < $1.place : $1.place < $0.place }
        return try page(of: all, request, place: \.place, filter.isAscending) { items in
            try items.map { try signed($0, of: customer, at: now) }
        }
    }

    /// Get App Transaction Info.
    func appTransaction(of number: String) throws -> APIAnswer {
        let (customer, now) = try customer(of: number)
        let payload = payloads(of: customer, at: now).appTransaction(of: customer)
        let document = try books.authority.sign(JSONValue.object(payload).bytes)
        return APIAnswer(["signedAppTransactionInfo": .string(document)])
    }

    /// Finish Transaction: the app's server has given what was bought.
    func finish(_ number: String) throws -> APIAnswer {
        let (customer, now) = try customer(of: number)
        guard number != customer.appTransactionID else { throw APIFailure.noDownload }
        guard (customer.transactions + customer.purchases).contains(where: { $0.id == number })
        else { throw APIFailure.transactionNotFound }
        var till = Till(books.settings, now: now)
        try books.change(customer.name, &till) { customer, till in
            let moment = till.now
            customer.change(number) { $0.finished = $0.finished ?? moment }
        }
        return APIAnswer(status: 200)
    }

    /// Get Refund History: what was paid back, in that order.
    func refunds(of number: String, _ request: APIRequest) throws -> APIAnswer {
        let (customer, now) = try customer(of: number)
        let all = (customer.transactions + customer.purchases)
            .filter { $0.revocation != nil && $0.revocation?.kind != .family }
            .sorted { $0.refundPlace < $1.refundPlace }
        return try page(of: all, request, place: \.refundPlace, true) { items in
            try items.map { try signed($0, of: customer, at: now) }
        }
    }

    /// Look Up Order ID: in this store an order's id is M and the transaction's.
    func order(_ id: String) throws -> APIAnswer {
        guard id.hasPrefix("M"), let (customer, now) = try? customer(of: String(id.dropFirst())),
            let transaction = (customer.transactions + customer.purchases)
                .first(where: { "M" + $0.id == id })
        else { return APIAnswer(["status": 1]) }
        let document = try signed(transaction, of: customer, at: now)
        return APIAnswer(["status": 0, "signedTransactions": .array([document])])
    }

    /// The page of `all` behind the request's revision; every answer names the revision to go on
    /// from, even behind the last page.
    private func page(
        of all: [SimulatedTransaction],
        _ request: APIRequest,
        place: (SimulatedTransaction) -> TransactionPlace,
        _ isAscending: Bool,
        _ documents: ([SimulatedTransaction]) throws -> [JSONValue]
    ) throws -> APIAnswer {
        let query =
            request.path + "?"
            + request.query.filter { $0.name != "revision" }
            .map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "&")
        var rest = all[...]
        var end = APICursor(position: 0, made: 0)
        if let revision = request.value("revision"), !revision.isEmpty {
            guard let cursor = APICursor(revision, for: query) else {
                throw APIFailure.invalidRevision
            }
            let seen = TransactionPlace(moment: cursor.position, id: cursor.id)
            // The revision of an answer without transactions stands before all of them.
            if !cursor.id.isEmpty {
                rest = rest.drop { isAscending ? place($0) <= seen : place($0) >= seen }
            }
            end = cursor
        }
        let items = Array(rest.prefix(SimulatorLimits.pageCountMax))
        if let last = items.last.map(place) {
            end = APICursor(position: last.moment, id: last.id, made: 0)
        }
        var answer = app
        answer["revision"] = .string(end.text(for: query))
        answer["hasMore"] = .bool(rest.count > items.count)
        answer["signedTransactions"] = .array(try documents(items))
        return APIAnswer(answer)
    }
}

/// Where a transaction stands in a list: by a moment, then by its number.
struct TransactionPlace: Comparable {
    var moment: Int64
    var id: String

    static func < (left: TransactionPlace, right: TransactionPlace) -> Bool {
        (left.moment, left.id) < (right.moment, right.id)
    }
}

extension SimulatedTransaction {
    /// By the last change.
    fileprivate var place: TransactionPlace {
        TransactionPlace(moment: modified ?? purchaseDate, id: id)
    }

    /// By the refund.
    fileprivate var refundPlace: TransactionPlace {
        TransactionPlace(moment: revocation?.date ?? 0, id: id)
    }
}

/// Which transactions a history is about; what is not named is not asked for.
private struct HistoryFilter {
    var start: Int64?
    var end: Int64?
    var products: [String]
    var kinds: [Product.Kind]
    var groups: [String]
    var isFamilyShared: Bool?
    var isRevoked: Bool?
    var isAscending: Bool

    init(_ request: APIRequest) throws(APIFailure) {
        start = try Self.moment(request.value("startDate"), .invalidStart)
        end = try Self.moment(request.value("endDate"), .invalidEnd)
        if let start, let end, start >= end { throw .startAfterEnd }
        products = request.values("productId")
        groups = request.values("subscriptionGroupIdentifier")
        kinds = []
        for text in request.values("productType") {
            guard let kind = Self.kindNames[text] else { throw .invalidProductType }
            kinds.append(kind)
        }
        switch request.value("inAppOwnershipType") {
        case nil: isFamilyShared = nil
        case "FAMILY_SHARED": isFamilyShared = true
        case "PURCHASED": isFamilyShared = false
        default: throw .invalidOwnership
        }
        // Apple's library for Python writes True and False.
        switch request.value("revoked")?.lowercased() {
        case nil: isRevoked = nil
        case "true": isRevoked = true
        case "false": isRevoked = false
        default: throw .invalidRevoked
        }
        switch request.value("sort") {
        case nil, "ASCENDING": isAscending = true
        case "DESCENDING": isAscending = false
        default: throw .invalidSort
        }
    }

    func accepts(_ transaction: SimulatedTransaction) -> Bool {
        let product = transaction.product
        let isOfGroup =
            groups.isEmpty || (product.kind == .autoRenewable && groups == [StoreSettings.group])
        return (start.map { $0 <= transaction.purchaseDate } ?? true)
            && (end.map { transaction.purchaseDate < $0 } ?? true)
            && (products.isEmpty || products.contains(product.id))
            && (kinds.isEmpty || kinds.contains(product.kind))
            && isOfGroup
            && (isFamilyShared.map { $0 == transaction.isFamilyShared } ?? true)
            && (isRevoked.map { $0 == (transaction.revocation != nil) } ?? true)
    }

    private static let kindNames: [String: Product.Kind] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing,
        "CONSUMABLE": .consumable, "NON_CONSUMABLE": .nonConsumable,
    ]

    private static func moment(
        _ text: String?,
        _ failure: APIFailure
    ) throws(APIFailure) -> Int64? {
        guard let text else { return nil }
        guard let moment = Int64(text), moment >= 0 else { throw failure }
        return moment
    }
}
