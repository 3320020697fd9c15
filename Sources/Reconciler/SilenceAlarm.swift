import Entitlements

/// Detects that a store is unexpectedly silent.
///
/// A store is silent if no notification came for three times the usual interval and at least 6 h,
/// while 20 renewals were due without a message. The usual interval is the mean of the last ones,
/// so that after a burst an ordinary pause does not seem long.
struct SilenceAlarm: Sendable {
    private var heard: [Moment]
    private var renewalsDue = 0

    /// Creates an alarm that counts the present moment as a notification.
    init(at now: Moment) { heard = [now] }

    /// Notes a notification at `now`.
    mutating func hear(at now: Moment) {
        // After the clock was set back, the intervals are unknown.
        if let last = heard.last, now < last { heard = [] }
        if heard.count > ReconcilerLimits.silenceIntervalsKept { heard.removeFirst() }
        heard.append(now)
        renewalsDue = 0
    }

    /// Notes that a renewal was due and no message came.
    mutating func miss() { renewalsDue = min(renewalsDue + 1, ReconcilerLimits.silenceRenewals) }

    /// Due renewals without a message since the last notification; counted up to 20.
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
