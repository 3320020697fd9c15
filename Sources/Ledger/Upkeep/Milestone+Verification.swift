import Entitlements
import Journal

/// How much a milestone must have in common with the record that the replay made.
enum MilestoneLikeness {
    /// Everything.
    case exact
    /// What names cannot change, because somebody was erased: pseudonyms may sort differently from
    /// the names that they replaced, so a list that is full may have kept other elements.
    case besideNames
    /// What rules cannot change, because other ones may have made the record.
    case besideRules
}

extension Desk {
    /// Compares the milestones of an entry with the records that the replay made up to that entry.
    func compare(
        withMilestonesOf entry: JournalEntry,
        _ likeness: MilestoneLikeness,
        _ report: inout VerificationReport
    ) throws {
        guard EntryBody.keepsMilestones(entry) else { return }
        for milestone in try EntryBody.content(of: entry).milestones {
            let agrees =
                switch milestone.kind {
                case .account(let account, let places):
                    agree(with: account, places, at: entry.seq, likeness)
                case .subscription(let subscription): agree(with: subscription, likeness)
                }
            guard !agrees else { continue }
            report.differ("journal: entry \(entry.seq) keeps a record that was another one")
        }
    }

    private func agree(
        with kept: Account,
        _ places: [UInt64],
        at seq: UInt64,
        _ likeness: MilestoneLikeness
    ) -> Bool {
        guard accounts.isLaid(kept.user) else { return true }
        guard var account = accounts[kept.user] else { return false }
        if likeness == .besideRules { return account.agreesBesideRules(with: kept) }
        var kept = kept
        kept.chain.mark(at: seq)
        account.firstAnswers = []
        for (key, place) in zip(kept.subscriptions, places)
        where subscriptions.isLaid(key) && (subscriptions[key]?.lastSeq ?? 0) != place {
            return false
        }
        if likeness == .exact { return account == kept }
        return account.lastSeq == kept.lastSeq && account.chain == kept.chain
            && account.opened == kept.opened && account.purse.buckets == kept.purse.buckets
            && account.purse.holds == kept.purse.holds && account.purse.debt == kept.purse.debt
            && account.answer.credits == kept.answer.credits
            && account.answer.flags == kept.answer.flags
            && account.subscriptions.count == kept.subscriptions.count
    }

    private func agree(with kept: Subscription, _ likeness: MilestoneLikeness) -> Bool {
        guard subscriptions.isLaid(kept.key) else { return true }
        guard let subscription = subscriptions[kept.key] else { return false }
        if likeness == .besideRules { return true }
        var left = kept
        left.since = 0
        if likeness == .exact { return subscription == left }
        return subscription.lastSeq == left.lastSeq && subscription.since == left.since
            && subscription.everEntitled == left.everEntitled
            && subscription.status == left.status
    }
}
