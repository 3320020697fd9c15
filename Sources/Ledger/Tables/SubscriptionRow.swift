import Entitlements

/// The bytes of one row of `subscriptions`: the merged facts and the owner.
///
/// Little-endian.
///
///     SIZE  MEANING
///     1     version of this table: 3, or 4 with what only stores of whole states have, or 5 where
///           transactions under other original ids took its place; rows of version 1 are read
///     1     1: ever entitled; 2: bought for a number of days
///     8     seq of the subscription's last journal entry
///     2     entries since one of them kept this record
///     2     transactions; each as in `ByteWriter.transaction`
///     …     from version 3 on, for each of them: 8, its earliest signature; 0, or 1 and the
///           latest one of a version that was not revoked
///     1+…   renewal, status, cancellation, bearer, link, owner: each 0, or 1 and the value
///     2     tokens; each 16
///     2     sharers
///     2     from version 3 on: claims; each token, purchase, version, transaction id
///     8     from version 3 on: the moment of the link
///     …     from version 3 on: the terms of each transaction, 0xFFFF for those of the one before
///           it; those of the renewal, if there is one; 2, original ids that it goes on as
///     …     from version 4 on: 2, revocations, each as in `ByteWriter.revocation`; 2, users who
///           were named, each user and version; 0, or 1 and the moment at which another purchase
///           took its place; the store's own word on the state
///     …     in version 5: 2, replacements, each as in `ByteWriter.replacement`
///     4     CRC32C over key and everything before
struct SubscriptionRow: TableRow {
    static var table: TableName { .subscriptions }
    let key: SubscriptionKey
    let record: Subscription

    var value: Row.Value { .subscription(record) }
    var lastSeq: UInt64? { record.lastSeq }
    static var isSearched: Bool { true }

    var persons: PersonNames {
        let users =
            [record.owner, record.link].compactMap { $0 } + record.sharers
            + record.named.map(\.user)
        return PersonNames(users: users, tokens: record.tokensKnown, kin: record.kin)
    }

    static func bytes(of key: SubscriptionKey) -> [UInt8] { Array(key.description.utf8) }

    static func key(of bytes: [UInt8]) throws(Malformed) -> SubscriptionKey {
        guard let text = String(validating: bytes, as: UTF8.self), let key = SubscriptionKey(text)
        else { throw Malformed() }
        return key
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        take(desk.subscriptions, into: &changes)
    }

    /// An older release has kept less of it.
    func agrees(with made: Self, writtenAs bytes: UnsafeRawBufferPointer) -> Bool {
        if self == made { return true }
        return bytes.first == Self.oldVersion && key == made.key
            && record.asKeptBefore == made.record.asKeptBefore
    }

    /// How facts are combined, and whose a purchase is, is what rules say.
    func agreesBesideRules(with made: Self) -> Bool { key == made.key }
}

// The record.

extension SubscriptionRow {
    static var version: UInt8 { 3 }
    /// With what only stores of whole states have.
    private static var snapshotVersion: UInt8 { 4 }
    /// With what only those have that were replaced in the App Store.
    private static var replacedVersion: UInt8 { 5 }
    /// Without what was added since: the links of old journals have no moment, versions of
    /// transactions that were replaced are gone, and no terms were kept.
    fileprivate static var oldVersion: UInt8 { 1 }
    /// Stands for the terms of the transaction before: most renewals have the same.
    private static var sameTerms: UInt16 { 0xFFFF }

