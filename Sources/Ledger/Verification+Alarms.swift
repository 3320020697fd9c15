import Entitlements
import LMDB

/// Compares the alarms with what the accounts make.
///
/// Alarms are an index of the moments at which accounts change by time alone. Which there are
/// depends on the catalogs that were in force and on when accounts changed, so they are not
/// compared one by one. Three laws hold under every catalog:
///  - An alarm is of an account that is there.
///  - Its moment is one that the account has, or had in one of its states, or it follows the end of
///    a paid period by no more than a catalog can forgive.
///  - An account to which a moment is still to come has an alarm at that moment, or an earlier one,
///    which sets the next when it fires.
struct AlarmAudit {
    /// The most that a catalog can forgive: `lateRenewalMinutes` and `graceFallbackHours` are a
    /// year at most, and billing retry ends before.
    private static let forgivenMilliseconds: Int64 = 366 * 86_400_000
    /// Nothing is forgiven: what is left are the moments that accounts hold themselves.
    private static let plain = Policy(Policy.Source())

    /// The first alarm of each account.
    private var first: [UserID: Moment] = [:]
    /// Alarms that no state of their account explains, so far.
    private var unexplained: [UserID: Set<Moment>] = [:]
    /// Rows that cannot be read.
    private(set) var brokenCount = 0
    /// Rows.
    private(set) var count = 0

    /// Reads every alarm of `views`.
    init(_ views: Views) throws {
        guard !views.absent.contains(.alarms) else { return }
        let table = views.table(.alarms)
        try views.environment.read { transaction in
            try transaction.withCursor(in: table) { cursor in
                var entry = try cursor.first()
                while let (key, sealed) = entry {
                    note(Array(key), Seal.opened(sealed, key).map { Array($0) })
                    entry = try cursor.next()
                }
            }
        }
    }

    private mutating func note(_ key: [UInt8], _ value: [UInt8]?) {
        count += 1
        guard let value, let row = try? Row(table: .alarms, key: key, value: value),
            case .alarm(let passing) = row.value
        else {
            brokenCount += 1
            return
        }
        unexplained[passing.user, default: []].insert(passing.due)
        first[passing.user] = min(first[passing.user] ?? passing.due, passing.due)
    }

    /// Takes a state that the account had; every state of each is to be shown.
    mutating func take(_ account: Account) {
        guard var left = unexplained[account.user] else { return }
        left = left.filter { !Self.isMoment($0, of: account.answer) }
        unexplained[account.user] = left.isEmpty ? nil : left
    }

    /// Takes an account of whose earlier states nothing is known.
    mutating func forgive(_ account: Account) { unexplained[account.user] = nil }

    /// Says in `report` what does not agree with `accounts`, where every moment up to `passed` may
    /// have been told of.
    func compare(
        with accounts: some Sequence<Account>,
        at passed: Moment,
        _ report: inout VerificationReport
    ) {
        for _ in 0..<brokenCount { report.differ("alarms: a row is not what was stored") }
        var owned: Set<UserID> = []
        for account in accounts {
            if first[account.user] != nil { owned.insert(account.user) }
            guard let next = account.alarm(after: passed, under: Self.plain) else { continue }
            if first[account.user].map({ $0 > next }) ?? true {
                report.differ("alarms: an account is not looked at when it changes")
            }
        }
        for user in first.keys where !owned.contains(user) {
            report.differ("alarms: a row is of an account that is not there")
        }
        for (user, dues) in unexplained where owned.contains(user) {
            for _ in dues { report.differ("alarms: a row is at a moment that no account made") }
        }
    }

    private static func isMoment(_ due: Moment, of answer: Answer) -> Bool {
        let isOfSlot = answer.slots.contains { slot in
            if due == slot.from || due == slot.graceUntil { return true }
            let last = slot.paidUntil.advanced(byMilliseconds: forgivenMilliseconds)
            return slot.paidUntil != .distantPast && slot.paidUntil <= due && due <= last
        }
        return isOfSlot || answer.grants.contains { $0.from == due || $0.until == due }
            || answer.balances.contains { $0.from == due }
    }
}
