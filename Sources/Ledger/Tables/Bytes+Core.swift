import Entitlements

// How the core's small values are written, in records and in the journal alike.

extension ByteWriter {
    mutating func moment(_ value: Moment) { integer(value.milliseconds) }

    mutating func user(_ value: UserID) { text(value.bytes) }

    mutating func token(_ value: Token) {
        integer(value.high)
        integer(value.low)
    }

    mutating func digest(_ value: Digest256) {
        integer(value.words.0)
        integer(value.words.1)
        integer(value.words.2)
        integer(value.words.3)
    }

    mutating func half(_ value: Digest128) {
        integer(value.words.0)
        integer(value.words.1)
    }

    mutating func version(_ value: Version) {
        moment(value.signed)
        digest(value.digest)
    }

    mutating func key(_ value: SubscriptionKey) {
        integer(value.store.rawValue)
        integer(value.environment.rawValue)
        text(value.originalID)
    }

    mutating func notificationID(_ value: NotificationID) {
        moment(value.signed)
        digest(value.digest)
    }

    mutating func sighting(_ value: Sighting) {
        integer(value.seq)
        moment(value.at)
    }

    mutating func idempotencyKey(_ value: IdempotencyKey) {
        user(value.user)
        half(value.digest)
    }

    mutating func settlement(_ value: Settlement) {
        half(value.fingerprint)
        answered(value)
    }

    /// A settlement but for its fingerprint.
    mutating func answered(_ value: Settlement) {
        integer(value.seq)
        moment(value.at)
        if value.now != value.at {
            integer(Settlement.clockCode)
            moment(value.now)
        }
        switch value.answer {
        case .granted: integer(UInt8(1))
        case .credited(let remaining): answer(2, remaining)
        case .consumed(let remaining, let parts, let isReversed):
            answer(3, remaining)
            list(parts) { $0.bucket($1) }
            flag(isReversed)
        case .insufficient(let remaining): answer(4, remaining)
        case .reserved(let remaining): answer(5, remaining)
        case .reversed(let remaining): answer(6, remaining)
        case .nothingReversed(let remaining): answer(7, remaining)
        case .merged: integer(UInt8(8))
        }
    }

    private mutating func answer(_ code: UInt8, _ remaining: Int64) {
        integer(code)
        integer(remaining)
    }

    /// How, and what remained.
    mutating func ending(_ value: Reservation.Ending) {
        integer(value.kind.rawValue)
        integer(value.remaining)
    }

    /// User, end, lease, ending.
    mutating func reservation(_ value: Reservation) {
        user(value.user)
        moment(value.until)
        flag(value.isLease)
        optional(value.ending) { $0.ending($1) }
    }

    mutating func packKey(_ value: PackKey) {
        integer(value.store.rawValue)
        integer(value.environment.rawValue)
        text(value.transactionID)
    }

    mutating func grant(_ value: Grant) {
        integer(value.id)
        moment(value.from)
        moment(value.until)
        integer(value.storeCode)
    }

    mutating func catalogStamp(_ value: CatalogStamp) {
        integer(value.version)
        digest(value.digest)
        longText(value.text)
    }

    /// A length of four bytes, then what `write` writes.
    mutating func record(_ write: (inout ByteWriter) -> Void) {
        let bytes = ByteWriter.bytes(write)
        integer(UInt32(bytes.count))
        raw(bytes)
    }

    /// What an account remembers of its chain.
    mutating func chain(_ chain: Chain) {
        integer(chain.since)
        integer(UInt8(chain.marks.count))
        guard !chain.marks.isEmpty else { return }
        integer(chain.count)
        moment(chain.low)
        for mark in chain.marks {
            integer(mark.seq)
            moment(mark.low)
        }
    }

    mutating func mark(_ value: NameMark) {
        integer(value.low)
        integer(value.high)
    }

    mutating func hashKey(_ value: HashKey) {
        integer(value.first)
        integer(value.second)
    }

    mutating func fact(_ value: Fact) {
        key(value.key)
        optional(value.transaction) { writer, transaction in
            writer.transaction(transaction)
            writer.terms(transaction.terms, of: transaction.origin)
        }
        optional(value.renewal) { writer, renewal in
            writer.renewal(renewal)
            writer.terms(renewal.terms)
        }
        optional(value.status) { $0.status($1) }
        optional(value.renewalDisabled) { $0.moment($1) }
    }

    mutating func transaction(_ value: TransactionFact) {
        text(value.id)
        version(value.version)
        text(value.productID)
        moment(value.purchased)
        optional(value.expires) { $0.moment($1) }
        optional(value.revoked) { $0.moment($1) }
        flag(value.isUpgraded)
        text(value.kind)
        text(value.ownership)
        optional(value.offerType) { $0.integer($1) }
        optional(value.offerDiscount) { $0.text($1) }
        optional(value.token) { $0.token($1) }
        integer(value.quantity)
        optional(value.revocationReason) { $0.integer($1) }
        optional(value.reason) { $0.text($1) }
    }

