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
        let prefix = SettlementRow.prefix(of: user)
        try walk(.settlements, from: prefix) { key, sealed in
            guard key.starts(with: prefix) else { return false }
            found.append(try SettlementRow(key: key, sealed: sealed).key.digest)
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
        let names = users.map(\.bytes) + account.tokens.map(\.storedBytes)
        let found = searches?.finding(about: account)
        for table in TableName.rows where table.isTraced {
            try trace(table, of: users, naming: names, among: found?.keys, in: &traces)
        }
        let tokens = Set(account.tokens)
        var own: [Subscription] = []
        for row in try rows(of: SubscriptionRow.self, naming: names, among: found?.keys) {
            let subscription = row.record
            let isTheirs = subscription.owner.map { users.contains($0) } ?? false
            if isTheirs, try isAlone(users, in: subscription) {
                own.append(subscription)
            } else if subscription.names(users, orAnyOf: tokens) {
                traces.shared.append(subscription.key)
            }
        }
        traces.subscriptions = own.map(\.key)
        // What was theirs under another name, or became theirs: purchases of others, or names of
        // which nothing else was ever told.
        let theirs = Set(traces.subscriptions)
        let named = try own.reduce(into: kin(of: theirs, among: found)) { $0.formUnion($1.kin) }
        for key in named.subtracting(traces.subscriptions + traces.shared).sorted() {
            let found = try subscription(of: key)
            if found.map({ $0.isBareName && $0.kin.isSubset(of: theirs) }) ?? true {
                traces.subscriptions.append(key)
            } else {
                traces.shared.append(key)
            }
        }
        try addWaiting(of: own, among: found, to: &traces)
        return traces
    }

    /// The purchases that name one of `purchases` as what they were or became.
    ///
    /// It need not name them: an older version of a document may have said so, or one that is not
    /// kept any more.
    private func kin(
        of purchases: Set<SubscriptionKey>,
        among found: PersonFinding?
    ) throws -> Set<SubscriptionKey> {
        guard !purchases.isEmpty else { return [] }
        // What became theirs behind the search has kin that nobody looked for.
        let isSearched = found.map { purchases.isSubset(of: $0.purchases) } ?? false
        let naming = try rows(
            of: SubscriptionRow.self,
            naming: purchases.map { Array($0.originalID.utf8) },
            among: isSearched ? found?.keys : nil
        )
        return Set(naming.filter { !$0.record.kin.isDisjoint(with: purchases) }.map(\.key))
    }

    /// Whether nobody shares it, and nobody else's link or purchase gives it to them once this
    /// person's are gone.
    private func isAlone(_ users: Set<UserID>, in subscription: Subscription) throws -> Bool {
        guard subscription.sharers.allSatisfy({ users.contains($0) }) else { return false }
        if let link = subscription.link, !users.contains(link) { return false }
        guard subscription.named.allSatisfy({ users.contains($0.user) }) else { return false }
        return try subscription.claims.allSatisfy {
            let holder = try self.user(of: $0.token)
            return holder.map { users.contains($0) } ?? true
        }
    }

    /// Tokens of nobody on the person's purchases, and the rows in which they wait.
    private func addWaiting(
        of own: [Subscription],
        among found: PersonFinding?,
        to traces: inout PersonTraces
    ) throws {
        let keys = Set(own.map(\.key))
        let tokens = try Set(own.flatMap(\.tokensKnown))
            .union(waiting(for: keys, among: found).map(\.token))
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

    /// The rows in which one of `purchases` waits, also for a token that it remembers no more.
    private func waiting(
        for purchases: Set<SubscriptionKey>,
        among found: PersonFinding?
    ) throws -> [Unclaimed] {
        if let found, purchases.isSubset(of: found.purchases) {
            return try (found.keys[.unclaimed] ?? []).map { try UnclaimedRow.key(of: $0) }
                .filter { purchases.contains($0.key) }
        }
        var waiting: [Unclaimed] = []
        if purchases.isEmpty { return waiting }
        try walk(.unclaimed) { key, _ in
            let row = try UnclaimedRow.key(of: Array(key))
            if purchases.contains(row.key) { waiting.append(row) }
            return true
        }
        return waiting
    }

    private func trace<T: TableRow>(
        _ type: T.Type,
        of users: Set<UserID>,
        naming names: [[UInt8]],
        among keys: [TableName: Set<[UInt8]>]?,
        in traces: inout PersonTraces
    ) throws {
        for row in try rows(of: type, naming: names, among: keys) {
            row.trace(of: users, in: &traces)
        }
    }

    private func rows<T: TableRow>(
        of type: T.Type,
        naming names: [[UInt8]],
        among keys: [TableName: Set<[UInt8]>]?
    ) throws -> [T] {
        var found: [T] = []
        if let keys {
            for key in (keys[T.table] ?? []).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                try key.withUnsafeBytes { key in
                    guard let sealed = try row(key, in: T.table) else { return }
                    found.append(try T(key: key, sealed: sealed))
                }
            }
            return found
        }
        try walk(T.table) { key, sealed in
            if names.contains(where: { sealed.holds($0) }) {
                found.append(try T(key: key, sealed: sealed))
            }
            return true
        }
        return found
    }
}

extension Subscription {
    /// Whether nothing is known of it but as what it goes on.
    fileprivate var isBareName: Bool {
        transactions.isEmpty && renewal == nil && status == nil && users.isEmpty && link == nil
    }

    fileprivate func names(_ users: Set<UserID>, orAnyOf tokens: Set<Token>) -> Bool {
        !users.isDisjoint(with: [owner, link].compactMap { $0 } + sharers + named.map(\.user))
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
