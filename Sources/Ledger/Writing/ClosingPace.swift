/// When an empty append gives the journal time for what no answer waited for: once nothing has come
/// for a while, and at least once a second.
///
/// With each group it would cost a second flush. What a loss of power takes of it is made up for by
/// the groups themselves, each of which proves those before it.
struct ClosingPace {
    /// Groups that were appended when the last such append was made.
    private var closed = 0
    /// When the first group behind it was seen.
    private var since: ContinuousClock.Instant?

    /// How long to wait for commands: as long as for everything else, or until nothing has come for
    /// a while.
    func patience(_ milliseconds: Int64?, after appended: Int) -> Int64? {
        guard appended != closed else { return milliseconds }
        return min(milliseconds ?? .max, LedgerLimits.proofIdleMilliseconds)
    }

    /// Whether it is due behind so many groups.
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
