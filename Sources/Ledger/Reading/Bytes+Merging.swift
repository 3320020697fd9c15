import Entitlements

// Mergers of accounts as the journal keeps them.

extension ByteWriter {
    /// From, into, those before, flags, purse, grants with their plans, tokens, purchases.
    ///
    /// The purse is written whole, because something stands behind it.
    mutating func merge(_ value: Merge) {
        user(value.from)
        user(value.into)
        list(value.formers) { $0.user($1) }
        integer(value.flags.rawValue)
        purse(value.purse, isWhole: true)
        list(value.grants) { writer, named in
            writer.text(named.plan)
            writer.grant(named.grant)
        }
        list(value.tokens) { $0.token($1) }
        list(value.purchases) { $0.key($1) }
    }
}

extension ByteReader {
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
