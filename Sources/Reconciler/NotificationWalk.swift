import Entitlements

/// How a walk through the notification history went.
package struct WalkReport: Hashable, Sendable {
    /// Whether only failed deliveries were walked through.
    package let onlyFailures: Bool
    /// What was walked through.
    package let window: Range<Moment>
    /// Whether it came to the end and everything verified and was kept.
    package internal(set) var isCompleted = false
    /// Pages read.
    package internal(set) var pages = 0
    /// Notifications in them.
    package internal(set) var documents = 0
    /// Of those, the ones with something newer.
    package internal(set) var applied = 0
    /// Of those, the ones that do not verify.
    package internal(set) var refused = 0
    /// Why it was not completed; empty where it was.
    package internal(set) var detail = ""

    init(onlyFailures: Bool, window: Range<Moment>) {
        self.onlyFailures = onlyFailures
        self.window = window
    }
}

/// One walk through what one scope of a store had to say.
///
/// It is completed when it came to the last page and everything in it verified and was kept.
/// A document that does not verify does not end it: what follows is recovered all the same.
struct NotificationWalk: Sendable {
    let client: ScopeClient
    let intake: Intake
    let onlyFailures: Bool

    /// What a walk at `now` goes through: since the start of the last completed one, minus the time
    /// for which the store repeats, as far as it reaches.
    static func window(
        since last: Moment?,
        _ reach: StoreReach,
        at now: Moment
    ) -> Range<Moment> {
        let oldest = now.advanced(byMilliseconds: reach.marginMilliseconds - reach.milliseconds)
        guard let last else { return oldest..<now }
        // A mark from the future, written before the clock was put right, counts as now.
        let start = min(last, now).advanced(byMilliseconds: -reach.overlapMilliseconds)
        return max(oldest, start)..<now
    }

    /// Walks through `window` from the page that `first` asks for; `seen` is told at first and
    /// after each page.
    func run(
        _ first: StoreQuestion<StoreStatement>,
        _ window: Range<Moment>,
        seen: (WalkReport) -> Void
    ) async -> WalkReport {
        var report = WalkReport(onlyFailures: onlyFailures, window: window)
        var question = first
        var restarts = 0
        seen(report)
        repeat {
            let page: StoreStatement
            do throws(StoreAPIFailure) {
                page = try await client.answer(to: question, .patient)
            } catch {
                let isForgotten = error.kind == .pagingExpired
                guard isForgotten, restarts < ReconcilerLimits.walkRestartsMax else {
                    report.detail = error.description
                    return report
                }
                restarts += 1
                question = first
                continue
            }
            let tally = await intake.take(page, of: client.scope.environment)
            report.pages += 1
            report.documents += tally.documents
            report.applied += tally.applied
            report.refused += tally.refused
            seen(report)
            if let failure = tally.bookFailure {
                report.detail = failure.detail
                return report
            }
            guard let next = page.next else {
                report.isCompleted = report.refused == 0
                if !report.isCompleted { report.detail = "documents that do not verify" }
                return report
            }
            question = next
        } while report.pages < ReconcilerLimits.walkPagesMax
        report.detail = "more pages than a history has"
        return report
    }
}
