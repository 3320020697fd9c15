import Entitlements
import Glibc

// What the views hold of a person: no table but `accounts` and `settlements` is kept by user, so
// the others are looked through from end to end, unless a search has done that before.

extension Snapshot {
    /// Everything about `user` beside the account.
    func traces(of user: UserID) throws -> PersonTraces {
        guard try account(of: user) != nil else { return PersonTraces() }
        var traces = try tracesBesideAnswers(of: user)
        traces.settlements = try keys(under: user)
        for index in traces.formers.indices {
            traces.formers[index].settlements = try keys(under: traces.formers[index].user)
        }
        return traces
    }

    /// The digests of the idempotency keys that were used under `user`.
    private func keys(under user: UserID) throws -> [Digest128] {
        var found: [Digest128] = []
        // One after the other: of somebody who is charged all day there are hundreds of thousands.
        let prefix = user.bytes + [0]
        try walk(.settlements, from: prefix) { key, sealed in
            guard key.starts(with: prefix) else { return false }
            guard let value = Seal.opened(sealed, key) else { throw Damage(table: .settlements) }
            let row = try Row(table: .settlements, key: Array(key), value: Array(value))
            if case .settlement(let key, _) = row.value { found.append(key.digest) }
            return true
        }
        return found
    }

    /// The same without first answers, which stand together and can be read page by page.
    func tracesBesideAnswers(of user: UserID) throws -> PersonTraces {
        var traces = PersonTraces()
        guard let account = try account(of: user) else { return traces }
        traces.tokens = account.tokens
        traces.formers = account.formers.map { FormerTraces(user: $0) }
        let users = Set([user] + account.formers)
        let bytes = users.map(\.bytes)
        let found = searches?.finding(about: account)
        for row in try rows(of: .reservations, naming: bytes, among: found) {
            guard case .reservation(let id, let one) = row, users.contains(one.user) else {
                continue
            }
            traces.reservations.append(id)
        }
        for row in try rows(of: .packs, naming: bytes, among: found) {
            guard case .pack(let key, let pack) = row, users.contains(pack.user) else { continue }
            traces.packs.append(key)
        }
        let tokens = Set(account.tokens)
        var own: [Subscription] = []
        let names = bytes + account.tokens.map(\.storedBytes)
        for row in try rows(of: .subscriptions, naming: names, among: found) {
            guard case .subscription(let subscription) = row else { continue }
            let isTheirs = subscription.owner.map { users.contains($0) } ?? false
            if isTheirs, try isAlone(users, in: subscription) {
                own.append(subscription)
            } else if subscription.names(users, orAnyOf: tokens) {
                traces.shared.append(subscription.key)
            }
        }
        traces.subscriptions = own.map(\.key)
        // Purchases of others that were theirs under another name, or became theirs.
        let named = own.reduce(into: Set<SubscriptionKey>()) { $0.formUnion($1.kin) }
        for key in named.subtracting(traces.subscriptions + traces.shared).sorted()
        where try subscription(of: key) != nil { traces.shared.append(key) }
        try addWaiting(of: own, to: &traces)
        return traces
    }

    /// Whether nobody shares it, and nobody else's link or purchase gives it to them once this
    /// person's are gone.
    private func isAlone(_ users: Set<UserID>, in subscription: Subscription) throws -> Bool {
        guard subscription.sharers.allSatisfy({ users.contains($0) }) else { return false }
        if let link = subscription.link, !users.contains(link) { return false }
        return try subscription.claims.allSatisfy {
            let holder = try self.user(of: $0.token)
            return holder.map { users.contains($0) } ?? true
        }
    }

    /// Tokens of nobody on the person's purchases, and the rows in which they wait.
    private func addWaiting(of own: [Subscription], to traces: inout PersonTraces) throws {
        let keys = Set(own.map(\.key))
        let tokens = Set(own.flatMap(\.tokensKnown))
        for token in tokens.sorted() where !traces.tokens.contains(token) {
            let waiting = try unclaimed(with: token)
            traces.unclaimed += waiting.filter { keys.contains($0.key) }
            // One that others wait for too is not this person's.
            guard try self.user(of: token) == nil,
                waiting.allSatisfy({ keys.contains($0.key) })
            else { continue }
            traces.tokens.append(token)
        }
    }

    private func rows(
        of table: TableName,
        naming names: [[UInt8]],
        among keys: [TableName: Set<[UInt8]>]?
    ) throws -> [Row.Value] {
        var found: [Row.Value] = []
        if let keys {
            for key in (keys[table] ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                guard let value = try value(key, in: table) else { continue }
                found.append(try Row(table: table, key: key, value: value).value)
            }
            return found
        }
        try walk(table) { key, sealed in
            if names.contains(where: { sealed.holds($0) }) {
                guard let value = Seal.opened(sealed, key) else { throw Damage(table: table) }
                let row = try Row(table: table, key: Array(key), value: Array(value))
                found.append(row.value)
            }
            return true
        }
        return found
    }
}

extension Subscription {
    fileprivate func names(_ users: Set<UserID>, orAnyOf tokens: Set<Token>) -> Bool {
        !users.isDisjoint(with: [owner, link].compactMap { $0 } + sharers)
            || !tokensKnown.isDisjoint(with: tokens)
    }
}

extension Token {
    /// As it stands in records.
    var storedBytes: [UInt8] {
        ByteWriter.bytes { $0.token(self) }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `bytes` stand somewhere in here.
    func holds(_ bytes: [UInt8]) -> Bool {
        guard let start = baseAddress, let first = bytes.first else { return bytes.isEmpty }
        var place = 0
        while count - place >= bytes.count {
            // SAFETY: memchr and memcmp stay within this buffer: `bytes.count` fit behind `place`.
            let room = count - place - bytes.count + 1
            guard let found = memchr(start + place, Int32(first), room) else { return false }
            if memcmp(found, bytes, bytes.count) == 0 { return true }
            place = UnsafeRawPointer(found) - start + 1
        }
        return false
    }
}
