import Entitlements

// Mergers of accounts as rows and the journal keep them.

extension ByteWriter {
    /// Into whom, seq, and where there is a history: 1 and its chain; else 0.
    mutating func mergedAccount(_ value: MergedAccount) {
        user(value.into)
        integer(value.seq)
        optional(value.chain) { $0.chain($1) }
    }

    /// From, into, those before, flags, purse, grants with their plans, tokens, purchases.
    ///
    /// The purse is written whole, because something stands behind it.
    mutating func merge(_ value: Merge) {
        user(value.from)
        user(value.into)
        list(value.formers) { $0.user($1) }
        integer(value.flags.rawValue)
        wholePurse(value.purse)
        list(value.grants) { writer, named in
            writer.text(named.plan)
            writer.grant(named.grant)
        }
        list(value.tokens) { $0.token($1) }
        list(value.purchases) { $0.key($1) }
    }
}

extension ByteReader {
    mutating func mergedAccount() throws(Malformed) -> MergedAccount {
        MergedAccount(
            into: try user(),
            seq: try integer(),
            chain: try optional { (reader) throws(Malformed) in try reader.chain() }
        )
    }

    mutating func merge() throws(Malformed) -> Merge {
        Merge(
            from: try user(),
            into: try user(),
            formers: try list { (reader) throws(Malformed) in try reader.user() },
            flags: AccountFlags(rawValue: try integer()),
            purse: try purse(),
            grants: try list { (reader) throws(Malformed) in
                Merge.NamedGrant(plan: try reader.text(), grant: try reader.grant())
            },
            tokens: try list { (reader) throws(Malformed) in try reader.token() },
            purchases: try list { (reader) throws(Malformed) in try reader.key() }
        )
    }
}
