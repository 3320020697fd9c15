import Entitlements
import JSON
import Ledger
import Wire

/// A change of one user's status, as another system is told of it.
package struct StatusChange: Sendable {
    /// Whose.
    package let user: UserID
    /// Where the journal has it.
    package let seq: UInt64
    /// Which of the user's changes of this position it is, from 0.
    package let ordinal: Int
    /// When it was so.
    package let at: Moment
    /// The parameters of `entitlementChanged`.
    package let params: JSONObject
    /// Whether a subscription or a grant gives access from then on.
    package let hasAccess: Bool
    /// Whether time alone took the access of a subscription that renews: its store may only not
    /// have been heard.
    package let isUncertainLoss: Bool

    /// A change.
    package init(
        user: UserID,
        seq: UInt64,
        ordinal: Int,
        at: Moment,
        params: JSONObject,
        hasAccess: Bool,
        isUncertainLoss: Bool
    ) {
        self.user = user
        self.seq = seq
        self.ordinal = ordinal
        self.at = at
        self.params = params
        self.hasAccess = hasAccess
        self.isUncertainLoss = isUncertainLoss
    }

    /// Whether both tell the same status, their positions aside.
    package func tellsStatus(of other: StatusChange) -> Bool {
        guard let status = params["status"]?.object, let its = other.params["status"]?.object else {
            return params["status"] == other.params["status"]
        }
        return status.isEqualStatus(to: its)
    }
}

/// What a stretch of the journal changed.
package struct ChangedStretch: Sendable {
    /// By position.
    package let changes: [StatusChange]
    /// Whom its entries may have changed, also where nothing of it is visible.
    package let users: Set<UserID>
    /// Up to where it was read.
    package let through: UInt64
    /// Whether the journal no longer has all of it: what is missing is in the users' states alone.
    package let isTorn: Bool
    /// The catalog that was in force before another was installed here: what that changed is in the
    /// users' states alone, too.
    package let formerCatalog: UInt32?
    /// Whether more than one was installed here: under each of them users may have been told
    /// something that holds no more.
    package let hasSeveralCatalogs: Bool

    /// A stretch.
    package init(
        changes: [StatusChange],
        users: Set<UserID>,
        through: UInt64,
        isTorn: Bool = false,
        formerCatalog: UInt32? = nil,
        hasSeveralCatalogs: Bool = false
    ) {
        self.changes = changes
        self.users = users
        self.through = through
        self.isTorn = isTorn
        self.formerCatalog = formerCatalog
        self.hasSeveralCatalogs = hasSeveralCatalogs
    }
}

