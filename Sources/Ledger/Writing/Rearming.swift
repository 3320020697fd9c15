import Entitlements

/// The accounts whose alarms must still be set anew, because a new catalog may have moved the
/// moments at which these accounts change.
///
/// During this, each end is still reported, and only once:
///  - R1. For an account that does not wait here, the alarms lead to every future moment.
///  - R2. For a waiting account, alarms for moments after `told(of:)` may be missing. They are set
///    when its turn comes, or earlier when one of its alarms fires. Moments up to `told(of:)` are
///    not reported again.
struct Rearming {
    /// A range of accounts with adjacent keys.
    private struct Stretch {
        var from: [UInt8]
        /// The first key after the range; nil for the end of the table.
        var to: [UInt8]?
        /// Everything up to this moment has been reported for these accounts.
        var told: Moment

        func holds(_ key: [UInt8]) -> Bool {
            !key.lexicographicallyPrecedes(from)
                && (to.map { key.lexicographicallyPrecedes($0) } ?? true)
        }
    }

    /// The ranges: disjoint, in the order of their keys.
    private var stretches: [Stretch] = []
    /// Waiting accounts for which more has been reported than for their range.
    private var ahead: [UserID: Moment] = [:]
    private let aheadMax: Int

    init(aheadMax: Int = LedgerLimits.rearmedAheadMax) { self.aheadMax = aheadMax }

    /// Whether no account waits.
    var isDone: Bool { stretches.isEmpty }

    /// Whether more moments may be reported before the next accounts have had their turn.
    var hasRoom: Bool { ahead.count < aheadMax }

    /// Whether `begin` may be called once more before some accounts have had their turn.
    var takesMore: Bool { stretches.count < LedgerLimits.rearmingStretchesMax }

    /// The range whose turn is next: from a key up to another key or the end of the table.
    var next: (from: [UInt8], to: [UInt8]?)? { stretches.first.map { ($0.from, $0.to) } }

    /// Up to when everything was reported for `user`.
    ///
    /// - Parameters:
    ///   - user: whose account.
    ///   - reached: up to when the alarms have fired. A catalog may have come while others were due
    ///     and had not, so a range may claim more.
    /// - Returns: that moment; nil if the account does not wait.
    func told(of user: UserID, upTo reached: Moment = .distantFuture) -> Moment? {
        let key = AccountRow.bytes(of: user)
        guard let stretch = stretches.first(where: { $0.holds(key) }) else { return nil }
        return max(min(stretch.told, reached), ahead[user] ?? .distantPast)
    }

    /// Makes every account wait, because a new catalog was installed or the clock was set back.
    ///
    /// - Parameter moment: for accounts that do not wait yet, nothing up to this moment is reported
    ///   again. Accounts that wait already keep their own moment if it is earlier, so nothing is
    ///   left out.
    mutating func begin(after moment: Moment) {
        var all: [Stretch] = []
        var place: [UInt8]? = []
        for var stretch in stretches {
            if let begin = place, begin.lexicographicallyPrecedes(stretch.from) {
                all.append(Stretch(from: begin, to: stretch.from, told: moment))
            }
            stretch.told = min(stretch.told, moment)
            all.append(stretch)
            place = stretch.to
        }
        if let place { all.append(Stretch(from: place, to: nil, told: moment)) }
        stretches = all
        ahead = ahead.mapValues { min($0, moment) }
    }

    /// Notes that `passing` was reported or examined.
    mutating func note(_ passing: Tick.Passing) {
        guard !stretches.isEmpty, told(of: passing.user) != nil else { return }
        ahead[passing.user] = max(ahead[passing.user] ?? passing.due, passing.due)
    }

    /// The accounts `done` have had their turn; the next ones begin at `next`, or with the next
    /// stretch.
    mutating func advance(_ done: [UserID], to next: [UInt8]?) {
        for user in done { ahead[user] = nil }
        if let next {
            stretches[0].from = next
        } else {
            stretches.removeFirst()
        }
        if stretches.isEmpty { ahead = [:] }
    }
}
