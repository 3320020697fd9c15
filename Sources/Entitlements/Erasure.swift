// A person is forgotten: every row goes, and marks stay that keep the person from coming back
// unasked.

/// An admin has a person forgotten.
package struct ErasureOrder: Hashable, Sendable {
    /// Whom.
    package let user: UserID
    /// The secret to begin with, where the ledger has none yet.
    package let secret: HashKey

    /// The order to forget `user`.
    package init(user: UserID, secret: HashKey) {
        self.user = user
        self.secret = secret
    }
}

/// What the views hold of an account that went into the person's.
package struct FormerTraces: Hashable, Sendable {
    /// Its user id.
    package let user: UserID
    /// The digests of idempotency keys that were used under it.
    package var settlements: [Digest128]

    /// An account with these keys.
    package init(user: UserID, settlements: [Digest128] = []) {
        self.user = user
        self.settlements = settlements
    }
}

/// That a person was forgotten, row by row.
package struct Erasure: Hashable, Sendable {
    /// Whom, or the pseudonym once the journal is rewritten.
    package let user: UserID
    /// The secret of the marks and pseudonyms.
    package let secret: HashKey
    /// Whether the names in here are pseudonyms.
    package let isRewritten: Bool
    /// Whether the person was ever registered, and does not wait for free credits any more: they
    /// are given once.
    package let wasRegistered: Bool
    /// The mark of the user id.
    package let person: NameMark
    /// The marks of tokens, purchases and packs, and of what tokens are called in the rewritten
    /// journal: whoever reads a token there finds the erasure that tells whose it was.
    package let marks: [NameMark]
    /// The rows that go, and those of others that change.
    package let traces: PersonTraces

    /// An erasure with these parts.
    package init(
        user: UserID,
        secret: HashKey,
        isRewritten: Bool,
        wasRegistered: Bool,
        person: NameMark,
        marks: [NameMark],
        traces: PersonTraces
    ) {
        self.user = user
        self.secret = secret
        self.isRewritten = isRewritten
        self.wasRegistered = wasRegistered
        self.person = person
        self.marks = marks
        self.traces = traces
    }
}

/// What is kept under the mark of a name of an erased person.
package struct Tombstone: Hashable, Sendable {
    /// Where the journal keeps the erasure.
    package let seq: UInt64
    /// The mark of the user id.
    package let person: NameMark
    /// Whether the person was ever registered.
    package let wasRegistered: Bool
    /// Whether the person has registered again since; said of the user id alone.
    package internal(set) var isBack: Bool

    /// The tombstone with these parts.
    package init(seq: UInt64, person: NameMark, wasRegistered: Bool, isBack: Bool = false) {
        self.seq = seq
        self.person = person
        self.wasRegistered = wasRegistered
        self.isBack = isBack
    }
}

extension Command {
    /// First match wins: there is nobody; forgotten.
    func ruling(on desk: Desk, erasing order: ErasureOrder) -> Ruling {
        guard let account = desk.accounts[order.user] else { return Ruling(.erased(false)) }
        let secret = desk.secret ?? order.secret
        let traces = desk.traces[order.user] ?? PersonTraces()
        let person = secret.mark(of: .user(order.user))
        let before = desk.tombstone(of: .user(order.user))
        let flags = account.answer.flags
        let isRegistered = flags.contains(.registered) && !flags.contains(.awaitsAppTransaction)
        let pseudonyms = secret.ofErasure(at: seq)
        let marks =
            traces.tokens.map { secret.mark(of: .token($0)) }
            + traces.tokens.map { secret.mark(of: .token(pseudonyms.pseudonym(of: $0))) }
            + traces.subscriptions.map { secret.mark(of: .subscription($0)) }
            + traces.packs.map { secret.mark(of: .pack($0)) }
            + traces.formers.map { secret.mark(of: .user($0.user)) }
        let erasure = Erasure(
            user: order.user,
            secret: secret,
            isRewritten: false,
            wasRegistered: isRegistered || before?.wasRegistered ?? false,
            person: person,
            marks: marks,
            traces: traces
        )
        return Ruling(.erased(true, formers: traces.formers.map(\.user)), [.erased(erasure)])
    }

    /// The facts that do not bring an erased person back.
    ///
    /// A fact counts if its purchase, or the one that it continues, is still here; if its token has
    /// a user; or if its token was never that of an erased person.
    func welcome(_ facts: [Fact], on desk: Desk) -> [Fact] {
        guard desk.secret != nil else { return facts }
        return namingNobodyGone(facts.filter { isWelcome($0, on: desk) }, on: desk)
    }

