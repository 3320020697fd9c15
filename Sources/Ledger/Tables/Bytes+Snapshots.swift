import Entitlements

// Facts of stores that answer with whole states:
//
//     …     key
//     2     transactions, each with its terms; the first one is the main one, unless the next byte
//     1     is 1: all of them are beside one that the fact does not state
//     …     renewal with its terms, status with the store's word, moment of cancellation: each 0,
//           or 1 and the value
//     2     revocations; each transaction id, version, moment, share, reason, type (0, or 1 and the
//           value)
//     …     the user whom it names, with the version; the moment at which another purchase took its
//           place: each 0, or 1 and the value

extension ByteWriter {
    mutating func snapshotFact(_ value: Fact) {
        key(value.key)
        list(value.transactions) { writer, transaction in
            writer.transaction(transaction)
            writer.terms(transaction.terms, of: transaction.origin)
        }
        flag(value.transaction == nil)
        optional(value.renewal) { writer, renewal in
            writer.renewal(renewal)
            writer.terms(renewal.terms)
        }
        optional(value.status) { writer, status in
            writer.status(status)
            writer.text(status.word)
        }
        optional(value.renewalDisabled) { $0.moment($1) }
        list(value.revocations) { $0.revocation($1) }
        optional(value.user) { $0.named($1) }
        optional(value.replaced) { $0.moment($1) }
    }

    mutating func revocation(_ value: RevocationFact) {
        text(value.transactionID)
        version(value.version)
        optional(value.revoked) { $0.moment($1) }
        optional(value.share) { $0.integer($1) }
        optional(value.reason) { $0.integer($1) }
        optional(value.type) { $0.text($1) }
    }

    mutating func replacement(_ value: Replacement) {
        moment(value.at)
        moment(value.first)
        optional(value.said) { $0.moment($1) }
        moment(value.signed)
        flag(value.isVoid)
    }

    mutating func named(_ value: UserFact) {
        user(value.user)
        version(value.version)
    }
}

extension ByteReader {
    mutating func snapshotFact() throws(Malformed) -> Fact {
        let key = try key()
        var fact = Fact(key: key)
        fact.items = try list { (reader) throws(Malformed) in
            var transaction = try reader.transaction()
            (transaction.terms, transaction.origin) = try reader.terms(of: key)
            return transaction
        }
        if try !flag() {
            guard !fact.items.isEmpty else { throw Malformed() }
            fact.transaction = fact.items.removeFirst()
        }
        fact.renewal = try optional { (reader) throws(Malformed) in
            var renewal = try reader.renewal()
            renewal.terms = try reader.renewalTerms()
            return renewal
        }
        fact.status = try optional { (reader) throws(Malformed) in
            var status = try reader.status()
            status.word = try reader.text()
            return status
        }
        fact.renewalDisabled = try optional { (reader) throws(Malformed) in try reader.moment() }
        fact.revocations = try list { (reader) throws(Malformed) in try reader.revocation() }
        fact.user = try optional { (reader) throws(Malformed) in try reader.named() }
        fact.replaced = try optional { (reader) throws(Malformed) in try reader.moment() }
        return fact
    }

    mutating func revocation() throws(Malformed) -> RevocationFact {
        var fact = RevocationFact(
            transactionID: try transactionID(),
            version: try version(),
            revoked: try optional { (reader) throws(Malformed) in try reader.moment() }
        )
        fact.share = try optional { (reader) throws(Malformed) in try reader.integer() }
        fact.reason = try optional { (reader) throws(Malformed) in try reader.integer() }
        fact.type = try optional { (reader) throws(Malformed) in try reader.text() }
        return fact
    }

    mutating func replacements() throws(Malformed) -> [Replacement] {
        try list { (reader) throws(Malformed) in try reader.replacement() }
    }

    mutating func replacement() throws(Malformed) -> Replacement {
        Replacement(
            at: try moment(),
            first: try moment(),
            said: try optional { (reader) throws(Malformed) in try reader.moment() },
            signed: try moment(),
            isVoid: try flag()
        )
    }

    mutating func named() throws(Malformed) -> UserFact {
        UserFact(user: try user(), version: try version())
    }
}

extension Subscription {
    /// Whether it has anything that only stores of whole states have.
    var hasSnapshotParts: Bool {
        !revocations.isEmpty || !named.isEmpty || replacedAt != nil || !replacements.isEmpty
            || status?.word.isEmpty == false
    }
}
