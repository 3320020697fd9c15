import Entitlements
import Journal

extension Desk {
    /// Compares the milestones of an entry with the records that the replay made up to that entry.
    ///
    /// `exactly` is false if somebody was erased: pseudonyms may sort differently from the names
    /// that they replaced, so a list that is full may have kept other elements.
    func compare(
        withMilestonesOf entry: JournalEntry,
        exactly: Bool,
        _ report: inout VerificationReport
    ) throws {
        guard EntryBody.keepsMilestones(entry) else { return }
        for milestone in try EntryBody.content(of: entry).milestones {
            let agrees =
                switch milestone.kind {
                case .account(let account, let places):
                    agree(with: account, places, at: entry.seq, exactly: exactly)
                case .subscription(let subscription): agree(with: subscription, exactly: exactly)
                }
            guard !agrees else { continue }
            report.differ("journal: entry \(entry.seq) keeps a record that was another one")
        }
    }

    private func agree(
        with kept: Account,
        _ places: [UInt64],
        at seq: UInt64,
        exactly: Bool
    ) -> Bool {
        guard accounts.isLaid(kept.user) else { return true }
        guard var account = accounts[kept.user] else { return false }
        var kept = kept
        kept.chain.mark(at: seq)
        account.firstAnswers = []
        for (key, place) in zip(kept.subscriptions, places)
        where subscriptions.isLaid(key) && (subscriptions[key]?.lastSeq ?? 0) != place {
            return false
        }
        if exactly { return account == kept }
        return account.lastSeq == kept.lastSeq && account.chain == kept.chain
            && account.opened == kept.opened && account.purse.buckets == kept.purse.buckets
            && account.purse.holds == kept.purse.holds && account.purse.debt == kept.purse.debt
            && account.answer.credits == kept.answer.credits
            && account.answer.flags == kept.answer.flags
            && account.subscriptions.count == kept.subscriptions.count
    }

    private func agree(with kept: Subscription, exactly: Bool) -> Bool {
        guard subscriptions.isLaid(kept.key) else { return true }
        guard let subscription = subscriptions[kept.key] else { return false }
        var left = kept
        left.since = 0
        if exactly { return subscription == left }
        return subscription.lastSeq == left.lastSeq && subscription.since == left.since
            && subscription.everEntitled == left.everEntitled
            && subscription.status == left.status
    }
}
