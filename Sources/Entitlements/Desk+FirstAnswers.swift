// A first answer stands with its user's account where its entry changes that anyway, so that a
// charge changes one row; else it is a row of its own, and so are those that a full list puts away.

extension Desk {
    /// The first answer under `key`, kept long enough or not: the newer one where the account has
    /// one, and there is a row.
    ///
    /// What changes no account is kept as a row beside an old answer that stands with the account
    /// until another one takes its place.
    package func firstAnswer(under key: IdempotencyKey) -> Settlement? {
        let near = nearAnswer(under: key)
        guard let row = settlements[key] else { return near }
        guard let near else { return row }
        return (near.now, near.seq) < (row.now, row.seq) ? row : near
    }

    /// The one that stands with its user's account.
    private func nearAnswer(under key: IdempotencyKey) -> Settlement? {
        accounts.box(key.user)?.value?.firstAnswers.first(under: key.digest)
    }

    /// What stands where the first answer `given` under `key` belongs.
    ///
    /// An answer with the account is in its place unless the time of one of the two had run out
    /// when the other was given.
    func firstAnswer(under key: IdempotencyKey, beside given: Settlement) -> Settlement? {
        if let row = settlements[key] { return row }
        let near = nearAnswer(under: key)
        guard let near, near.isKept(at: given.now), given.isKept(at: near.now) else { return nil }
        return near
    }

    /// The same key under the names of accounts that went into its user's.
    package func formerKeys(_ key: IdempotencyKey) -> [IdempotencyKey] {
        guard let formers = accounts.box(key.user)?.value?.formers, !formers.isEmpty else {
            return []
        }
        return formers.map { IdempotencyKey(user: $0, digest: key.digest) }
    }

    /// Keeps what the entry at `seq` answered first.
    mutating func keep(
        _ settlement: Settlement,
        under key: IdempotencyKey,
        at moment: Moment,
        seq: UInt64
    ) {
        guard accounts.box(key.user)?.value?.lastSeq == seq else {
            settlements[key] = settlement
            return
        }
        let first = FirstAnswer(key: key.digest, settlement: settlement)
        for earlier in accounts[key.user]?.keep(first, at: moment) ?? [] {
            settlements[IdempotencyKey(user: key.user, digest: earlier.key)] = earlier.settlement
        }
    }

    /// Marks the charge under `key` as put back.
    mutating func markReversed(_ key: IdempotencyKey) {
        let answers = accounts[key.user]?.firstAnswers
        if let place = answers?.firstIndex(where: { $0.key == key.digest }) {
            accounts[key.user]?.firstAnswers[place].settlement.markReversed()
        } else {
            settlements[key]?.markReversed()
        }
    }
}

extension Account {
    /// Keeps one more; answers those that must be put away to make room.
    fileprivate mutating func keep(_ first: FirstAnswer, at moment: Moment) -> [FirstAnswer] {
        func isInTheWay(_ earlier: FirstAnswer) -> Bool {
            earlier.key == first.key || !earlier.settlement.isKept(at: moment)
        }
        if firstAnswers.contains(where: isInTheWay) { firstAnswers.removeAll(where: isInTheWay) }
        var displaced: [FirstAnswer] = []
        if firstAnswers.count == Limits.firstAnswersMax { swap(&displaced, &firstAnswers) }
        firstAnswers.append(first)
        return displaced
    }
}

extension [FirstAnswer] {
    /// The first answer under the key with this digest, where it stands with its account.
    package func first(under key: Digest128) -> Settlement? {
        first { $0.key == key }?.settlement
    }
}

extension Settlement {
    fileprivate mutating func markReversed() {
        guard case .consumed(let remaining, let parts, _) = answer else { return }
        answer = .consumed(remaining: remaining, parts: parts, isReversed: true)
    }
}