    mutating func renewal(_ value: RenewalFact) {
        version(value.version)
        optional(value.autoRenew) { $0.flag($1) }
        optional(value.nextProductID) { $0.text($1) }
        flag(value.isInBillingRetry)
        optional(value.graceUntil) { $0.moment($1) }
        optional(value.expirationIntent) { $0.integer($1) }
        optional(value.priceIncreaseStatus) { $0.integer($1) }
        optional(value.renewalDate) { $0.moment($1) }
    }

    mutating func status(_ value: StatusFact) {
        version(value.version)
        integer(value.code)
    }
}

extension ByteReader {
    mutating func moment() throws(Malformed) -> Moment { Moment(try integer()) }

    mutating func user() throws(Malformed) -> UserID {
        try noted(NameNotes.Name.user, after: 2) { (reader) throws(Malformed) in
            let text = Array(try reader.text().utf8)
            // In a journal that was rewritten, erased persons have pseudonyms.
            guard let user = UserID(text) ?? UserID(pseudonym: text) else { throw Malformed() }
            return user
        }
    }

    mutating func token() throws(Malformed) -> Token {
        try noted(NameNotes.Name.token) { (reader) throws(Malformed) in
            guard let token = Token(high: try reader.integer(), low: try reader.integer()) else {
                throw Malformed()
            }
            return token
        }
    }

    mutating func digest() throws(Malformed) -> Digest256 {
        Digest256(try integer(), try integer(), try integer(), try integer())
    }

    mutating func half() throws(Malformed) -> Digest128 {
        Digest128(try integer(), try integer())
    }

    mutating func version() throws(Malformed) -> Version {
        Version(signed: try moment(), digest: try digest())
    }

    mutating func key() throws(Malformed) -> SubscriptionKey {
        guard
            let store = Store(rawValue: try integer()),
            let environment = StoreEnvironment(rawValue: try integer())
        else { throw Malformed() }
        return try noted(NameNotes.Name.subscription, after: 2) { (reader) throws(Malformed) in
            let id = try reader.text()
            return SubscriptionKey(store: store, environment: environment, originalID: id)
        }
    }

    mutating func transactionID() throws(Malformed) -> String {
        try noted(NameNotes.Name.transaction, after: 2) { (reader) throws(Malformed) in
            try reader.text()
        }
    }

    /// What an admin wrote for the history.
    mutating func reason() throws(Malformed) -> String {
        try noted(NameNotes.Name.reason, after: 2) { (reader) throws(Malformed) in
            try reader.text()
        }
    }

    mutating func notificationID() throws(Malformed) -> NotificationID {
        NotificationID(signed: try moment(), digest: try digest())
    }

    mutating func sighting() throws(Malformed) -> Sighting {
        Sighting(seq: try integer(), at: try moment())
    }

    mutating func idempotencyKey() throws(Malformed) -> IdempotencyKey {
        IdempotencyKey(user: try user(), digest: try half())
    }

    mutating func settlement() throws(Malformed) -> Settlement {
        try answered(under: try half())
    }

    /// A settlement but for its fingerprint.
    mutating func answered(under fingerprint: Digest128) throws(Malformed) -> Settlement {
        let (seq, at) = (try integer(UInt64.self), try moment())
        var code = try integer(UInt8.self)
        var now = at
        if code == Settlement.clockCode {
            now = try moment()
            code = try integer()
            guard now != at else { throw Malformed() }
        }
        return Settlement(
            fingerprint: fingerprint,
            seq: seq,
            at: at,
            now: now,
            answer: try answer(code)
        )
    }

    private mutating func answer(_ code: UInt8) throws(Malformed) -> Settlement.Answer {
        switch code {
        case 1: return .granted
        case 2: return .credited(remaining: try integer())
        case 3:
            return .consumed(remaining: try integer(), parts: try parts(), isReversed: try flag())
        case 4: return .insufficient(remaining: try integer())
        case 5: return .reserved(remaining: try integer())
        case 6: return .reversed(remaining: try integer())
        case 7: return .nothingReversed(remaining: try integer())
        case 8: return .merged
        default: throw Malformed()
        }
    }

    mutating func ending() throws(Malformed) -> Reservation.Ending {
        guard let kind = Reservation.Ending.Kind(rawValue: try integer()) else { throw Malformed() }
        return Reservation.Ending(kind: kind, remaining: try integer())
    }

    mutating func reservation() throws(Malformed) -> Reservation {
        Reservation(
            user: try user(),
            until: try moment(),
            isLease: try flag(),
            ending: try optional { (reader) throws(Malformed) in try reader.ending() }
        )
    }

