import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

/// Reads rows as `RowView` writes them: the inverse, for `load`.
///
/// Every text is bounded and every number checked here; after this nobody checks again.
struct RowReading: Error {
    /// What is wrong with the row.
    let sentence: String

    private init(_ sentence: String) { self.sentence = sentence }

    /// Whether a row is of a table that every ledger keeps for itself.
    static func isPassedOver(_ entry: JSONValue) -> Bool {
        let table = entry["table"]?.string.flatMap { TableName(rawValue: $0) }
        return table.map { !$0.isLoaded } ?? false
    }

    /// The row in `entry`.
    static func row(_ entry: JSONValue) throws(RowReading) -> (key: RowKey, row: LoadedRow) {
        guard let name = entry["table"]?.string, let table = TableName(rawValue: name) else {
            throw RowReading("its table is not one of the tables")
        }
        let bytes = try keyBytes(entry["key"])
        guard bytes.count <= 511, let key = RowKey(bytes, in: table), isNamed(key) else {
            throw RowReading("its key is not one of the table")
        }
        guard let object = entry["value"]?.object else { throw RowReading("its value is missing") }
        return (key, try row(key, RowMembers(object)))
    }

    /// Whether a purchase or a pack in it has a name that a store could give.
    private static func isNamed(_ key: RowKey) -> Bool {
        switch key {
        case .subscription(let key): RowMembers.isName(key.originalID)
        case .unclaimed(let waiting): RowMembers.isName(waiting.key.originalID)
        case .pack(let key): RowMembers.isName(key.transactionID)
        case .account, .token, .notification, .settlement, .reservation, .lease, .appTransaction,
            .merger:
            true
        }
    }

    static func keyBytes(_ key: JSONValue?) throws(RowReading) -> [UInt8] {
        if let text = key?.string { return Array(text.utf8) }
        guard let encoded = key?["base64"]?.string, let bytes = Data(base64Encoded: encoded) else {
            throw RowReading("its key is neither text nor base64")
        }
        return Array(bytes)
    }

    private static func sighting(_ value: RowMembers) throws(RowReading) -> Sighting {
        Sighting(seq: try value.position("seq"), at: try value.moment("at"))
    }

    private static func holder(_ value: RowMembers) throws(RowReading) -> LeaseHolder {
        let host = try value.optionalShortText("host") ?? ""
        let epoch = try value.optionalInteger("epoch") ?? 0
        guard let epoch = UInt64(exactly: epoch) else { throw value.wrong("epoch") }
        return LeaseHolder(host: host, epoch: epoch)
    }

    private static func row(_ key: RowKey, _ value: RowMembers) throws(RowReading) -> LoadedRow {
        switch key {
        case .account(let user): try account(of: user, value)
        case .subscription(let key): .subscription(try subscription(of: key, value))
        case .token(let token): .token(token, try value.user("userId"))
        case .unclaimed(let waiting): .unclaimed(waiting)
        case .notification(let id): .notification(id, try sighting(value))
        case .settlement(let key): .settlement(key, try settlement(value))
        case .reservation(let id): .reservation(try held(id), try reservation(value))
        case .lease(let id):
            .lease(try held(id), Lease(user: try value.user("userId"), holder: try holder(value)))
        case .pack(let key): .pack(key, try pack(value))
        case .appTransaction(let mark): .appTransaction(mark, try value.moment("shownAt"))
        case .merger(let user):
            .merger(user, try merger(value))
        }
    }

    private static func merger(_ value: RowMembers) throws(RowReading) -> MergedAccount {
        MergedAccount(
            into: try value.user("intoUserId"),
            leftFreeCredits: try value.optionalFlag("leftFreeCredits")
        )
    }

    private static func pack(_ value: RowMembers) throws(RowReading) -> Pack {
        let amount = try value.integer("amount")
        guard (0...MethodLimits.loadedAmountMax).contains(amount) else {
            throw value.wrong("amount")
        }
        let takenBack = try value.optionalInteger("takenBack")
        guard (0...amount).contains(takenBack ?? 0) else { throw value.wrong("takenBack") }
        let part = try value.optionalInteger("refunded")
        guard ((takenBack ?? 0)...amount).contains(part ?? amount) else {
            throw value.wrong("refunded")
        }
        return Pack(
            user: try value.user("userId"),
            source: try value.text("source", isEmptyFine: true),
            amount: amount,
            period: try period(value),
            from: try begin(value),
            until: try value.optionalMoment("expiresAt") ?? .distantFuture,
            takenBack: takenBack,
            refundedPart: takenBack == nil || part == amount ? nil : part
        )
    }

    /// Ids that are made later from positions stand above every loaded one; there must be room for
    /// them.
    private static func bounded(_ id: UInt64) throws(RowReading) -> UInt64 {
        guard id <= Entitlements.Limits.positionMax else {
            throw RowReading("its id is too great")
        }
        return id
    }

