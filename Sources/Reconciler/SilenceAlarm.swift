import Entitlements

/// Tells when the store has gone silent against expectation.
///
/// That is: nothing was heard for three times the usual interval and at least 6 h, while 20
/// renewals were due of which nothing was heard either. The usual interval is the mean of the last
/// ones, so that a burst does not make every pause long.
struct SilenceAlarm: Sendable {
    private var heard: [Moment]
    private var renewalsDue = 0

    /// An alarm that counts its beginning as heard.
    init(at now: Moment) { heard = [now] }

    /// A notification came in at `now`.
    mutating func hear(at now: Moment) {
        // A clock that was set back tells nothing about intervals.
        if let last = heard.last, now < last { heard = [] }
        if heard.count > ReconcilerLimits.silenceIntervalsKept { heard.removeFirst() }
        heard.append(now)
        renewalsDue = 0
    }

    /// A renewal was due, and nothing was heard of it.
    mutating func miss() { renewalsDue = min(renewalsDue + 1, ReconcilerLimits.silenceRenewals) }

    /// Renewals of which nothing was heard since the last notification; counted up to 20.
    var missed: Int { renewalsDue }

    /// Whether the store has gone silent.
    func isSilent(at now: Moment) -> Bool {
        guard renewalsDue >= ReconcilerLimits.silenceRenewals, let last = heard.last else {
            return false
        }
        return now >= last.advanced(byMilliseconds: longestMilliseconds)
    }

    private var longestMilliseconds: Int64 {
        guard let first = heard.first, let last = heard.last, heard.count > 1 else {
            return ReconcilerLimits.silenceMilliseconds
        }
        let span = last.milliseconds - first.milliseconds
        let usual = span / Int64(heard.count - 1)
        return max(
            ReconcilerLimits.silenceIntervals * usual,
            ReconcilerLimits.silenceMilliseconds
        )
    }
}
