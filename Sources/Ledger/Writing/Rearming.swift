import Entitlements

/// The accounts whose alarms are still to be set anew, because another catalog may have moved the
/// moments at which they change.
///
/// Ends are told of meanwhile, each once:
///  - R1. The alarms of an account that does not wait here lead to every moment to come.
///  - R2. Those of one that waits may lack moments behind `told(of:)`. They are set when its turn
///    comes, or when one of its alarms fires before that; of earlier ones nothing is told again.
struct Rearming {
    /// Accounts that stand behind one another in the order of their keys.
    private struct Stretch {
        var from: [UInt8]
        /// Where the next stretch or the end begins; nil for the end of the table.
        var to: [UInt8]?
        /// Everything was told of them up to here.
        var told: Moment

        func holds(_ key: [UInt8]) -> Bool {
            !key.lexicographicallyPrecedes(from)
                && (to.map { key.lexicographicallyPrecedes($0) } ?? true)
        }
    }

    /// Disjoint and in the order of their keys.
    private var stretches: [Stretch] = []
    /// Accounts that wait and of which more was told than of their stretch.
    private var ahead: [UserID: Moment] = [:]
    private let aheadMax: Int

    init(aheadMax: Int = LedgerLimits.rearmedAheadMax) { self.aheadMax = aheadMax }

    /// Whether nobody waits.
    var isDone: Bool { stretches.isEmpty }

    /// Whether moments may be told of before the next accounts have had their turn.
    var hasRoom: Bool { ahead.count < aheadMax }

    /// Whether one more catalog can come before some accounts have had their turn.
    var takesMore: Bool { stretches.count < LedgerLimits.rearmingStretchesMax }

    /// Whose turn is next: those from a key on, up to another one or to the end.
    var next: (from: [UInt8], to: [UInt8]?)? { stretches.first.map { ($0.from, $0.to) } }

    /// Up to when everything was told of `user`; nil for one that does not wait.
    func told(of user: UserID) -> Moment? {
        let key = AccountRow.bytes(of: user)
        guard let stretch = stretches.first(where: { $0.holds(key) }) else { return nil }
        return max(stretch.told, ahead[user] ?? stretch.told)
    }

    /// Has every account wait, because another catalog came, or the clock was set back.
    ///
    /// - Parameter moment: nothing up to then is told again of those that do not wait yet. Of the
    ///   others nothing is told again that was told, and nothing is left out.
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

    /// Notes that `passing` was told of, or looked at.
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
