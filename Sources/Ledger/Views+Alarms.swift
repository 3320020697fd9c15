import Entitlements
import LMDB

// When to look at an account again: an index of the views, made anew whenever an account changes.
// An alarm that no longer means anything is dropped when it fires.

extension ViewSource {
    /// The account of `user`; nil also where its row is damaged: time goes on for the others.
    func readable(_ user: UserID) throws -> Account? {
        do {
            return try account(of: user)
        } catch is Damage {
            return nil
        }
    }
}

extension Views {
    /// The first alarm's moment.
    func nextAlarm(_ transaction: borrowing some Transaction & ~Copyable) throws -> Moment? {
        try transaction.withCursor(in: table(.alarms)) { cursor in
            try cursor.first().map { key, _ in try Keys.alarm(of: Array(key)).due }
        }
    }

    /// Sets the alarm of an account that changed.
    func arm(
        _ account: Account,
        after moment: Moment,
        under policy: Policy,
        _ transaction: borrowing WriteTransaction
    ) throws {
        guard let due = account.alarm(after: moment, under: policy) else { return }
        let key = Keys.alarm(Tick.Passing(user: account.user, due: due))
        // Most changes leave the next moment as it was: a page that stays clean costs nothing.
        guard try transaction.get(key, in: table(.alarms)) == nil else { return }
        try put([], key, in: .alarms, transaction)
    }

    /// Takes away an alarm that has fired, and sets the next one.
    func pass(
        _ passing: Tick.Passing,
        under policy: Policy,
        _ transaction: borrowing WriteTransaction
    ) throws {
        try put(nil, Keys.alarm(passing), in: .alarms, transaction)
        guard let account = try ViewSource(self, transaction).readable(passing.user) else { return }
        try arm(account, after: passing.due, under: policy, transaction)
    }

    /// The alarms that are due at `now`, oldest first, at most `limit`.
    func due(
        at now: Moment,
        limit: Int,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> [Tick.Passing] {
        var found: [Tick.Passing] = []
        try transaction.withCursor(in: table(.alarms)) { cursor in
            var entry = try cursor.first()
            while found.count < limit, let (key, _) = entry {
                let passing = try Keys.alarm(of: Array(key))
                guard passing.due <= now else { break }
                found.append(passing)
                entry = try cursor.next()
            }
        }
        return found
    }

    /// The journal position of the tick that covers `moment`, if there is one.
    func tick(
        covering moment: Moment,
        _ transaction: borrowing some Transaction & ~Copyable
    ) throws -> UInt64? {
        let key = Keys.tick(moment)
        return try transaction.withCursor(in: table(.ticks)) { cursor in
            var entry = try cursor.seek(atOrAfter: key)
            if let (found, _) = entry, !found.elementsEqual(key) { entry = try cursor.previous() }
            if entry == nil { entry = try cursor.last() }
            guard let (found, sealed) = entry else { return nil }
            guard let value = Seal.opened(sealed, found) else { throw Damage(table: .ticks) }
            var reader = ByteReader(Array(value))
            return try Keys.tick(of: Array(found)) <= moment ? try reader.integer() : nil
        }
    }
}