    /// The same of one fact.
    func isWelcome(_ fact: Fact, on desk: Desk) -> Bool {
        if desk.subscriptions[fact.key] != nil { return true }
        // What goes on from a purchase that is here belongs to whoever has that.
        if let former = fact.formerKey, desk.subscriptions[former] != nil { return true }
        let token = fact.transaction?.token
        if let token, desk.tokens[token] != nil { return true }
        let user = fact.user?.user
        if let user, desk.accounts[user] != nil { return true }
        // A purchase that goes on under another original id is the same person's.
        let keys = [fact.key, fact.formerKey].compactMap { $0 }
        let names =
            keys.map { PersonName.subscription($0) } + (token.map { [.token($0)] } ?? [])
            + (user.map { [.user($0)] } ?? [])
        return !names.contains { desk.isAway($0) }
    }

    /// Whether a purchase is that of an erased person who has not come back, and of nobody else.
    func isForgotten(_ purchase: SubscriptionKey, on desk: Desk) -> Bool {
        desk.subscriptions[purchase] == nil && desk.isAway(.subscription(purchase))
    }

    /// The facts without user ids and original ids of purchases of erased persons: their names are
    /// not kept again.
    func namingNobodyGone(_ facts: [Fact], on desk: Desk) -> [Fact] {
        guard desk.secret != nil else { return facts }
        return facts.map { fact in
            var fact = fact
            if let user = fact.user?.user, desk.accounts[user] == nil, desk.isAway(.user(user)) {
                fact.user = nil
            }
            guard let former = fact.formerKey, desk.subscriptions[former] == nil,
                desk.isAway(.subscription(former))
            else { return fact }
            fact.transaction?.terms.previousOriginalID = nil
            return fact
        }
    }

    /// Whether a token was that of an erased person, other than `user`.
    func isForgotten(_ token: Token, toAllBut user: UserID, on desk: Desk) -> Bool {
        guard let secret = desk.secret, let stone = desk.tombstone(of: .token(token)) else {
            return false
        }
        let mark = secret.mark(of: .user(user))
        if stone.person == mark { return false }
        // An account that went into theirs was erased with it.
        return !desk.tombstones.isLaid(mark) || desk.tombstones[mark]?.person != stone.person
    }
}

extension Desk {
    /// What is kept of an erased person under `name`.
    package func tombstone(of name: PersonName) -> Tombstone? {
        guard let secret else { return nil }
        return tombstones[secret.mark(of: name)]
    }

    /// Whether `name` is of an erased person who has not registered again.
    func isAway(_ name: PersonName) -> Bool {
        guard let stone = tombstone(of: name) else { return false }
        return !(tombstones[stone.person]?.isBack ?? false)
    }

    /// The person has registered again: what stores say of them counts from now on.
    mutating func welcomeBack(_ user: UserID) {
        guard let secret else { return }
        let mark = secret.mark(of: .user(user))
        if tombstones[mark] != nil { tombstones[mark]?.isBack = true }
    }

    /// Takes away what an erasure names.
    mutating func erase(_ erasure: Erasure, at moment: Moment, seq: UInt64) {
        secret = erasure.secret
        let (user, traces) = (erasure.user, erasure.traces)
        for token in traces.tokens { tokens[token] = nil }
        // At once: whose a purchase was may have been said under any of their names.
        let names = Set(traces.formers.map(\.user) + [user])
        let (gone, purchases) = (Set(traces.tokens), Set(traces.subscriptions))
        for name in traces.shared {
            loosen(name, from: names, gone, purchases, at: moment, seq: seq)
        }
        for name in traces.subscriptions { subscriptions[name] = nil }
        for waiting in traces.unclaimed { unclaimed[waiting] = nil }
        for digest in traces.settlements {
            settlements[IdempotencyKey(user: user, digest: digest)] = nil
        }
        for former in traces.formers {
            merges[former.user] = nil
            for digest in former.settlements {
                settlements[IdempotencyKey(user: former.user, digest: digest)] = nil
            }
        }
        for id in traces.reservations {
            reservations[id] = nil
            leases[id] = nil
        }
        for name in traces.packs { packs[name] = nil }
        remove(user, seq)
        let stone = Tombstone(
            seq: seq,
            person: erasure.person,
            wasRegistered: erasure.wasRegistered
        )
        for mark in erasure.marks + [erasure.person] { tombstones[mark] = stone }
    }
}
