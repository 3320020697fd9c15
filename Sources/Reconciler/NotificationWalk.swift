import Entitlements

/// The result of a walk through the notification history.
package struct WalkReport: Hashable, Sendable {
    /// Whether only failed deliveries were walked through.
    package let onlyFailures: Bool
    /// The time whose notifications were read.
    package let window: Range<Moment>
    /// Whether the walk reached the end, and everything was verified and stored.
    package internal(set) var isCompleted = false
    /// Pages read.
    package internal(set) var pages = 0
    /// Notifications in them.
    package internal(set) var documents = 0
    /// Of those, the ones with something newer.
    package internal(set) var applied = 0
    /// Of those, the ones that do not verify.
    package internal(set) var refused = 0
    /// Why it was not completed; empty if it was.
    package internal(set) var detail = ""
}

/// One walk through the notification history of one scope of a store.
///
/// It is completed when it has read the last page and everything was verified and stored. A
/// document that does not verify, or something that may not be asked about, does not end the walk,
/// so the later ones are still recovered.
struct NotificationWalk: Sendable {
    let client: ScopeClient
    let intake: Intake
    let onlyFailures: Bool

    /// The time that a walk at `now` reads: from the start of the last completed walk, minus the
    /// time during which the store repeats deliveries, but no further back than the history
    /// reaches.
    static func window(
        since last: Moment?,
        _ reach: StoreReach,
        at now: Moment
    ) -> Range<Moment> {
        let oldest = now.advanced(byMilliseconds: reach.marginMilliseconds - reach.milliseconds)
        guard let last else { return oldest..<now }
        // A mark in the future was written before the clock was corrected; it counts as now.
        let start = min(last, now).advanced(byMilliseconds: -reach.overlapMilliseconds)
        return max(oldest, start)..<now
    }

    /// Walks through `window`, beginning with the page that `first` asks for.
    ///
    /// `seen` is called at the beginning and after each page.
    func run(
        _ first: StoreQuestion<StoreStatement>,
        _ window: Range<Moment>,
        seen: (WalkReport) -> Void
    ) async -> WalkReport {
        var report = WalkReport(onlyFailures: onlyFailures, window: window)
        var question = first
        var restarts = 0
        var isPartial = false
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
            isPartial = isPartial || page.isPartial
            seen(report)
            if let failure = tally.bookFailure {
                report.detail = failure.detail
                return report
            }
            guard let next = page.next else {
                report.isCompleted = report.refused == 0 && !isPartial
                if isPartial { report.detail = "something that may not be asked about" }
                if report.refused > 0 { report.detail = "documents that do not verify" }
                return report
            }
            question = next
        } while report.pages < ReconcilerLimits.walkPagesMax
        report.detail = "more pages than a history has"
        return report
    }
}
