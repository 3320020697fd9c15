import Entitlements

/// The progress of a sweep.
package struct SweepReport: Hashable, Sendable {
    /// When it began.
    package internal(set) var startedAt: Moment
    /// Subscriptions examined since the sweep or the process began.
    package internal(set) var looked = 0
    /// Subscriptions asked about.
    package internal(set) var asked = 0
    /// Of those, the ones with something newer.
    package internal(set) var applied = 0
    /// Of those, the ones that the store does not know.
    package internal(set) var unknown = 0
    /// Of those, the ones with an answer that could not be used.
    package internal(set) var refused = 0

    mutating func add(_ result: Inquiry.Result) {
        asked += 1
        switch result {
        case .answered(let tally):
            if tally.applied > 0 { applied += 1 }
            if tally.refused > 0 { refused += 1 }
        case .unknown: unknown += 1
        case .refused: refused += 1
        case .unavailable: break
        }
    }
}

/// Asks about every active subscription once, and about those whose history must still be read,
/// continuing where the previous process stopped.
struct Sweep: Sendable {
    let inquiry: Inquiry
    let marks: MarksFile
    let clock: ReconcilerClock

    /// Sweeps to the end and returns nil, or returns why it was interrupted.
    ///
    /// `seen` is called after each page.
    func run(_ report: inout SweepReport, seen: (SweepReport) -> Void) async -> String? {
        let mark = marks.marks.sweep?.cursor
        var cursor = mark ?? inquiry.start
        // Where the next run goes on if the store turns out not to answer: before the failures.
        var resume = cursor
        var failures = FailureRun<SubscriptionKey>()
        while !Task.isCancelled {
            let page: [Subscription]
            do throws(BookFailure) {
                page = try await inquiry.page(after: cursor)
            } catch {
                return error.detail
            }
            guard let last = page.last else {
                // Where all that was left failed twice, the next sweep asks again.
                if let failure = failures.last, mark != resume { return failure.description }
                return await complete()
            }
            let (now, owed) = (clock.wall(), marks.marks.histories)
            let due = page.filter { $0.isSwept(at: now) || owed.contains($0.key) }
            if let detail = await ask(about: due, &report, &failures) { return detail }
            report.looked += page.count
            cursor = last.key
            // Move the mark only after the answers: everything before the mark is on disk.
            if failures.last == nil { resume = cursor }
            marks.change { [resume] in $0.sweep?.cursor = resume }
            seen(report)
        }
        return "cancelled"
    }

    /// Marks the sweep as completed; returns why it could not be.
    ///
    /// The marks forget the purchases that are not kept any more: those of erased people.
    private func complete() async -> String? {
        let owed = marks.marks.histories
        do throws(BookFailure) {
            let kept = try await inquiry.intake.book.subscriptions(of: owed.sorted()).map(\.key)
            marks.change { marks in
                marks.histories.subtract(owed.subtracting(kept))
                marks.sweep?.isCompleted = true
            }
            return nil
        } catch {
            return error.detail
        }
    }

    private func ask(
        about due: [Subscription],
        _ report: inout SweepReport,
        _ failures: inout FailureRun<SubscriptionKey>
    ) async -> String? {
        let (results, detail) = await inquiry.results(about: due, &failures)
        for (_, result) in results { report.add(result) }
        return detail
    }
}

extension Inquiry {
    /// A key before the first subscription of this store.
    var start: SubscriptionKey {
        SubscriptionKey(store: questions.store, environment: .production, originalID: "")
    }

    /// The subscriptions of this store after `key`; none at the end.
    func page(after key: SubscriptionKey?) async throws(BookFailure) -> [Subscription] {
        let page = try await intake.book.subscriptions(
            after: key,
            limit: ReconcilerLimits.pageSubscriptions
        )
        return page.filter { $0.key.store == questions.store }
    }

    /// The results of questions about `subscriptions`, of which a few are asked at the same time,
    /// and why no more were asked; nil where all were.
    ///
    /// Once the store is found not to answer, no other is asked.
    func results(
        about subscriptions: [Subscription],
        _ failures: inout FailureRun<SubscriptionKey>
    ) async -> (results: [(SubscriptionKey, Result)], detail: String?) {
        let before = failures
        let (results, detail, after) = await withTaskGroup(of: (SubscriptionKey, Result?).self) {
            group in
            var run = before
            var results: [(SubscriptionKey, Result)] = []
            var detail: String?
            var rest = subscriptions[...]
            for one in rest.prefix(ReconcilerLimits.questionsMax) {
                group.addTask { (one.key, await ask(about: one.key, kept: one, .patient)) }
            }
            rest = rest.dropFirst(ReconcilerLimits.questionsMax)
            for await (key, result) in group {
                if let result {
                    results.append((key, result))
                    if case .unavailable(let failure) = result {
                        if run.failed(failure, about: key), detail == nil {
                            detail = failure.description
                        }
                    } else {
                        run.answered()
                    }
                    if detail != nil { rest = [] }
                }
                if let one = rest.popFirst() {
                    group.addTask { (one.key, await ask(about: one.key, kept: one, .patient)) }
                }
            }
            return (results, detail, run)
        }
        failures = after
        return (results, detail)
    }
}
