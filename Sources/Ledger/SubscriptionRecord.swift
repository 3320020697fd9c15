import Entitlements

/// The bytes of one row of `subscriptions`: the merged facts and the owner.
///
/// Little-endian.
///
///     SIZE  MEANING
///     1     version of this table: 1
///     1     ever entitled
///     8     seq of the subscription's last journal entry
///     2     entries since one of them kept this record
///     2     transactions; each as in `ByteWriter.transaction`
///     1+…   renewal, status, cancellation, bearer, link, owner: each 0, or 1 and the value
///     2     tokens; each 16
///     2     sharers
///     4     CRC32C over key and everything before
enum SubscriptionRecord {
    static let version: UInt8 = 1

    static func write(_ subscription: Subscription, to writer: inout ByteWriter) {
        writer.integer(version)
        writer.flag(subscription.everEntitled)
        writer.integer(subscription.lastSeq)
        writer.integer(subscription.since)
        writer.list(subscription.transactions) { $0.transaction($1) }
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
    }

    static func subscription(
        of key: SubscriptionKey,
        _ bytes: some Collection<UInt8>,
        noting notes: NameNotes? = nil
    ) throws(Malformed) -> Subscription {
        var reader = ByteReader(bytes, noting: notes)
        guard try reader.integer(UInt8.self) == version else { throw Malformed() }
        let everEntitled = try reader.flag()
        let lastSeq = try reader.integer(UInt64.self)
        let since = try reader.integer(UInt16.self)
        let transactions = try reader.list { (reader) throws(Malformed) in
            try reader.transaction()
        }
        let renewal = try reader.optional { (reader) throws(Malformed) in try reader.renewal() }
        let status = try reader.optional { (reader) throws(Malformed) in try reader.status() }
        let disabled = try reader.optional { (reader) throws(Malformed) in try reader.moment() }
        let bearer = try reader.optional { (reader) throws(Malformed) in
            TokenBearer(
                purchased: try reader.moment(),
                version: try reader.version(),
                transactionID: try reader.transactionID(),
                token: try reader.token()
            )
        }
        let link = try reader.optional { (reader) throws(Malformed) in try reader.user() }
        let owner = try reader.optional { (reader) throws(Malformed) in try reader.user() }
        let tokens = try reader.list { (reader) throws(Malformed) in try reader.token() }
        let sharers = try reader.list { (reader) throws(Malformed) in try reader.user() }
        guard reader.isAtEnd else { throw Malformed() }
        return Subscription(
            key: key,
            transactions: transactions,
            renewal: renewal,
            status: status,
            renewalDisabled: disabled,
            everEntitled: everEntitled,
            bearer: bearer,
            tokens: tokens,
            link: link,
            owner: owner,
            sharers: sharers,
            lastSeq: lastSeq,
            since: since
        )
    }
}
