import Entitlements

/// What was told of alarms that still stand there as if nothing had been.
///
/// Moments are told in their order, with an exception: what has come for an account is told before
/// a command changes the account. Such a tick is marked (`Tick.isAhead`). And a process that was
/// killed leaves alarms that it had examined, up to the last of those that were told in order.
struct AlarmBacklog {
    /// Up to when everything was told of these users, where that is later than of others.
    private var ahead: [UserID: Moment] = [:]
    /// The latest of those moments.
    private var last = Moment.distantPast
    /// All alarms before this moment were examined by the process before.
    private var examined = Moment.distantPast
    /// Those at that moment up to this user's, too.
    private var examinedUser: UserID?
    /// Alarms up to this moment may be such as the process before has examined, or replaced.
    private(set) var resumed = Moment.distantPast

    /// Whether more users may be told ahead of others before the alarms have come further.
    var hasRoom: Bool { ahead.count < LedgerLimits.rearmedAheadMax }

    private var end: Moment { max(last, examined, resumed) }

    /// Up to when everything was told of the user of `alarm`, if that includes the alarm itself.
    func told(at alarm: Tick.Passing) -> Moment? {
        let told = max(examined(for: alarm.user), ahead[alarm.user] ?? .distantPast)
        return told < alarm.due ? nil : told
    }

    /// Up to when everything was told of `user`, where `first` is the first alarm that is due.
    func told(of user: UserID, before first: Tick.Passing) -> Moment {
        let fired = user < first.user ? first.due : first.due.advanced(byMilliseconds: -1)
        return max(fired, examined(for: user), ahead[user] ?? fired)
    }

    private func examined(for user: UserID) -> Moment {
        if let examinedUser, user <= examinedUser { return examined }
        return examined.advanced(byMilliseconds: -1)
    }

    /// Notes that everything up to `moment` was told of `user`.
    mutating func note(_ user: UserID, upTo moment: Moment) {
        ahead[user] = max(ahead[user] ?? moment, moment)
        last = max(last, moment)
    }

    /// Notes what the rows say that the process before has told.
    mutating func begin(after told: Moment?) { examined = told ?? .distantPast }

    /// Notes a tick of the process before.
    mutating func replay(_ tick: Tick) {
        if tick.isAhead {
            for passing in tick.passings { note(passing.user, upTo: passing.due) }
        } else if let passing = tick.passings.last {
            (examined, examinedUser) = (passing.due, passing.user)
            if examined > last { (ahead, last) = ([:], .distantPast) }
        }
    }

    /// Notes that the process before came as far as `now`.
    mutating func resume(at now: Moment) {
        forget(behind: now)
        resumed = now
    }

    /// Forgets everything if some of it lies behind `now`, to which the clock was set back: that
    /// comes once more.
    mutating func forget(behind now: Moment) {
        if end > now { self = AlarmBacklog() }
    }

    /// Forgets everything once all alarms before `next`, or all that there are, have fired.
    mutating func forget(before next: Tick.Passing?) {
        guard end > .distantPast else { return }
        if next.map({ $0.due > end }) ?? true { self = AlarmBacklog() }
    }
}

/// An alarm that is due.
struct FiredAlarm {
    let passing: Tick.Passing
    /// Its account; nil where there is none, or none that can be read.
    let account: Account?
    /// Up to when everything was told of the user.
    let told: Moment

    /// Whether it has been told already.
    var isTold: Bool { told >= passing.due }

    /// After when the next alarm of the account is to be set.
    var next: Moment { max(told, passing.due) }
}