    /// The id of a reservation, drawn or, in older dumps, a position.
    private static func held(_ id: UInt64) throws(RowReading) -> UInt64 {
        guard (1...UInt64(Int64.max)).contains(id) else {
            throw RowReading("its id is not one of a reservation")
        }
        return id
    }

    private static func account(
        of user: UserID,
        _ value: RowMembers
    ) throws(RowReading) -> LoadedRow {
        var flags: AccountFlags = []
        if try value.flag("registered") { flags.insert(.registered) }
        if try value.flag("hadSubscription") { flags.insert(.hadSubscription) }
        if try value.flag("everCredited") { flags.insert(.everCredited) }
        if try value.optionalFlag("awaitsAppTransaction") { flags.insert(.awaitsAppTransaction) }
        var subscriptions: [SubscriptionKey] = []
        for text in try value.texts("subscriptions") {
            guard let key = SubscriptionKey(text), RowMembers.isName(key.originalID) else {
                throw value.wrong("subscriptions")
            }
            subscriptions.append(key)
        }
        guard Set(subscriptions).count == subscriptions.count,
            subscriptions.count <= Entitlements.Limits.subscriptionsMax
        else { throw value.wrong("subscriptions") }
        let places = Dictionary(
            uniqueKeysWithValues: subscriptions.enumerated().map { ($1, $0) }
        )
        var names = Numbering()
        var slots: [Slot] = []
        for slot in try value.objects("slots", countMax: Entitlements.Limits.slotsMax) {
            slots.append(try self.slot(slot, at: places, &names))
            // In the order in which they stand by subscription and moment: which of them holds is
            // read off its neighbours.
            guard let last = slots.dropLast().last else { continue }
            guard
                (last.ordinal, last.from) <= (
                    slots[slots.count - 1].ordinal, slots[slots.count - 1].from
                )
            else { throw value.wrong("slots") }
        }
        var grants: [Grant] = []
        for grant in try value.objects("grants", countMax: Entitlements.Limits.grantsMax) {
            grants.append(try self.grant(grant, &names))
        }
        let account = Account(
            user: user,
            opened: try value.moment("openedAt"),
            flags: flags,
            purse: try purse(try value.object("credits")),
            subscriptions: subscriptions,
            // One more than can be asked for: where user ids are tokens, the user's own.
            tokens: try value.tokens(
                "tokens",
                countMax: Entitlements.Limits.accountTokensMax + 1
            ),
            slots: slots,
            grants: grants,
            firstAnswers: try firstAnswers(value),
            formers: value.has("formers")
                ? try value.users(
                    "formers",
                    countMax: Entitlements.Limits.accountTokensMax + 1
                ) : []
        )
        return .account(account, names: names.names)
    }

    private static func slot(
        _ value: RowMembers,
        at places: [SubscriptionKey: Int],
        _ names: inout Numbering
    ) throws(RowReading) -> Slot {
        guard let key = SubscriptionKey(try value.text("subscription")), let ordinal = places[key]
        else { throw value.wrong("subscription") }
        guard let marks = UInt16(exactly: try value.integer("marks")) else {
            throw value.wrong("marks")
        }
        return Slot(
            ordinal: UInt16(ordinal),
            store: key.store,
            environment: key.environment,
            product: names.number(of: try value.plainText("productId")),
            marks: EraMarks(rawValue: marks),
            from: try value.moment("from", null: .distantPast),
            paidUntil: try value.moment("paidUntil", null: .distantPast),
            graceUntil: try value.moment("graceUntil", null: .distantPast)
        )
    }

    private static func grant(
        _ value: RowMembers,
        _ names: inout Numbering
    ) throws(RowReading) -> Grant {
        guard let id = GrantName.id(try value.text("grant")) else { throw value.wrong("grant") }
        var store: Store?
        if let name = try value.optionalText("store") {
            store = Store(name: name)
            if store == nil { throw value.wrong("store") }
        }
        return Grant(
            id: try bounded(id),
            plan: names.number(of: Numbering.planName(try value.plainText("plan"))),
            from: try value.moment("from"),
            until: try value.moment("until", null: .distantFuture),
            storeCode: store?.rawValue ?? 0
        )
    }

    private static func purse(_ value: RowMembers) throws(RowReading) -> Purse {
        var holds: [Hold] = []
        for hold in try value.objects("holds", countMax: Entitlements.Limits.holdsMax) {
            holds.append(
                Hold(
                    id: try reservationID(hold),
                    until: try hold.moment("expiresAt"),
                    parts: try parts(hold)
                )
            )
        }
        let purse = Purse(
            buckets: try buckets(value, "buckets"),
            holds: holds,
            debt: try value.integer("debt"),
            forgiven: try forgiven(value),
            moved: try moved(value),
            ended: value.has("ended") ? try buckets(value, "ended") : []
        )
        // So that no sum of them overflows, and the front's list of balances has a length of two
        // bytes.
        let parts = purse.buckets + purse.ended + holds.flatMap(\.parts)
        guard parts.count <= MethodLimits.loadedListMax,
            (0...MethodLimits.loadedAmountMax).contains(purse.debt)
        else { throw value.wrong("buckets") }
        return purse
    }

