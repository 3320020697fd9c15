/// What a command about one purse makes happen, with the purse as it will be.
struct Draft {
    private let user: UserID
    private let command: Command
    private(set) var purse: Purse
    private(set) var events: [Event]
    /// Whether the stored purse may still have what is over among what can be spent.
    private var isUnswept = false

    /// Opens the account where there is none, and returns what holds have ended.
    init(_ user: UserID, _ command: Command, on desk: borrowing Desk, under policy: Policy) {
        self.user = user
        self.command = command
        if let kept = desk.accounts.box(user)?.value?.purse {
            purse = kept
            events = []
        } else {
            purse = Purse()
            events = command.opening(user, on: desk, under: policy)
        }
        // What a command makes happen, and its answer.
        events.reserveCapacity(events.count + 2)
        if !purse.holds.isEmpty || purse.debt > 0 { endHolds() }
        isUnswept = purse.prune(at: command.now)
    }

    /// Returns what holds that have ended by themselves hold.
    ///
    /// What pays of it, and of periods that have begun, is said before the holds end: absorbing the
    /// end of one would let a later period pay before the next hold.
    private mutating func endHolds() {
        let now = command.now
        guard purse.debt > 0 else {
            for hold in purse.holdsEnded(at: now) { end(hold, .expired, returning: hold.parts) }
            return
        }
        var later = purse
        let ended = later.endHolds(at: now)
        let begun = ended.begun + later.begin(at: now)
        let remaining = later.balance(at: now)
        let paid = ended.paid + begun
        if !paid.isEmpty { happen(.debtPaid(user, paid)) }
        if !begun.isEmpty { happen(.spent(user, begun)) }
        for (hold, parts) in ended.returned {
            end(hold, .expired, returning: parts, leaving: remaining)
        }
    }

    mutating func happen(_ event: Event) {
        // What is owed from now on is not paid by a period that is over: to spend nothing puts it
        // away.
        if isUnswept, event.owed > 0 {
            events.append(.spent(user, []))
            isUnswept = false
        }
        purse.absorb(event, at: command.now)
        events.append(event)
    }

    /// Ends a hold, of which `parts` go back; `remaining` where it is known to be another balance
    /// than that behind it.
    @discardableResult
    mutating func end(
        _ hold: Hold,
        _ kind: Reservation.Ending.Kind,
        returning parts: [Bucket],
        leaving remaining: Int64? = nil
    ) -> Int64 {
        let end = min(hold.until, command.now)
        purse.begin(at: end)
        let returned = parts.less(payDebt(with: parts, at: end))
        purse.end(hold.id, returning: returned, at: command.now)
        let remaining = remaining ?? purse.balance(at: command.now)
        let ending = Reservation.Ending(kind: kind, remaining: remaining)
        events.append(.holdEnded(user, hold.id, ending, returned: returned))
        return remaining
    }

    /// Lets what comes back at `moment` pay what is owed; answers what of it paid, and does not
    /// come back.
    ///
    /// Of a period that a refund had ended before pays first: there is nothing to spend of it, but
    /// nothing to owe for it either.
    ///
    /// Keeps P6, and P5: a hold that has ended by itself pays as of its end.
    mutating func payDebt(with returned: [Bucket], at moment: Moment) -> [Bucket] {
        let paid = purse.parts(of: returned, payingAt: moment)
        if !paid.isEmpty { happen(.debtPaid(user, paid)) }
        return paid
    }

    /// Notes that `more` of the user's other credits than before stand in for what was spent of the
    /// period that `refund` is of; fewer where it is below 0.
    mutating func cover(_ refund: Forgiveness, with more: Int64) {
        guard more != 0 else { return }
        var memory = refund
        memory.amount = min(0, -purse.covered(by: refund) - more)
        happen(.refundForgiven(user, memory))
    }

    mutating func settle(
        _ key: IdempotencyKey,
        _ fingerprint: Digest128,
        _ answer: Settlement.Answer,
        id: UInt64? = nil
    ) {
        let settlement = Settlement(
            fingerprint: fingerprint,
            seq: id ?? command.seq,
            at: command.at,
            now: command.now,
            answer: answer
        )
        events.append(.settled(key, settlement))
    }
}

extension Purse {
    /// What an event says of this purse; others leave it.
    mutating func absorb(_ event: Event, at moment: Moment) {
        switch event {
        case .registered(_, let freeCredits):
            if freeCredits > 0 {
                put(Bucket(source: Bucket.freeSource, amount: freeCredits), at: moment)
            }
        case .appTransactionUsed(_, _, let freeCredits):
            if freeCredits > 0 {
                put(Bucket(source: Bucket.freeSource, amount: freeCredits), at: moment)
            }
        case .credited(_, let bucket): put(bucket, at: moment)
        case .spent(_, let parts): take(parts)
        case .held(_, let hold, _): self.hold(hold)
        case .holdEnded(_, let id, _, let returned): end(id, returning: returned, at: moment)
        case .reversed(_, let parts): for part in parts { put(part, at: moment) }
        case .packCredited(let key, let pack):
            forgiven.removeAll { $0.pack == key }
            put(pack.bucket, at: moment)
        case .periodMoved(_, _, let move): self.move(move, at: moment)
        case .packRefunded(let key, _, let parts, let owed):
            take(parts, of: key)
            debt += owed
        case .packPartRefunded(_, _, let parts, let owed, _):
            take(parts)
            debt += owed
        case .debtPaid(_, let parts):
            debt -= min(debt, parts.total)
            // What paid is taken out by the next event, before any period that has begun pays.
            return
        case .refundForgiven(_, let forgiveness): remember(forgiveness)
        case .accountOpened, .appTransactionAwaited, .tokenClaimed, .merged, .linked, .succeeded,
            .dated, .shared, .granted, .grantRevoked, .settled, .noticed, .announced, .passed,
            .catalogInstalled, .loaded, .accountsMerged, .erased:
            break
        }
        prune(at: moment)
    }
}

extension Event {
    /// What is owed because of it.
    fileprivate var owed: Int64 {
        switch self {
        case .packRefunded(_, _, _, let owed), .packPartRefunded(_, _, _, let owed, _): owed
        default: 0
        }
    }

    /// Whose purse this event changes; nil where it changes none.
    var purseOwner: UserID? {
        switch self {
        case .registered(let user, _), .credited(let user, _), .spent(let user, _),
            .held(let user, _, _), .holdEnded(let user, _, _, _), .packRefunded(_, let user, _, _),
            .packPartRefunded(_, let user, _, _, _), .refundForgiven(let user, _),
            .debtPaid(let user, _),
            .appTransactionUsed(_, let user, _), .periodMoved(_, let user, _):
            user
        case .reversed(let charge, _): charge.user
        case .packCredited(_, let pack): pack.user
        case .accountOpened, .appTransactionAwaited, .tokenClaimed, .merged, .linked, .succeeded,
            .dated, .shared, .granted, .grantRevoked, .settled, .noticed, .announced,
            .passed,
            .catalogInstalled, .loaded, .accountsMerged, .erased:
            nil
        }
    }
}
