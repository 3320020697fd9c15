import Entitlements

extension LedgerReader {
    /// The past of `user`, at the milestone from which `place` is reached by few steps.
    ///
    /// - Throws: `.damaged` where an entry cannot be read, `.gone` where it was pruned meanwhile.
    package func past(of user: UserID, before place: UInt64 = 0) throws(LedgerFailure) -> Past {
        do {
            return try Past(
                HistoryTrail(of: user, self),
                numbering: try numbering(),
                before: place
            )
        } catch {
            throw met(error)
        }
    }

    /// Answers what `body` does, which reads histories; again where segments of the journal were
    /// replaced or removed meanwhile, and what was read may be of two states.
    package func settled<Value>(
        _ body: () throws(LedgerFailure) -> Value
    ) throws(LedgerFailure) -> Value {
        defer { forgetJournal() }
        var triesLeft = LedgerLimits.historyTriesMax
        while true {
            triesLeft -= 1
            let border = base.seq
            do throws(LedgerFailure) {
                let value = try body()
                if triesLeft == 0 || !isJournalOutdated { return value }
            } catch {
                guard case .gone = error, triesLeft > 0, base.seq > border || isJournalOutdated
                else { throw error }
            }
        }
    }

    /// Hands everything that the journal tells of `user` behind `place` to `visit`, oldest first,
    /// until that answers false.
    ///
    /// What was heard of a purchase before it was the user's is told before the step that made it
    /// theirs, and what an account did that went into the user's before the step of that.
    /// `purchases`, asked only where a token was claimed, answers all that are: an account
    /// lists no more than a row has room for.
    package func tell(
        of user: UserID,
        after place: HistoryPlace?,
        owning purchases: () throws(LedgerFailure) -> Set<SubscriptionKey>,
        to visit: (HistoryPlace, HistoryStep) -> Bool
    ) throws(LedgerFailure) {
        do {
            let trail = try HistoryTrail(of: user, self)
            // The step of the place may have more to tell.
            var read = place.map { max($0.step, 1) - 1 } ?? 0
            while let window = try trail.window(after: read) {
                for step in window.steps where step.seq > read {
                    var told: [UInt64: HistoryStep] = [step.seq: step]
                    var owned = Set(window.purchases)
                    for case .tokenClaimed(_, user) in step.events {
                        owned.formUnion(try purchases())
                    }
                    for case .accountsMerged(let merge) in step.events where merge.into == user {
                        for one in try stepsOfFormer(merge.from) where one.seq < step.seq {
                            told[one.seq] = one
                        }
                    }
                    for one in try trail.stepsTold(with: step, among: owned)
                    where told[one.seq] == nil { told[one.seq] = one }
                    for seq in told.keys.sorted() {
                        let here = HistoryPlace(step: step.seq, seq: seq)
                        guard place.map({ $0 < here }) ?? true, let one = told[seq] else {
                            continue
                        }
                        if !visit(here, one) { return }
                    }
                }
                read = window.steps.last?.seq ?? .max
            }
        } catch {
            throw met(error)
        }
    }
}

extension LedgerReader {
    /// Everything that the journal tells of an account that went into another, oldest first; with
    /// what it tells of those that went into that one before.
    private func stepsOfFormer(_ user: UserID) throws -> [HistoryStep] {
        let trail = try HistoryTrail(of: user, self)
        var told: [UInt64: HistoryStep] = [:]
        var read: UInt64 = 0
        while let window = try trail.window(after: read) {
            for step in window.steps where step.seq > read {
                for case .accountsMerged(let merge) in step.events where merge.into == user {
                    for one in try stepsOfFormer(merge.from) { told[one.seq] = one }
                }
                for one in try trail.stepsTold(with: step, among: Set(window.purchases)) {
                    told[one.seq] = one
                }
                told[step.seq] = step
            }
            read = window.steps.last?.seq ?? .max
        }
        return told.values.sorted { $0.seq < $1.seq }
    }
}

extension HistoryTrail {
    /// What was heard before of purchases that a step made the user's.
    fileprivate func stepsTold(
        with step: HistoryStep,
        among owned: Set<SubscriptionKey>
    ) throws -> [HistoryStep] {
        try step.purchases(among: owned, gainedBy: user)
            .flatMap { try earlierSteps(of: $0, before: step) }
    }
}

extension HistoryStep {
    /// The purchases that may be the user's since this step, `owned` or named in it, and were there
    /// before.
    fileprivate func purchases(
        among owned: Set<SubscriptionKey>,
        gainedBy user: UserID
    ) -> Set<SubscriptionKey> {
        var keys = owned
        for event in events {
            if case .linked(let key, user, _) = event { keys.insert(key) }
            if case .shared(let key, user) = event { keys.insert(key) }
        }
        return keys.filter { (links.previous(of: ChainLink.subject(of: $0)) ?? 0) > 0 }
    }
}
