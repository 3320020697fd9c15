import Entitlements

extension Desk {
    /// Decides `command` with everything laid that deciding it reads, and absorbing what it causes.
    ///
    /// Everything is laid before anything is absorbed: a bad row leaves no half a command.
    package mutating func ruling(
        of command: Command,
        under policy: Policy,
        from source: some RecordSource
    ) throws -> Ruling {
        try lay(for: command, under: policy, from: source)
        let ruling = command.ruling(on: self, under: policy)
        for event in ruling.events { try lay(for: event, from: source) }
        return ruling
    }

    /// Absorbs `event` with everything laid that it reads: a step of a replay.
    package mutating func absorb(
        _ event: Event,
        at moment: Moment,
        seq: UInt64,
        from source: some RecordSource
    ) throws {
        try lay(for: event, from: source)
        absorb(event, at: moment, seq: seq)
    }

    /// Lays what absorbing `event` needs; for the most frequent ones without a list of it.
    private mutating func lay(for event: Event, from source: some RecordSource) throws {
        switch event {
        case .spent(let user, _): try lay(user, from: source)
        // It is put in the place of whatever stands there: nobody looks at that.
        case .settled(let key, _): try lay(key.user, from: source)
        case .accountOpened, .registered, .appTransactionAwaited, .appTransactionUsed,
            .tokenClaimed, .merged, .linked, .succeeded, .dated, .shared, .granted, .grantRevoked,
            .noticed, .announced, .credited, .held, .holdEnded, .reversed, .packCredited,
            .packRefunded, .packPartRefunded, .periodMoved, .debtPaid, .refundForgiven, .passed,
            .catalogInstalled, .loaded, .accountsMerged, .erased:
            try lay(event.needs, from: source)
        }
    }

    /// Lays what deciding `command` needs; for the most frequent one without a list of it.
    private mutating func lay(
        for command: Command,
        under policy: Policy,
        from source: some RecordSource
    ) throws {
        // Before anything is laid: whoever is here once is not laid again for the group's others.
        laysPeriods = policy.givesPeriodCredits
        if case .charge(let charge) = command.kind, !policy.source.userIDIsToken {
            return try lay(charge.key, from: source)
        }
        try lay(command.needs(under: policy), from: source)
        for fact in laysPeriods ? command.kind.facts : [] {
            for name in fact.transactions.flatMap({ PackKey.periods(of: $0, fact.key) }) {
                try lay(name, from: source)
            }
        }
    }

    /// Lays every record that `needs` names, and those that follow from them.
    mutating func lay(_ needs: Needs, from source: some RecordSource) throws {
        for user in needs.users { try lay(user, from: source) }
        for key in needs.keys { try lay(key, from: source) }
        for token in needs.tokens + needs.claims { try lay(token, from: source) }
        for token in needs.claims where tokens[token] == nil {
            for waiting in try source.unclaimed(with: token) {
                unclaimed.lay(true, at: waiting)
                try lay(waiting.key, from: source)
            }
            // Those that wait on the desk alone, from commands of the same group.
            for waiting in unclaimed.keys.filter({ $0.token == token }) {
                try lay(waiting.key, from: source)
            }
        }
        for key in needs.settlements { try lay(key, from: source) }
        for id in needs.reservations { try lay(reservation: id, from: source) }
        for key in needs.packs { try lay(key, from: source) }
        for name in needs.names { try lay(tombstoneOf: name, from: source) }
        for table in TableName.rows { try table.lay(needs, on: &self, from: source) }
        for user in needs.merging {
            guard let account = accounts[user] else { continue }
            for key in account.subscriptions { try lay(key, from: source) }
            for token in account.tokens { try lay(token, from: source) }
            for former in account.formers { try lay(former, from: source) }
        }
        for user in needs.traces {
            let found = try source.traces(of: user)
            traces[user] = found
            for key in found.shared { try lay(key, from: source) }
            for former in found.formers { try lay(former.user, from: source) }
        }
    }

    /// Nobody was erased where there is no secret: nothing is looked up then.
    private mutating func lay(
        tombstoneOf name: PersonName,
        from source: some RecordSource
    ) throws {
        guard let secret else { return }
        let mark = secret.mark(of: name)
        let stone = try tombstones.laid(at: mark) {
            try source.record(of: TombstoneRow.self, at: mark)
        }
        guard let person = stone?.person else { return }
        _ = try tombstones.laid(at: person) { try source.record(of: TombstoneRow.self, at: person) }
    }

    private mutating func lay(_ key: IdempotencyKey, from source: some RecordSource) throws {
        try lay(key.user, from: source)
        // A row may be newer than what stands with the account.
        _ = try settlements.laid(at: key) { try source.record(of: SettlementRow.self, at: key) }
        if let first = firstAnswer(under: key), case .reserved = first.answer {
            try lay(reservation: first.seq, from: source)
        }
        for former in formerKeys(key) { try lay(former, from: source) }
    }

    private mutating func lay(reservation id: UInt64, from source: some RecordSource) throws {
        let reservation = try reservations.laid(at: id) {
            try source.record(of: ReservationRow.self, at: id)
        }
        if let reservation { try lay(reservation.user, from: source) }
    }

    private mutating func lay(_ key: PackKey, from source: some RecordSource) throws {
        let pack = try packs.laid(at: key) { try source.pack(of: key) }
        if let pack { try lay(pack.user, from: source) }
        try lay(tombstoneOf: .pack(key), from: source)
    }

    private mutating func lay(
        _ user: UserID,
        from source: some RecordSource
    ) throws {
        guard !accounts.isLaid(user) else { return }
        accounts.lay(try source.account(of: user), at: user)
        guard accounts.box(user) != nil else {
            // A user whose account went into another one stands for that one now.
            let gone = try merges.laid(at: user) { try source.merger(of: user) }
            if let gone { try lay(gone.into, from: source) }
            return
        }
        let purse = accounts.box(user)?.value?.purse ?? Purse()
        // A hold that has ended is returned by the next command about its account.
        for hold in purse.holds { try lay(reservation: hold.id, from: source) }
        // What a charge that is put back may belong to.
        for refund in purse.forgiven { try lay(refund.pack, from: source) }
        // Of purchases for a number of days one moves the others.
        guard laysPeriods, let account = accounts.box(user)?.value,
            account.answer.flags.contains(.dated)
        else { return }
        for slot in account.answer.slots where slot.marks.contains(.dated) {
            let key = account.subscriptions[Int(slot.ordinal)]
            try lay(PackKey.period(of: key, from: slot.from), from: source)
        }
    }

    private mutating func lay(
        _ token: Token,
        from source: some RecordSource
    ) throws {
        let user = try tokens.laid(at: token) { try source.user(of: token) }
        guard let user else { return try lay(tombstoneOf: .token(token), from: source) }
        try lay(user, from: source)
    }

    private mutating func lay(
        _ key: SubscriptionKey,
        from source: some RecordSource
    ) throws {
        let found = try subscriptions.laid(at: key) { try source.subscription(of: key) }
        guard let subscription = found else { return }
        for token in subscription.tokensKnown { try lay(token, from: source) }
        for transaction in subscription.transactions {
            for pack in PackKey.of(transaction, key) { try lay(pack, from: source) }
            guard laysPeriods else { continue }
            for name in PackKey.periods(of: transaction, key) { try lay(name, from: source) }
        }
        for other in subscription.kin where !subscriptions.isLaid(other) {
            try lay(other, from: source)
        }
        let owners = [subscription.owner, subscription.link].compactMap { $0 }
        for user in owners + subscription.sharers + subscription.named.map(\.user) {
            try lay(user, from: source)
        }
    }
}
