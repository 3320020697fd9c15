import JSON

/// The books as far as this process has read them.
struct Pages {
    /// Where they are written.
    let lines: SharedLines
    /// Notifications tried to be sent, in the order of their first attempts.
    private(set) var notices: [KeptNotice] = []
    /// What apps told.
    private(set) var reports: [ConsumptionReport] = []
    private var customers: [String: Subscriber] = [:]
    /// Extensions for all that are done.
    private var extensions: [MassExtension] = []
    /// Whose a number is: of a transaction, a line, a line before its migration, or a download.
    private var owners: [String: String] = [:]
    private var places: [String: Int] = [:]
    private var testPlaces: [String: String] = [:]
    /// Signed, and not tried yet.
    private var waiting: [String: KeptNotice] = [:]
    private var offset: UInt64 = 0
    private var isOpen = false

    init(lines: SharedLines) { self.lines = lines }

    /// The customer who has this number.
    func customer(of number: String) -> Subscriber? {
        owners[number].flatMap { customers[$0] }
    }

    /// The notification that was asked for under this token, once it was tried to be sent.
    func test(_ token: String) -> KeptNotice? {
        testPlaces[token].flatMap { places[$0] }.map { notices[$0] }
    }

    /// The extension of this product that was asked for under this name, once it is done.
    func massExtension(_ productID: String, _ requestID: String) -> MassExtension? {
        extensions.first { $0.productID == productID && $0.requestID == requestID }
    }

    /// Who has this subscription at `now`, by name.
    func customers(holding product: Product, at now: Int64) -> [Subscriber] {
        customers.values
            .filter { $0.current(at: now)?.product.id == product.id && $0.status(at: now) == 1 }
            .sorted { $0.name < $1.name }
    }

    /// The document of a notification.
    func signedPayload(of notice: KeptNotice) throws -> String {
        let line = try JSONValue.parse(lines.bytes(at: notice.place))
        guard let payload = line["notification"]?["signedPayload"]?.string else {
            throw DirectoryFailure(description: "the history has changed under way")
        }
        return payload
    }

    /// Reads on; the caller holds the file.
    mutating func catchUp(_ directory: SimulatorDirectory) throws {
        if !isOpen {
            for name in try directory.subscriberNames() { try read(name, directory) }
            isOpen = true
        }
        var changed: Set<String> = []
        for line in try lines.lines(from: offset) {
            offset = line.place.offset + UInt64(line.place.count) + 1
            // What is no JSON was torn by a crash.
            guard let entry = try? JSONValue.parse(line.bytes) else { continue }
            if let name = entry["customer"]?.string {
                changed.insert(name)
            } else if let notification = entry["notification"]?.object {
                add(notification, line.place)
            } else if let attempt = entry["attempt"]?.object {
                add(attempt)
            } else if let report = entry["consumption"]?.object {
                add(report: report)
            } else if let done = entry["extension"]?.object {
                add(extension: done)
            }
        }
        for name in changed { try read(name, directory) }
    }

    private mutating func read(_ name: String, _ directory: SimulatorDirectory) throws {
        guard let customer = try directory.subscriber(name) else { return }
        customers[name] = customer
        owners[customer.appTransactionID] = name
        for transaction in customer.transactions + customer.purchases {
            owners[transaction.id] = name
            owners[transaction.originalID] = name
            if let previous = transaction.previousOriginalID { owners[previous] = name }
        }
    }

    private mutating func add(_ notification: JSONObject, _ place: SharedLines.Place) {
        guard let uuid = notification["uuid"]?.string, let type = notification["type"]?.string,
            let signed = notification["signedDate"]?.int64
        else { return }
        let token = notification["testToken"]?.string
        waiting[uuid] = KeptNotice(
            kind: NoticeKind(type, notification["subtype"]?.string),
            uuid: uuid,
            signedDate: signed,
            customer: notification["customer"]?.string,
            testToken: token,
            place: place
        )
        if let token { testPlaces[token] = uuid }
    }

    private mutating func add(_ attempt: JSONObject) {
        guard let uuid = attempt["uuid"]?.string, let date = attempt["date"]?.int64,
            let result = attempt["result"]?.string.flatMap(Delivery.AttemptResult.init)
        else { return }
        if let notice = waiting.removeValue(forKey: uuid) {
            places[uuid] = notices.count
            notices.append(notice)
        }
        guard let place = places[uuid] else { return }
        notices[place].attempts.append(.init(date: date, result: result))
    }

    private mutating func add(extension done: JSONObject) {
        guard let productID = done["productId"]?.string,
            let requestID = done["requestIdentifier"]?.string, let date = done["date"]?.int64,
            let succeeded = done["succeeded"]?.int64, let failed = done["failed"]?.int64
        else { return }
        extensions.append(
            MassExtension(
                productID: productID,
                requestID: requestID,
                date: date,
                succeeded: succeeded,
                failed: failed
            )
        )
    }

    private mutating func add(report: JSONObject) {
        guard let id = report["transactionId"]?.string, let date = report["date"]?.int64,
            let body = report["body"]?.object
        else { return }
        reports.append(ConsumptionReport(transactionID: id, date: date, body: body))
    }
}
