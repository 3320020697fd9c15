import Entitlements

/// Where records come from that are laid on a desk: the views, the base, or a test's memory.
package protocol RecordSource {
    func account(of user: UserID) throws -> Account?
    func subscription(of key: SubscriptionKey) throws -> Subscription?
    func user(of token: Token) throws -> UserID?
    func unclaimed(with token: Token) throws -> [Unclaimed]
    func sighting(of notification: NotificationID) throws -> Sighting?
    func settlement(under key: IdempotencyKey) throws -> Settlement?
    func reservation(_ id: UInt64) throws -> Reservation?
    func pack(of key: PackKey) throws -> Pack?
    func tombstone(under mark: NameMark) throws -> Tombstone?
    func shown(_ mark: AppTransactionMark) throws -> Moment?
    func merger(of user: UserID) throws -> MergedAccount?
    func traces(of user: UserID) throws -> PersonTraces
}

/// A source that holds nothing: where `verify` starts its replay.
struct EmptySource: RecordSource {
    func account(of user: UserID) -> Account? { nil }
    func subscription(of key: SubscriptionKey) -> Subscription? { nil }
    func user(of token: Token) -> UserID? { nil }
    func unclaimed(with token: Token) -> [Unclaimed] { [] }
    func sighting(of notification: NotificationID) -> Sighting? { nil }
    func settlement(under key: IdempotencyKey) -> Settlement? { nil }
    func reservation(_ id: UInt64) -> Reservation? { nil }
    func pack(of key: PackKey) -> Pack? { nil }
    func tombstone(under mark: NameMark) -> Tombstone? { nil }
    func shown(_ mark: AppTransactionMark) -> Moment? { nil }
    func merger(of user: UserID) -> MergedAccount? { nil }
    func traces(of user: UserID) -> PersonTraces { PersonTraces() }
}

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
        default: try lay(event.needs, from: source)
        }
    }

    /// Lays what deciding `command` needs; for the most frequent one without a list of it.
    private mutating func lay(
        for command: Command,
        under policy: Policy,
        from source: some RecordSource
    ) throws {
        if case .charge(let charge) = command.kind, !policy.source.userIDIsToken {
            return try lay(charge.key, from: source)
        }
        laysPeriods = policy.givesPeriodCredits
        try lay(command.needs(under: policy), from: source)
        if case .reverse(let order) = command.kind {
            for key in order.formerCharges(on: self) { try lay(key, from: source) }
        }
        for fact in laysPeriods ? command.kind.facts : [] {
            guard let begins = fact.transaction?.purchased else { continue }
            try lay(PackKey.period(of: fact.key, from: begins), from: source)
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
        for id in needs.notifications {
            _ = try notifications.laid(at: id) { try source.sighting(of: id) }
        }
        for key in needs.settlements { try lay(key, from: source) }
        for id in needs.reservations { try lay(reservation: id, from: source) }
        for key in needs.packs { try lay(key, from: source) }
        for name in needs.names { try lay(tombstoneOf: name, from: source) }
        for mark in needs.appTransactions {
            _ = try appTransactions.laid(at: mark) { try source.shown(mark) }
        }
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
        let stone = try tombstones.laid(at: mark) { try source.tombstone(under: mark) }
        guard let person = stone?.person else { return }
        _ = try tombstones.laid(at: person) { try source.tombstone(under: person) }
    }

    private mutating func lay(_ key: IdempotencyKey, from source: some RecordSource) throws {
        try lay(key.user, from: source)
        let first =
            try accounts.box(key.user)?.value?.firstAnswers.first(under: key.digest)
            ?? settlements.laid(at: key) { try source.settlement(under: key) }
        guard let first, case .reserved = first.answer else { return }
        try lay(reservation: first.seq, from: source)
    }

    private mutating func lay(reservation id: UInt64, from source: some RecordSource) throws {
        let reservation = try reservations.laid(at: id) { try source.reservation(id) }
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
            // Who went into another's account is that one now.
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
        if let user { try lay(user, from: source) }
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
            try lay(PackKey.period(of: key, from: transaction.purchased), from: source)
        }
        for other in subscription.kin where !subscriptions.isLaid(other) {
            try lay(other, from: source)
        }
        let owners = [subscription.owner, subscription.link].compactMap { $0 }
        for user in owners + subscription.sharers {
            try lay(user, from: source)
        }
    }
}

extension Snapshot: RecordSource {
    func account(of user: UserID) throws -> Account? {
        try row(.accounts, Keys.account(user)) { (bytes) throws(Malformed) in
            try AccountRecord.account(of: user, bytes)
        }
    }

    /// The account, if its row is not longer than `bytesMax`.
    func account(of user: UserID, within bytesMax: Int) throws -> MeasuredAccount {
        let found = try row(.accounts, Keys.account(user)) { (bytes) throws(Malformed) in
            if bytes.count > bytesMax { return MeasuredAccount.longer }
            return .read(try AccountRecord.account(of: user, bytes))
        }
        return found ?? .read(nil)
    }

    func subscription(of key: SubscriptionKey) throws -> Subscription? {
        try row(.subscriptions, Keys.subscription(key)) { (bytes) throws(Malformed) in
            try SubscriptionRecord.subscription(of: key, bytes)
        }
    }

    func user(of token: Token) throws -> UserID? {
        try row(.tokens, Keys.token(token)) { (bytes) throws(Malformed) in
            try Keys.user(of: bytes)
        }
    }

    func unclaimed(with token: Token) throws -> [Unclaimed] {
        let prefix = Keys.token(token)
        var waiting: [Unclaimed] = []
        try walk(.unclaimed, from: prefix) { key, _ in
            guard key.starts(with: prefix) else { return false }
            waiting.append(try Keys.unclaimed(of: Array(key)))
            return true
        }
        return waiting
    }

    func sighting(of notification: NotificationID) throws -> Sighting? {
        try row(.notifications, Keys.notification(notification)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.sighting()
        }
    }

    func settlement(under key: IdempotencyKey) throws -> Settlement? {
        try row(.settlements, Keys.settlement(key)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.firstAnswer()
        }
    }

    func reservation(_ id: UInt64) throws -> Reservation? {
        try row(.reservations, Keys.reservation(id)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.reservation()
        }
    }

    func pack(of key: PackKey) throws -> Pack? {
        try row(.packs, Keys.pack(key)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.packRecord()
        }
    }

    func tombstone(under mark: NameMark) throws -> Tombstone? {
        try row(.tombstones, Keys.tombstone(mark)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.tombstone()
        }
    }

    func shown(_ mark: AppTransactionMark) throws -> Moment? {
        try row(.appTransactions, Keys.appTransaction(mark)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.moment()
        }
    }

    func merger(of user: UserID) throws -> MergedAccount? {
        try row(.merges, Keys.account(user)) { (bytes) throws(Malformed) in
            var reader = ByteReader(bytes)
            return try reader.mergedAccount()
        }
    }

    private func row<Record>(
        _ table: TableName,
        _ key: [UInt8],
        _ read: ([UInt8]) throws(Malformed) -> Record
    ) throws -> Record? {
        guard let bytes = try value(key, in: table) else { return nil }
        do {
            return try read(bytes)
        } catch {
            throw Damage(table: table)
        }
    }
}