/// Reads in the journal what other systems are to be told: every change, none coalesced.
///
/// One thread's.
package final class ChangeReader {
    private let ledger: Ledger
    private let reader: LedgerReader

    /// A reader of `ledger`.
    ///
    /// - Throws: where there is no place for one more reader.
    package init(_ ledger: Ledger) throws(RPCFailure) {
        self.ledger = ledger
        reader = try fromLedger(LedgerReader(ledger))
    }

    /// The last position that can be read.
    package var seq: UInt64 { ledger.figures.seq }

    /// The present, in the ledger's time.
    package var now: Moment { Moment(ledger.clock.wall()) }

    /// What changed behind one position, and up to another or less.
    package func stretch(
        after first: UInt64,
        through last: UInt64
    ) throws(RPCFailure) -> ChangedStretch {
        try reading(asOneTask: true) { () throws(LedgerFailure) in
            let end = min(last, seq, first + MethodLimits.outboxEntriesMax)
            // Each user costs as much as several entries do.
            let found = try reader.settled { () throws(LedgerFailure) in
                try reader.changes(
                    after: first,
                    through: end,
                    usersEnough: MethodLimits.outboxUsersEnough,
                    passesErasures: true
                )
            }
            let last = found?.through ?? end
            var isTorn = found.map { $0.border > first } ?? true
            var changes: [StatusChange] = []
            for user in found?.users ?? [] {
                let place = max(first, found?.border ?? first)
                let (turns, border) = try reader.notedTurns(of: user, after: place, in: found, now)
                isTorn = isTorn || border > place
                changes += Self.changes(turns, of: user)
            }
            changes.sort { ($0.seq, $0.at, $0.user) < ($1.seq, $1.at, $1.user) }
            let catalogs = found?.catalogs ?? []
            return ChangedStretch(
                changes: changes,
                users: found?.users ?? [],
                // What was pruned is read no more.
                through: max(last, found?.border ?? last),
                isTorn: isTorn,
                formerCatalog: catalogs.count == 1 ? try catalog(before: catalogs[0].version) : nil,
                hasSeveralCatalogs: catalogs.count > 1
            )
        }
    }

    /// The newest change of a user behind a position; nil where there is none.
    package func latest(
        of user: UserID,
        after seq: UInt64
    ) throws(RPCFailure) -> StatusChange? {
        try reading { () throws(LedgerFailure) in
            let (turns, _) = try reader.notedTurns(of: user, after: seq, now)
            return Self.changes(turns, of: user).last
        }
    }

    /// The present state of a user; nil where there is no account of theirs.
    package func state(of user: UserID) throws(RPCFailure) -> StatusChange? {
        try reading { () throws(LedgerFailure) in
            let view = try StatusView(of: user, reader, at: now)
            return view.account.map { Self.state(view, $0.lastSeq, .reconciled) }
        }
    }

    /// The catalog that was in force before this one; nil where it was the first.
    private func catalog(before version: UInt32) throws(LedgerFailure) -> UInt32? {
        let versions = try reader.catalogs().map(\.stamp.version)
        return versions.lastIndex(of: version).flatMap { $0 > 0 ? versions[$0 - 1] : nil }
    }

    /// The present states of the accounts that follow `user` in the order of ids.
    ///
    /// - Parameters:
    ///   - user: nil: from the first one.
    ///   - limit: how many accounts are looked at.
    ///   - version: only of those of whom this catalog, when another took its place, said something
    ///     else; nil for all.
    /// - Returns: the states, and behind whom the next page begins; nil at the end.
    /// - Throws: where the tables cannot be read.
    package func states(
        after user: UserID?,
        limit: Int,
        otherThanUnder version: UInt32? = nil
    ) throws(RPCFailure) -> (states: [StatusChange], next: UserID?) {
        try reading { () throws(LedgerFailure) in
            let former = try version.flatMap { (version) throws(LedgerFailure) in
                try formerCatalog(version)
            }
            let rows = try reader.rows(
                of: .accounts,
                after: user.map { Array($0.description.utf8) },
                count: limit
            )
            var states: [StatusChange] = []
            var next: UserID?
            for row in rows {
                guard case .account(let account) = row.value else { continue }
                next = UserID(String(decoding: row.key, as: UTF8.self))
                guard let user = next else { continue }
                let view = try StatusView(of: user, reader, at: now)
                if let former, isSame(view, as: former) { continue }
                states.append(Self.state(view, account.lastSeq, .reconciled))
            }
            return (states, rows.count < limit ? nil : next)
        }
    }

    /// A catalog that is in force no more, and the last moment at which it was.
    private typealias FormerCatalog = (policy: Policy, end: Moment)

    private func formerCatalog(_ version: UInt32) throws(LedgerFailure) -> FormerCatalog? {
        let numbering = try reader.numbering()
        let catalogs = try reader.catalogs().drop { $0.stamp.version != version }
        guard let source = catalogs.first.flatMap({ Policy.Source($0.stamp) }) else { return nil }
        let installed = catalogs.dropFirst().first?.from ?? now
        let end = Moment(min(installed, now).milliseconds - 1)
        return (Policy(source, numbering: numbering), end)
    }

    /// Whether a user's status is what it was when the former catalog was last in force.
    ///
    /// What it would say now does not count: an end that the new catalog made may have come under
    /// the former one, too, and nobody was told of it.
    private func isSame(_ view: StatusView, as former: FormerCatalog) -> Bool {
        view.isSameStatus(as: view.under(former.policy, at: former.end, reader))
    }

    /// The state of a user of whom nothing is kept any more, since this position.
    package func erasure(of user: UserID, at seq: UInt64) -> StatusChange {
        let view = StatusView(
            of: user,
            account: nil,
            at: now,
            under: reader.policy,
            seq: seq
        ) { _ in nil }
        return Self.state(view, seq, .erased)
    }

    private func reading<Value>(
        asOneTask: Bool = false,
        _ body: () throws(LedgerFailure) -> Value
    ) throws(RPCFailure) -> Value {
        defer { reader.rest() }
        return try fromLedger(asOneTask ? reader.asOneTask(body) : body())
    }

    private static func changes(_ turns: [Chronicle.Turn], of user: UserID) -> [StatusChange] {
        var changes: [StatusChange] = []
        for turn in turns where turn.isVisible {
            let hadAccess = turn.before.decision.hasAccess
            let hasAccess = turn.after.decision.hasAccess
            let isStale = turn.shown.after["subscription"]?["stale"] == true
            let last = changes.last
            changes.append(
                StatusChange(
                    user: user,
                    seq: turn.seq,
                    ordinal: last?.seq == turn.seq ? (last?.ordinal ?? 0) + 1 : 0,
                    at: turn.at,
                    params: Announcement.params(turn.seq, user, turn.cause, turn.shown.after),
                    hasAccess: hasAccess,
                    isUncertainLoss: turn.cause == .clock && hadAccess && !hasAccess && isStale
                )
            )
        }
        return changes
    }

    private static func state(_ view: StatusView, _ seq: UInt64, _ cause: Cause) -> StatusChange {
        StatusChange(
            user: view.user,
            seq: seq,
            ordinal: 0,
            at: view.now,
            params: Announcement.params(seq, view.user, cause, view.status),
            hasAccess: view.decision.hasAccess,
            isUncertainLoss: view.isFreshLoss
        )
    }
}
