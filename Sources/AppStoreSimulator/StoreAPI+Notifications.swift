import CertificateAuthority
import FoundationEssentials
import JSON

/// What can be asked about notifications.
extension StoreAPI {
    /// Get Notification History: what the store sent or tried to send, in the order of the first
    /// attempts, as it was signed then.
    func notifications(_ request: APIRequest) throws -> APIAnswer {
        let filter = try NoticeFilter(
            request.object(),
            books.settings,
            rememberedDays: rules.rememberedDays,
            now: books.clock()
        )
        var customer: String?
        if let number = filter.transactionID {
            customer = try self.customer(of: number).customer.name
        }
        var start = 0
        if let text = request.value("paginationToken"), !text.isEmpty {
            guard let cursor = APICursor(text, for: filter.text) else {
                throw APIFailure.invalidPageToken
            }
            guard books.clock() - cursor.made <= rules.pageTokenLife else {
                throw APIFailure.pageTokenExpired
            }
            start = Int(cursor.position)
        }
        return try books.read { pages, now in
            var items: [JSONValue] = []
            var next: Int?
            for place in pages.notices.indices.dropFirst(max(0, start)) {
                let notice = pages.notices[place]
                guard filter.accepts(notice),
                    filter.transactionID == nil
                        || notice.customer == customer
                else { continue }
                guard items.count < SimulatorLimits.pageCountMax else {
                    next = place
                    break
                }
                items.append(.object(try Self.record(of: notice, pages)))
            }
            var answer: JSONObject = [:]
            if let next {
                let cursor = APICursor(position: Int64(next), made: now)
                answer["paginationToken"] = .string(cursor.text(for: filter.text))
            }
            answer["hasMore"] = .bool(next != nil)
            answer["notificationHistory"] = .array(items)
            return APIAnswer(answer)
        }
    }

    /// Request a Test Notification: sent while the answer is under way.
    func requestTest() throws -> APIAnswer {
        guard let delivery = rules.delivery else { throw APIFailure.noURL }
        let now = books.clock()
        let notification = try StoreNotices(Till(books.settings, now: now)).test()
            .signed(by: books.authority)
        let token = "\(UUID().uuidString.lowercased())_\(now)"
        try books.note(notification, testToken: token)
        deliver(notification, by: delivery)
        return APIAnswer(["testNotificationToken": .string(token)])
    }

    /// Get Test Notification Status: not found until it was tried to be sent.
    func testStatus(_ token: String) throws -> APIAnswer {
        let halves = token.split(separator: "_", omittingEmptySubsequences: false)
        guard halves.count == 2, UUID(uuidString: String(halves[0])) != nil,
            Int64(halves[1]) != nil
        else { throw APIFailure.invalidTestToken }
        return try books.read { pages, _ in
            guard let notice = pages.test(token) else { throw APIFailure.testNotFound }
            return APIAnswer(try Self.record(of: notice, pages))
        }
    }

    /// The document, and how the attempts to send it ended.
    private static func record(
        of notice: KeptNotice,
        _ pages: borrowing Pages
    ) throws -> JSONObject {
        let attempts = notice.attempts.prefix(SimulatorLimits.attemptsShownMax)
            .map { attempt -> JSONValue in
                [
                    "attemptDate": .integer(attempt.date),
                    "sendAttemptResult": .string(attempt.result.rawValue),
                ]
            }
        return [
            "signedPayload": .string(try pages.signedPayload(of: notice)),
            "sendAttempts": .array(attempts),
        ]
    }
}

/// Which notifications a history is about.
private struct NoticeFilter {
    let start: Int64
    let end: Int64
    /// When the oldest notification was signed that is not forgotten.
    let oldest: Int64
    let type: String?
    let subtype: String?
    let transactionID: String?
    let isFailuresOnly: Bool

    init(
        _ body: JSONObject,
        _ settings: StoreSettings,
        rememberedDays: Int64?,
        now: Int64
    ) throws(APIFailure) {
        guard let start = body["startDate"]?.int64, start >= 0 else { throw .invalidStart }
        guard let end = body["endDate"]?.int64, end >= 0 else { throw .invalidEnd }
        guard start < end else { throw .startAfterEnd }
        let days =
            switch settings.environment {
            case .production: SimulatorLimits.historyDaysMax.production
            case .sandbox: SimulatorLimits.historyDaysMax.sandbox
            }
        // Who asks knows the real calendar only. Where months are short, this alone would let them
        // walk through years.
        guard start >= now - days * 86_400_000 else { throw .startTooOld }
        oldest = now - settings.time.milliseconds(days: rememberedDays ?? days)
        self.start = start
        self.end = end
        type = try Self.text(body["notificationType"], .invalidNotificationType)
        subtype = try Self.text(body["notificationSubtype"], .invalidNotificationType)
        transactionID = try Self.text(body["transactionId"], .invalidTransactionID)
        if type != nil, transactionID != nil { throw .manyFilters }
        if subtype != nil, type == nil { throw .invalidNotificationType }
        if let type, !Self.types.contains(type) { throw .invalidNotificationType }
        switch body["onlyFailures"] {
        case nil, .null: isFailuresOnly = false
        case .bool(let wanted): isFailuresOnly = wanted
        default: throw .badRequest
        }
    }

    /// The same for the same question.
    var text: String {
        "\(start) \(end) \(type ?? "-") \(subtype ?? "-") \(transactionID ?? "-") \(isFailuresOnly)"
    }

    func accepts(_ notice: KeptNotice) -> Bool {
        (start...end).contains(notice.signedDate) && notice.signedDate >= oldest
            && (type.map { $0 == notice.kind.type } ?? true)
            && (subtype.map { $0 == notice.kind.subtype } ?? true)
            && (!isFailuresOnly || !notice.isDelivered)
    }

    private static func text(
        _ value: JSONValue?,
        _ failure: APIFailure
    ) throws(APIFailure) -> String? {
        guard let value, !value.isNull else { return nil }
        guard let text = value.string else { throw failure }
        return text
    }

    private static let types: Set<String> = [
        "CONSUMPTION_REQUEST", "DID_CHANGE_RENEWAL_PREF", "DID_CHANGE_RENEWAL_STATUS",
        "DID_FAIL_TO_RENEW", "DID_RENEW", "EXPIRED", "EXTERNAL_PURCHASE_TOKEN",
        "GRACE_PERIOD_EXPIRED", "METADATA_UPDATE", "MIGRATION", "OFFER_REDEEMED",
        "ONE_TIME_CHARGE", "PRICE_CHANGE", "PRICE_INCREASE", "REFUND", "REFUND_DECLINED",
        "REFUND_REVERSED", "RENEWAL_EXTENDED", "RENEWAL_EXTENSION", "RESCIND_CONSENT", "REVOKE",
        "SUBSCRIBED", "TEST",
    ]
}