    static func write(_ subscription: Subscription, to writer: inout ByteWriter) {
        let wasReplaced = !subscription.replacements.isEmpty
        let simple = subscription.hasSnapshotParts ? snapshotVersion : version
        writer.integer(wasReplaced ? replacedVersion : simple)
        writer.integer(UInt8((subscription.everEntitled ? 1 : 0) + (subscription.isDated ? 2 : 0)))
        writer.integer(subscription.lastSeq)
        writer.integer(subscription.since)
        writer.list(subscription.transactions) { $0.transaction($1) }
        for trace in subscription.traces {
            writer.moment(trace.first)
            writer.optional(trace.unrevoked) { $0.moment($1) }
        }
        writer.optional(subscription.renewal) { $0.renewal($1) }
        writer.optional(subscription.status) { $0.status($1) }
        writer.optional(subscription.renewalDisabled) { $0.moment($1) }
        writer.optional(subscription.bearer) { writer, bearer in
            writer.moment(bearer.purchased)
            writer.version(bearer.version)
            writer.text(bearer.transactionID)
            writer.token(bearer.token)
        }
        writer.optional(subscription.link) { $0.user($1) }
        writer.optional(subscription.owner) { $0.user($1) }
        writer.list(subscription.tokens) { $0.token($1) }
        writer.list(subscription.sharers) { $0.user($1) }
        writer.list(subscription.claims) { writer, claim in
            writer.token(claim.token)
            writer.moment(claim.purchased)
            writer.version(claim.version)
            writer.text(claim.transactionID)
        }
        writer.moment(subscription.linkedAt)
        writeTerms(of: subscription, to: &writer)
    }

    private static func writeTerms(of subscription: Subscription, to writer: inout ByteWriter) {
        var last: TransactionTerms?
        for transaction in subscription.transactions {
            if transaction.terms == last {
                writer.integer(sameTerms)
            } else {
                writer.terms(transaction.terms)
            }
            last = transaction.terms
        }
        if let renewal = subscription.renewal { writer.terms(renewal.terms) }
        writer.list(subscription.successors) { $0.text($1.originalID) }
        guard subscription.hasSnapshotParts else { return }
        writer.list(subscription.revocations) { $0.revocation($1) }
        writer.list(subscription.named) { $0.named($1) }
        writer.optional(subscription.replacedAt) { $0.moment($1) }
        writer.text(subscription.status?.word ?? "")
        if subscription.replacements.isEmpty { return }
        writer.list(subscription.replacements) { $0.replacement($1) }
    }

    private static func readTerms(
        of key: SubscriptionKey,
        into transactions: inout [TransactionFact],
        _ renewal: inout RenewalFact?,
        from reader: inout ByteReader
    ) throws(Malformed) {
        for place in transactions.indices {
            var ahead = reader
            if try ahead.integer(UInt16.self) == sameTerms {
                guard place > 0 else { throw Malformed() }
                reader = ahead
                transactions[place].terms = transactions[place - 1].terms
            } else {
                transactions[place].terms = try reader.terms(of: key).0
            }
        }
        if renewal != nil { renewal?.terms = try reader.renewalTerms() }
    }

