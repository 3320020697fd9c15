import Journal

/// When the proof of the journal's last group goes to the disk: once nothing has come for a while,
/// and at least once a second.
///
/// With each group it would cost a second flush. What a loss of power takes of it is made up for by
/// the groups themselves, each of which proves those before it.
struct ProofPace {
    /// When the first group was seen whose proof is not on the disk.
    private var since: ContinuousClock.Instant?

    /// How long to wait for commands: as long as for everything else, or until nothing has come for
    /// a while.
    func patience(_ milliseconds: Int64?, _ journal: Journal) -> Int64? {
        guard journal.hasUnflushedProof else { return milliseconds }
        return min(milliseconds ?? .max, LedgerLimits.proofIdleMilliseconds)
    }

    /// Flushes the proof where it is due; answers why nothing can be written any more.
    mutating func step(_ journal: Journal, isIdle: Bool) -> LedgerFailure? {
        guard journal.hasUnflushedProof else {
            since = nil
            return nil
        }
        let now = ContinuousClock.now
        let first = since ?? now
        since = first
        let isOld = now - first >= .milliseconds(LedgerLimits.proofAgeMilliseconds)
        guard isIdle || isOld else { return nil }
        since = nil
        do throws(JournalFailure) { try journal.flushProof() } catch { return LedgerFailure(error) }
        return nil
    }
}
