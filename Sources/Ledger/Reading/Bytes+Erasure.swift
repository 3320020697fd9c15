import Entitlements

// Erasures as the journal keeps them.

extension ByteWriter {
    /// Rewritten, user, secret, was registered, marks, then the rows, each list with a length of
    /// four bytes; accounts that went into the person's only where there are any.
    mutating func erasure(_ value: Erasure) {
        flag(value.isRewritten)
        user(value.user)
        hashKey(value.secret)
        flag(value.wasRegistered)
        mark(value.person)
        longList(value.marks) { $0.mark($1) }
        longList(value.traces.subscriptions) { $0.key($1) }
        longList(value.traces.shared) { $0.key($1) }
        longList(value.traces.tokens) { $0.token($1) }
        longList(value.traces.unclaimed) { writer, waiting in
            writer.token(waiting.token)
            writer.key(waiting.key)
        }
        longList(value.traces.settlements) { $0.half($1) }
        longList(value.traces.reservations) { $0.integer($1) }
        longList(value.traces.packs) { $0.packKey($1) }
        guard !value.traces.formers.isEmpty else { return }
        longList(value.traces.formers) { writer, former in
            writer.user(former.user)
            writer.longList(former.settlements) { $0.half($1) }
        }
    }
}

extension ByteReader {
    mutating func erasure(withFormers: Bool) throws(Malformed) -> Erasure {
        let isRewritten = try noted(NameNotes.Name.rewritten) { (reader) throws(Malformed) in
            try reader.flag()
        }
        let (user, secret) = (try user(), try hashKey())
        let (wasRegistered, person) = (try flag(), try mark())
        let marks = try longList { (reader) throws(Malformed) in try reader.mark() }
        var traces = PersonTraces()
        traces.subscriptions = try longList { (reader) throws(Malformed) in try reader.key() }
        traces.shared = try longList { (reader) throws(Malformed) in try reader.key() }
        traces.tokens = try longList { (reader) throws(Malformed) in try reader.token() }
        traces.unclaimed = try longList { (reader) throws(Malformed) in
            Unclaimed(token: try reader.token(), key: try reader.key())
        }
        traces.settlements = try longList { (reader) throws(Malformed) in try reader.half() }
        traces.reservations = try longList { (reader) throws(Malformed) in try reader.integer() }
        traces.packs = try longList { (reader) throws(Malformed) in try reader.packKey() }
        if withFormers {
            traces.formers = try longList { (reader) throws(Malformed) in
                FormerTraces(
                    user: try reader.user(),
                    settlements: try reader.longList { (reader) throws(Malformed) in
                        try reader.half()
                    }
                )
            }
        }
        return Erasure(
            user: user,
            secret: secret,
            isRewritten: isRewritten,
            wasRegistered: wasRegistered,
            person: person,
            marks: marks,
            traces: traces
        )
    }
}
