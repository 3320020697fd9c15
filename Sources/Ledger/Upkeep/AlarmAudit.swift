import Entitlements
import LMDB

/// Compares the alarms with what the accounts make.
///
/// Alarms are an index of the moments at which accounts change by time alone. Which there are
/// depends on the catalogs that were in force and on when accounts changed, so they are not
/// compared one by one. Three laws hold under every catalog:
///  - An alarm is of an account that is there, or went into another.
///  - Its moment is one that the account has, or had in one of its states, or it follows the end of
///    a paid period by no more than a catalog can forgive.
///  - An account to which a moment is still to come has an alarm at that moment, or an earlier one,
///    which sets the next when it fires.
///
/// What must be remembered from one part to the next, of alarms and accounts that are not plain at
/// once, stands in tables of the replica's scratch files: there may be many.
struct AlarmAudit {
    /// The most that a catalog can forgive: `lateRenewalMinutes` and `graceFallbackHours` are a
    /// year at most, and billing retry ends before.
    private static let forgivenMilliseconds: Int64 = 366 * 86_400_000
    /// Nothing is forgiven: what is left are the moments that accounts hold themselves.
    private static let plain = Policy(Policy.Source())

    private let views: Views
    private let made: Views
    private let scratch: Environment
    /// Alarms that no state of their account explains, so far: by user, then moment.
    private let unexplained: Table
    /// Accounts that have no alarm at the moment that is to come: the moment, by user.
    private let wanting: Table
    /// Rows that cannot be read.
    private let brokenCount: Int
    /// Rows.
    let count: Int

    /// Reads every alarm of `views`, before anything but the base is in `replica`.
    init(_ views: Views, beside replica: Replica) throws {
        self.views = views
        made = replica.views
        scratch = made.environment
        unexplained = try scratch.table("unexplained alarms")
        wanting = try scratch.table("accounts without alarm")
        var (brokenCount, count) = (0, 0)
        var left = Batch(scratch, unexplained)
        let base = made
        try Self.walk(views) { passing in
            count += 1
            guard let passing else {
                brokenCount += 1
                return
            }
            // What states an account of the base had is not known any more.
            if try Self.answer(of: passing.user, in: base) != nil { return }
            // Most alarms are of the state that is there: what that is worth is compared, too.
            if let answer = try Self.answer(of: passing.user, in: views),
                Self.isMoment(passing.due, of: answer)
            {
                return
            }
            try left.put([], at: Self.key(passing))
        }
        try left.store()
        (self.brokenCount, self.count) = (brokenCount, count)
    }

    /// Takes states that accounts had; every state of each is to be shown.
    func take(_ accounts: [Account]) throws {
        let isDone = try scratch.read { try $0.entryCount(of: unexplained) == 0 }
        if isDone || accounts.isEmpty { return }
        try scratch.write { transaction in
            for account in accounts {
                let prefix = Self.prefix(account.user)
                try transaction.withCursor(in: unexplained) { cursor in
                    var entry = try cursor.seek(atOrAfter: prefix)
                    while let (key, _) = entry, key.starts(with: prefix) {
                        let due = try TickRow.key(of: Array(key.suffix(8)))
                        if Self.isMoment(due, of: account.answer) { try cursor.deleteCurrent() }
                        entry = try cursor.next()
                    }
                }
            }
        }
    }

    /// Says in `report` what does not agree with the accounts of the replica, where every moment up
    /// to `passed` may have been told of.
    func compare(
        at passed: Moment,
        _ report: inout VerificationReport,
        _ isEnding: () -> Bool
    ) throws {
        var found = report
        for _ in 0..<brokenCount { found.differ("alarms: a row is not what was stored") }
        try noteWanting(at: passed, isEnding)
        try Self.walk(views) { passing in
            guard let passing else { return }
            if isEnding() { throw LedgerFailure.shuttingDown }
            // One of an account that went into another fires, and finds nobody.
            if try Self.answer(of: passing.user, in: made) == nil,
                try !Self.hasGone(passing.user, in: made)
            {
                found.differ("alarms: a row is of an account that is not there")
            }
            try satisfy(passing)
        }
        let (wantingCount, leftCount) = try scratch.read { transaction in
            var left = 0
            try transaction.withCursor(in: unexplained) { cursor in
                var entry = try cursor.first()
                while let (key, _) = entry {
                    let user = try Keys.user(of: Array(key.dropFirst().dropLast(8)))
                    if try Self.answer(of: user, in: made) != nil { left += 1 }
                    entry = try cursor.next()
                }
            }
            return (try transaction.entryCount(of: wanting), left)
        }
        for _ in 0..<wantingCount {
            found.differ("alarms: an account is not looked at when it changes")
        }
        for _ in 0..<leftCount {
            found.differ("alarms: a row is at a moment that no account made")
        }
        report = found
    }