    mutating func packKey() throws(Malformed) -> PackKey {
        guard
            let store = Store(rawValue: try integer()),
            let environment = StoreEnvironment(rawValue: try integer())
        else { throw Malformed() }
        return try noted(NameNotes.Name.pack, after: 2) { (reader) throws(Malformed) in
            let id = try reader.text()
            return PackKey(store: store, environment: environment, transactionID: id)
        }
    }

    mutating func grant() throws(Malformed) -> Grant {
        Grant(
            id: try integer(),
            plan: 0,
            from: try moment(),
            until: try moment(),
            storeCode: try integer()
        )
    }

    mutating func catalogStamp() throws(Malformed) -> CatalogStamp {
        CatalogStamp(version: try integer(), digest: try digest(), text: try longText())
    }

    /// What `ByteWriter.record` wrote.
    mutating func record() throws(Malformed) -> ArraySlice<UInt8> {
        let record = try take(Int(try integer(UInt32.self)))
        notes?.add(record: record.startIndex..<record.endIndex)
        return record
    }

    /// What an account remembers of its chain.
    mutating func chain() throws(Malformed) -> Chain {
        let since = try integer(UInt16.self)
        let marks = try integer(UInt8.self)
        var count: UInt32 = 0
        var low = Moment.distantPast
        var read: [Chain.Mark] = []
        if marks > 0 {
            count = try integer()
            low = try moment()
        }
        for _ in 0..<marks {
            read.append(Chain.Mark(seq: try integer(), low: try moment()))
        }
        guard let chain = Chain(since: since, count: count, low: low, marks: read) else {
            throw Malformed()
        }
        return chain
    }

    mutating func mark() throws(Malformed) -> NameMark {
        NameMark(low: try integer(), high: try integer())
    }

    mutating func hashKey() throws(Malformed) -> HashKey { HashKey(try integer(), try integer()) }

    mutating func fact() throws(Malformed) -> Fact {
        let key = try key()
        return Fact(
            key: key,
            transaction: try optional { (reader) throws(Malformed) in
                var transaction = try reader.transaction()
                (transaction.terms, transaction.origin) = try reader.terms(of: key)
                return transaction
            },
            renewal: try optional { (reader) throws(Malformed) in
                var renewal = try reader.renewal()
                renewal.terms = try reader.renewalTerms()
                return renewal
            },
            status: try optional { (reader) throws(Malformed) in try reader.status() },
            renewalDisabled: try optional { (reader) throws(Malformed) in try reader.moment() }
        )
    }

    /// A fact without the terms of its transaction.
    mutating func bareFact() throws(Malformed) -> Fact {
        Fact(
            key: try key(),
            transaction: try optional { (reader) throws(Malformed) in try reader.transaction() },
            renewal: try optional { (reader) throws(Malformed) in try reader.renewal() },
            status: try optional { (reader) throws(Malformed) in try reader.status() },
            renewalDisabled: try optional { (reader) throws(Malformed) in try reader.moment() }
        )
    }

    mutating func transaction() throws(Malformed) -> TransactionFact {
        var fact = TransactionFact(
            id: try transactionID(),
            version: try version(),
            productID: try text(),
            purchased: try moment()
        )
        fact.expires = try optional { (reader) throws(Malformed) in try reader.moment() }
        fact.revoked = try optional { (reader) throws(Malformed) in try reader.moment() }
        fact.isUpgraded = try flag()
        fact.kind = try text()
        fact.ownership = try text()
        fact.offerType = try optional { (reader) throws(Malformed) in try reader.integer() }
        fact.offerDiscount = try optional { (reader) throws(Malformed) in try reader.text() }
        fact.token = try optional { (reader) throws(Malformed) in try reader.token() }
        fact.quantity = try integer()
        fact.revocationReason = try optional { (reader) throws(Malformed) in try reader.integer() }
        fact.reason = try optional { (reader) throws(Malformed) in try reader.text() }
        return fact
    }

    mutating func renewal() throws(Malformed) -> RenewalFact {
        var fact = RenewalFact(version: try version())
        fact.autoRenew = try optional { (reader) throws(Malformed) in try reader.flag() }
        fact.nextProductID = try optional { (reader) throws(Malformed) in try reader.text() }
        fact.isInBillingRetry = try flag()
        fact.graceUntil = try optional { (reader) throws(Malformed) in try reader.moment() }
        fact.expirationIntent = try optional { (reader) throws(Malformed) in try reader.integer() }
        fact.priceIncreaseStatus = try optional { (reader) throws(Malformed) in
            try reader.integer()
        }
        fact.renewalDate = try optional { (reader) throws(Malformed) in try reader.moment() }
        return fact
    }

    mutating func status() throws(Malformed) -> StatusFact {
        StatusFact(version: try version(), code: try integer())
    }
}

extension Settlement {
    /// Stands before the answer's code, with what the clock said, where that was not `at`.
    fileprivate static let clockCode: UInt8 = 0
}
