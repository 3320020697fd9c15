import Entitlements
import LMDB

/// Checks the alarms against the accounts.
///
/// Alarms are an index of the moments at which accounts change by time alone. Which alarms exist
/// depends on the catalogs that were in force and on when accounts changed, so they cannot be
/// compared one by one. Three laws hold under every catalog:
///  - Each alarm belongs to an account that exists or was merged into another.
///  - Its moment is one at which the account changes, in its present state or an earlier one, or it
///    follows the end of a paid period by no more than a catalog can forgive.
///  - An account that has a future moment has an alarm at that moment, or an earlier alarm, which
///    sets the next one when it fires.
///
/// Alarms and accounts that cannot be judged immediately are kept in tables of the replica's
/// scratch files, because there may be many.
struct AlarmAudit {
    /// The most that a catalog can forgive: `lateRenewalMinutes` and `graceFallbackHours` are a
    /// year at most, and billing retry ends before.
    private static let forgivenMilliseconds: Int64 = 366 * 86_400_000
    /// A policy that forgives nothing, so that only the moments stored in accounts remain.
    private static let plain = Policy(Policy.Source())

    private let views: Views
    private let made: Views
    private let scratch: Environment
    /// Alarms that no known state of their account explains yet; keyed by user, then moment.
    private let unexplained: Table
    /// Accounts without an alarm at their next moment: the moment, keyed by user.
    private let wanting: Table
    /// How many alarm rows cannot be read.
    private let brokenCount: Int
    /// How many alarm rows there are.
    let count: Int

    /// Reads every alarm of `views`.
    ///
    /// To be called while `replica` holds only the base.
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
            // The earlier states of an account in the base are no longer known, so its alarms are
            // not judged.
            if try Self.answer(of: passing.user, in: base) != nil { return }
            // Most alarms fit the account's present state, which is itself compared elsewhere.
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

    /// Takes states that accounts had.
    ///
    /// Every state of every account must be passed here.
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

    /// Adds the disagreements with the accounts of the replica to `report`.
    ///
    /// Every moment up to `passed` may have been reported already.
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
            // The alarm of an account that was merged into another is harmless: it fires and finds
            // no account.
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
            let sentence = "alarms: an account is not looked at when it changes"
            found.differ(sentence, mayBeOfRules: true)
        }
        for _ in 0..<leftCount {
            let sentence = "alarms: a row has a due time that no account explains"
            found.differ(sentence, mayBeOfRules: true)
        }
        report = found
    }

    /// Notes the accounts that have no alarm at their next moment.
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

    /// Removes the alarm's account from `wanting` if the alarm is at or before its next moment: it
    /// sets the next alarm when it fires.
    private func satisfy(_ passing: Tick.Passing) throws {
        let key = AccountRow.bytes(of: passing.user)
        let isWanting = try scratch.read { transaction in
            guard let next = try transaction.get(key, in: wanting) else { return false }
            return passing.due <= (try TickRow.key(of: Array(next)))
        }
        guard isWanting else { return }
        try scratch.write { _ = try $0.delete(key, in: wanting) }
    }

    /// Calls `visit` with every alarm of `views`; nil for one that cannot be read.
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

    /// The stored front of an account; nil if there is none or it cannot be read.
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

    /// The key prefix of one user's alarms; no other user's keys begin with it.
    private static func prefix(_ user: UserID) -> [UInt8] {
        [UInt8(truncatingIfNeeded: user.bytes.count)] + user.bytes
    }

    private static func key(_ passing: Tick.Passing) -> [UInt8] {
        prefix(passing.user) + TickRow.bytes(of: passing.due)
    }

    private static func isMoment(_ due: Moment, of answer: Answer) -> Bool {
        let isOfSlot = answer.slots.contains { slot in
            if due == slot.from || due == slot.graceUntil { return true }
            // A purchase for a number of days ends when the catalogs, and the purchases before it,
            // say.
            if slot.marks.contains(.dated) { return due > slot.from }
            let last = slot.paidUntil.advanced(byMilliseconds: forgivenMilliseconds)
            return slot.paidUntil != .distantPast && slot.paidUntil <= due && due <= last
        }
        return isOfSlot || answer.grants.contains { $0.from == due || $0.until == due }
            || answer.balances.contains { $0.from == due }
    }
}

/// Gathers rows for one scratch table and stores some thousand in each transaction.
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