    static func record(
        of key: SubscriptionKey,
        from reader: inout ByteReader
    ) throws(Malformed) -> Subscription {
        let version = try reader.integer(UInt8.self)
        let versions = [oldVersion, Self.version, snapshotVersion, replacedVersion]
        guard versions.contains(version) else { throw Malformed() }
        let marks = try reader.integer(UInt8.self)
        guard marks <= 3 else { throw Malformed() }
        let lastSeq = try reader.integer(UInt64.self)
        let since = try reader.integer(UInt16.self)
        var transactions = try reader.list { (reader) throws(Malformed) in
            try reader.transaction()
        }
        let traces = version == oldVersion ? nil : try reader.traces(of: transactions.count)
        var renewal = try reader.optional { (reader) throws(Malformed) in try reader.renewal() }
        var status = try reader.optional { (reader) throws(Malformed) in try reader.status() }
        let disabled = try reader.optional { (reader) throws(Malformed) in try reader.moment() }
        let bearer = try reader.optional { (reader) throws(Malformed) in try reader.bearer() }
        let link = try reader.optional { (reader) throws(Malformed) in try reader.user() }
        let owner = try reader.optional { (reader) throws(Malformed) in try reader.user() }
        let tokens = try reader.list { (reader) throws(Malformed) in try reader.token() }
        let sharers = try reader.list { (reader) throws(Malformed) in try reader.user() }
        var successors: [SubscriptionKey] = []
        var claims: [TokenClaim]?
        var linkedAt: Moment?
        if version != oldVersion {
            claims = try reader.list { (reader) throws(Malformed) in try reader.claim() }
            linkedAt = try reader.moment()
            try readTerms(of: key, into: &transactions, &renewal, from: &reader)
            successors = try reader.list { (reader) throws(Malformed) in
                try reader.successor(of: key)
            }
        }
        var revocations: [RevocationFact] = []
        var named: [UserFact] = []
        var replacedAt: Moment?
        var replacements: [Replacement] = []
        if version >= snapshotVersion {
            revocations = try reader.list { (reader) throws(Malformed) in try reader.revocation() }
            named = try reader.list { (reader) throws(Malformed) in try reader.named() }
            replacedAt = try reader.optional { (reader) throws(Malformed) in try reader.moment() }
            // Read though there may be no status.
            let word = try reader.text()
            status?.word = word
        }
        if version == replacedVersion {
            replacements = try reader.replacements()
        }
        var subscription = Subscription(
            key: key,
            transactions: transactions,
            renewal: renewal,
            status: status,
            renewalDisabled: disabled,
            everEntitled: marks & 1 == 1,
            bearer: bearer,
            tokens: tokens,
            link: link,
            owner: owner,
            sharers: sharers,
            successors: successors,
            lastSeq: lastSeq,
            since: since,
            traces: traces,
            claims: claims,
            linkedAt: linkedAt,
            revocations: revocations,
            named: named,
            replacedAt: replacedAt,
            replacements: replacements
        )
        subscription.isDated = marks & 2 == 2
        return subscription
    }
}

extension ByteReader {
    /// What is kept of each of so many transactions beside its newest document.
    fileprivate mutating func traces(of count: Int) throws(Malformed) -> [TransactionTrace] {
        var traces: [TransactionTrace] = []
        for _ in 0..<count {
            let first = try moment()
            let unrevoked = try optional { (reader) throws(Malformed) in try reader.moment() }
            traces.append(TransactionTrace(first: first, unrevoked: unrevoked))
        }
        return traces
    }

    fileprivate mutating func bearer() throws(Malformed) -> TokenBearer {
        TokenBearer(
            purchased: try moment(),
            version: try version(),
            transactionID: try transactionID(),
            token: try token()
        )
    }
}

// A loaded subscription: 2, key, the record.

extension SubscriptionRow {
    static func rowKey(_ key: SubscriptionKey) -> RowKey? { .subscription(key) }
    static var loadCodes: [UInt8] { [2] }
    func loaded(naming names: [String]) -> LoadedRow? { .subscription(record) }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.key(key)
        writer.record { Self.write(record, to: &$0) }
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        let key = try reader.key()
        return .subscription(try record(of: key, try reader.record(), noting: reader.notes))
    }
}

extension RecordSource {
    /// The merged facts about `key`.
    func subscription(of key: SubscriptionKey) throws -> Subscription? {
        try record(of: SubscriptionRow.self, at: key)
    }
}

extension ByteReader {
    fileprivate mutating func successor(
        of key: SubscriptionKey
    ) throws(Malformed) -> SubscriptionKey {
        try noted(NameNotes.Name.previous, after: 2) { (reader) throws(Malformed) in
            SubscriptionKey(key, originalID: try reader.text())
        }
    }

    fileprivate mutating func claim() throws(Malformed) -> TokenClaim {
        let token = try token()
        let purchased = try moment()
        let version = try version()
        return TokenClaim(
            token: token,
            purchased: purchased,
            transactionID: try transactionID(),
            version: version
        )
    }
}
