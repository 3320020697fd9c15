import Entitlements

extension Snapshot: RecordSource {
    func record<T: TableRow>(of type: T.Type, at key: T.Key) throws -> T.Record? {
        guard let bytes = try value(T.bytes(of: key), in: T.table) else { return nil }
        do {
            return try T.record(of: key, bytes)
        } catch {
            throw Damage(table: T.table)
        }
    }

    func unclaimed(with token: Token) throws -> [Unclaimed] {
        let prefix = TokenRow.bytes(of: token)
        var waiting: [Unclaimed] = []
        try walk(.unclaimed, from: prefix) { key, _ in
            guard key.starts(with: prefix) else { return false }
            waiting.append(try UnclaimedRow.key(of: Array(key)))
            return true
        }
        return waiting
    }
}

extension Snapshot {
    /// The account, if its row is not longer than `bytesMax`.
    func account(of user: UserID, within bytesMax: Int) throws -> MeasuredAccount {
        guard let bytes = try value(AccountRow.bytes(of: user), in: .accounts) else {
            return .read(nil)
        }
        if bytes.count > bytesMax { return .longer }
        do {
            return .read(try AccountRow.record(of: user, bytes))
        } catch {
            throw Damage(table: .accounts)
        }
    }

    /// The account of `user`; nil also where its row is damaged: time goes on for the others.
    func readable(_ user: UserID) throws -> Account? {
        do {
            return try account(of: user)
        } catch is Damage {
            return nil
        }
    }

    /// The reservations that end with connections to this host, those of one user oldest first:
    /// credits of one end are spent in the order in which they came back.
    func leases() throws -> [UInt64] {
        var users: [UserID] = []
        var ids: [UserID: Set<UInt64>] = [:]
        try walk(.leases) { key, sealed in
            let lease = try LeaseRow(key: key, sealed: sealed)
            guard lease.record.holder.host == LeaseHolder.here.host else { return true }
            let user = lease.record.user
            if ids[user] == nil { users.append(user) }
            ids[user, default: []].insert(lease.key)
            return true
        }
        return try users.flatMap { user -> [UInt64] in
            let theirs = ids[user] ?? []
            let held = try account(of: user)?.purse.holds.map(\.id).filter(theirs.contains) ?? []
            return held + theirs.subtracting(held).sorted()
        }
    }

    /// What is kept of an erased person under `name`, which may be a pseudonym.
    func tombstone(of name: PersonName) throws -> Tombstone? {
        guard case .secret(let secret)? = try record(of: MetaRow.self, at: MetaRow.secret) else {
            return nil
        }
        return try record(of: TombstoneRow.self, at: secret.mark(of: name))
    }

    /// Product and plan numbers.
    func numbering() throws -> Numbering {
        guard case .numbering(let names)? = try record(of: MetaRow.self, at: MetaRow.numbering)
        else { return Numbering() }
        return Numbering(names: names)
    }

    /// The catalogs that were in force, oldest first.
    func catalogs() throws -> [InstalledCatalog] {
        let prefix = MetaRow.bytes(of: MetaRow.catalogs)
        var catalogs: [InstalledCatalog] = []
        try walk(.meta, from: prefix) { key, sealed in
            guard key.starts(with: prefix) else { return false }
            if case .installed(let catalog) = try MetaRow(key: key, sealed: sealed).record {
                catalogs.append(catalog)
            }
            return true
        }
        return catalogs
    }

    /// The journal position of the tick that covers `moment`, if there is one.
    func tick(covering moment: Moment) throws -> UInt64? {
        guard let row = try last(of: .ticks, atOrBefore: TickRow.bytes(of: moment)) else {
            return nil
        }
        return try TickRow(key: row.key, value: row.value).record
    }
}