    /// Notes the accounts that have no alarm at the moment that is to come.
    private func noteWanting(at passed: Moment, _ isEnding: () -> Bool) throws {
        var noted = Batch(scratch, wanting)
        try made.environment.read { transaction in
            try transaction.withCursor(in: made.table(.accounts)) { cursor in
                var entry = try cursor.first()
                while let (key, sealed) = entry {
                    if isEnding() { throw LedgerFailure.shuttingDown }
                    let account = try AccountRow(key: key, sealed: sealed).record
                    if let next = account.alarm(after: passed, under: Self.plain),
                        try !isSet(Tick.Passing(user: account.user, due: next))
                    {
                        try noted.put(TickRow.bytes(of: next), at: Array(key))
                    }
                    entry = try cursor.next()
                }
            }
        }
        try noted.store()
    }

    private func isSet(_ passing: Tick.Passing) throws -> Bool {
        guard !views.absent.contains(.alarms) else { return false }
        return try views.environment.read {
            try views.value(AlarmRow.bytes(of: passing), in: .alarms, $0) != nil
        }
    }

    /// An alarm that is earlier than the moment that is to come sets the next when it fires.
    private func satisfy(_ passing: Tick.Passing) throws {
        let key = AccountRow.bytes(of: passing.user)
        let isWanting = try scratch.read { transaction in
            guard let next = try transaction.get(key, in: wanting) else { return false }
            return passing.due <= (try TickRow.key(of: Array(next)))
        }
        guard isWanting else { return }
        try scratch.write { _ = try $0.delete(key, in: wanting) }
    }

    /// Hands every alarm of `views` to `visit`; nil for one that cannot be read.
    private static func walk(_ views: Views, _ visit: (Tick.Passing?) throws -> Void) throws {
        guard !views.absent.contains(.alarms) else { return }
        try views.environment.read { transaction in
            try transaction.withCursor(in: views.table(.alarms)) { cursor in
                var entry = try cursor.first()
                while let (key, sealed) = entry {
                    try visit((try? AlarmRow(key: key, sealed: sealed))?.key)
                    entry = try cursor.next()
                }
            }
        }
    }

    private static func hasGone(_ user: UserID, in views: Views) throws -> Bool {
        try views.environment.read { transaction in
            try transaction.get(AccountRow.bytes(of: user), in: views.table(.merges)) != nil
        }
    }

    /// What is stored of an account; nil where there is none, or none that can be read.
    private static func answer(of user: UserID, in views: Views) throws -> Answer? {
        guard !views.absent.contains(.accounts) else { return nil }
        return try views.environment.read { transaction in
            do {
                return try views.record(of: AccountRow.self, at: user, transaction)?.answer
            } catch is Damage {
                return nil
            }
        }
    }

    /// What the alarms of one user begin with, and of no other.
    private static func prefix(_ user: UserID) -> [UInt8] {
        [UInt8(truncatingIfNeeded: user.bytes.count)] + user.bytes
    }

    private static func key(_ passing: Tick.Passing) -> [UInt8] {
        prefix(passing.user) + TickRow.bytes(of: passing.due)
    }

    private static func isMoment(_ due: Moment, of answer: Answer) -> Bool {
        let isOfSlot = answer.slots.contains { slot in
            if due == slot.from || due == slot.graceUntil { return true }
            // It ends when the catalogs said, and those that were bought before it.
            if slot.marks.contains(.dated) { return due > slot.from }
            let last = slot.paidUntil.advanced(byMilliseconds: forgivenMilliseconds)
            return slot.paidUntil != .distantPast && slot.paidUntil <= due && due <= last
        }
        return isOfSlot || answer.grants.contains { $0.from == due || $0.until == due }
            || answer.balances.contains { $0.from == due }
    }
}

/// Rows on their way into one scratch table, some thousand in a transaction.
private struct Batch {
    private let environment: Environment
    private let table: Table
    private var rows: [(key: [UInt8], value: [UInt8])] = []

    init(_ environment: Environment, _ table: Table) {
        self.environment = environment
        self.table = table
    }

    mutating func put(_ value: [UInt8], at key: [UInt8]) throws {
        rows.append((key, value))
        if rows.count >= LedgerLimits.checkpointChangesMax { try store() }
    }

    mutating func store() throws {
        try environment.write { transaction in
            for (key, value) in rows { try transaction.put(value, for: key, in: table) }
        }
        rows.removeAll(keepingCapacity: true)
    }
}