    private static func reservationID(_ value: RowMembers) throws(RowReading) -> UInt64 {
        guard let id = ReservationName.id(try value.text("reservation")) else {
            throw value.wrong("reservation")
        }
        return try held(id)
    }

    /// What was taken for one charge or one reservation, which is no more than one can ask for.
    private static func parts(_ value: RowMembers) throws(RowReading) -> [Bucket] {
        let parts = try buckets(value, "parts")
        var sum: Int64 = 0
        for part in parts {
            sum += part.amount
            guard sum <= MethodLimits.amountMax else { throw value.wrong("parts") }
        }
        return parts
    }

    private static func forgiven(_ value: RowMembers) throws(RowReading) -> [Forgiveness] {
        guard value.has("forgiven") else { return [] }
        var refunds: [Forgiveness] = []
        for one in try value.objects("forgiven") {
            guard let name = SubscriptionKey(try one.text("pack")),
                RowMembers.isName(name.originalID)
            else { throw one.wrong("pack") }
            let amount = try one.integer("amount")
            guard amount != 0, amount.magnitude <= MethodLimits.loadedAmountMax,
                refunds.count < Entitlements.Limits.forgivenMax
            else { throw one.wrong("amount") }
            refunds.append(
                Forgiveness(
                    pack: PackKey(
                        store: name.store,
                        environment: name.environment,
                        transactionID: name.originalID
                    ),
                    at: try one.moment("at"),
                    seq: try one.position("seq"),
                    amount: amount
                )
            )
        }
        return refunds
    }

    private static func buckets(
        _ value: RowMembers,
        _ name: String
    ) throws(RowReading) -> [Bucket] {
        var buckets: [Bucket] = []
        for bucket in try value.objects(name) {
            let amount = try bucket.integer("amount")
            guard (1...MethodLimits.loadedAmountMax).contains(amount) else {
                throw bucket.wrong("amount")
            }
            buckets.append(
                Bucket(
                    source: try bucket.text("source", isEmptyFine: true),
                    period: try period(bucket),
                    from: try begin(bucket),
                    until: try bucket.moment("expiresAt", null: .distantFuture),
                    amount: amount
                )
            )
        }
        return buckets
    }

    private static func firstAnswers(_ value: RowMembers) throws(RowReading) -> [FirstAnswer] {
        guard value.has("firstAnswers") else { return [] }
        var answers: [FirstAnswer] = []
        for one in try value.objects("firstAnswers") {
            guard answers.count < Entitlements.Limits.firstAnswersMax else {
                throw value.wrong("firstAnswers")
            }
            answers.append(
                FirstAnswer(key: try one.half("key"), settlement: try settlement(one))
            )
        }
        return answers
    }

    private static func settlement(_ value: RowMembers) throws(RowReading) -> Settlement {
        let word = try value.text("answer")
        let answer: Settlement.Answer
        switch word {
        case "granted": answer = .granted
        case "merged": answer = .merged
        case "credited": answer = .credited(remaining: try value.integer("creditsRemaining"))
        case "consumed", "consumed, reversed":
            answer = .consumed(
                remaining: try value.integer("creditsRemaining"),
                parts: try parts(value),
                isReversed: word != "consumed"
            )
        case "insufficient":
            answer = .insufficient(remaining: try value.integer("creditsRemaining"))
        case "reserved": answer = .reserved(remaining: try value.integer("creditsRemaining"))
        case "reversed": answer = .reversed(remaining: try value.integer("creditsRemaining"))
        case "nothing":
            answer = .nothingReversed(remaining: try value.integer("creditsRemaining"))
        default: throw value.wrong("answer")
        }
        // Older dumps have the position of a reservation, which was its id.
        let isNamed = word == "reserved" && value.has("reservation")
        return Settlement(
            fingerprint: try value.half("fingerprint"),
            seq: isNamed ? try reservationID(value) : try value.position("seq"),
            at: try value.moment("at"),
            now: try value.optionalMoment("clock"),
            answer: answer
        )
    }

    private static func reservation(_ value: RowMembers) throws(RowReading) -> Reservation {
        var ending: Reservation.Ending?
        if let word = try value.optionalText("outcome") {
            let kinds: [Reservation.Ending.Kind] = [
                .committed, .released, .expired, .disconnected,
            ]
            guard let kind = kinds.first(where: { $0.rowWord == word }) else {
                throw value.wrong("outcome")
            }
            ending = .init(kind: kind, remaining: try value.integer("creditsRemaining"))
        }
        return Reservation(
            user: try value.user("userId"),
            until: try value.moment("expiresAt"),
            isLease: try value.flag("releaseOnDisconnect"),
            ending: ending
        )
    }

    static func wrong(_ name: String) -> RowReading {
        RowReading("its member \(name) is not what a dump writes")
    }
}
