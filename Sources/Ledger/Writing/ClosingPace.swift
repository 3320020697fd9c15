/// Decides when the writer makes an empty append: after a short idle time, and at least once a
/// second while groups come.
///
/// An empty append lets the journal flush what no answer waits for, such as the proof of the last
/// group. Doing this with every group would cost a second flush. After a loss of power, the proof
/// may be older than the last groups; each group also proves the groups before it.
struct ClosingPace {
    /// The number of groups at the last empty append.
    private var closed = 0
    /// When the first group after it was seen.
    private var since: ContinuousClock.Instant?

    /// How long to wait for commands: `milliseconds`, or less while an empty append is due soon.
    func patience(_ milliseconds: Int64?, after appended: Int) -> Int64? {
        guard appended != closed else { return milliseconds }
        return min(milliseconds ?? .max, LedgerLimits.proofIdleMilliseconds)
    }

    /// Whether an empty append is due after `appended` groups.
    mutating func isDue(after appended: Int, isIdle: Bool) -> Bool {
        guard appended != closed else { return false }
        let now = ContinuousClock.now
        let first = since ?? now
        since = first
        let isOld = now - first >= .milliseconds(LedgerLimits.proofAgeMilliseconds)
        guard isIdle || isOld else { return false }
        (closed, since) = (appended, nil)
        return true
    }
}
