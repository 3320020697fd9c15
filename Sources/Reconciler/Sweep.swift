import Entitlements

/// How a sweep goes.
package struct SweepReport: Hashable, Sendable {
    /// When it began.
    package internal(set) var startedAt: Moment
    /// Subscriptions looked at since the process began, or the sweep.
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

/// Asks about every active subscription once, from where the last process left off.
struct Sweep: Sendable {
    let inquiry: Inquiry
    let book: any ReconciledBook
    let marks: MarksFile
    let clock: ReconcilerClock

    /// Goes on to the end; answers nil there, or why it rests.
    ///
    /// `seen` is told after each page.
    func run(_ report: inout SweepReport, seen: (SweepReport) -> Void) async -> String? {
        var cursor = marks.marks.sweep?.cursor
        while !Task.isCancelled {
            let page: [Subscription]
            do throws(BookFailure) {
                page = try await book.subscriptions(
                    after: cursor,
                    limit: ReconcilerLimits.pageSubscriptions
                )
            } catch {
                return error.detail
            }
            guard let last = page.last else {
                marks.change { $0.sweep?.isCompleted = true }
                return nil
            }
            let now = clock.wall()
            let keys = page.filter { $0.isSwept(at: now) }.map(\.key)
            if let detail = await ask(about: keys, &report) { return detail }
            report.looked += page.count
            cursor = last.key
            // Behind the answers: what the mark has passed is on disk.
            marks.change { $0.sweep?.cursor = last.key }
            seen(report)
        }
        return "cancelled"
    }

    private func ask(about keys: [SubscriptionKey], _ report: inout SweepReport) async -> String? {
        var detail: String?
        for (_, result) in await inquiry.results(about: keys) {
            report.add(result)
            if case .unavailable(let failure) = result { detail = detail ?? failure.description }
        }
        return detail
    }
}

extension Inquiry {
    /// What comes of questions about `keys`, a few of them under way at once.
    ///
    /// After the first that finds the store unavailable no other is asked.
    func results(about keys: [SubscriptionKey]) async -> [(SubscriptionKey, Result)] {
        await withTaskGroup(of: (SubscriptionKey, Result?).self) { group in
            var results: [(SubscriptionKey, Result)] = []
            var rest = keys[...]
            for key in rest.prefix(ReconcilerLimits.questionsMax) {
                group.addTask { (key, await ask(about: key, .patient)) }
            }
            rest = rest.dropFirst(ReconcilerLimits.questionsMax)
            for await (key, result) in group {
                if let result {
                    results.append((key, result))
                    if case .unavailable = result { rest = [] }
                }
                if let key = rest.popFirst() {
                    group.addTask { (key, await ask(about: key, .patient)) }
                }
            }
            return results
        }
    }
}
