import Entitlements

/// Sends a store the acknowledgements that it requires, such as that a purchase was delivered.
///
/// Whether a purchase still needs one is stored with the purchase on disk, so a restart forgets
/// nothing. The store answers with the purchase's whole state again, so an acknowledgement that is
/// sent twice or lost does no harm.
struct AcknowledgementScan: Sendable {
    /// The result of a scan.
    struct Report: Hashable, Sendable {
        /// Purchases that were acknowledged.
        var told = 0
        /// Purchases whose acknowledgement the store refused.
        var refused = 0
        /// The purchases that still need an acknowledgement.
        var unheard = Unheard()
        /// How long the store took to answer, in milliseconds.
        var askedMilliseconds: Int64 = 0
        /// Why the scan stopped early; nil if it was completed.
        var detail: String?
    }

    let inquiry: Inquiry
    let clock: ReconcilerClock

    /// Examines every purchase of the store once.
    func run() async -> Report {
        var report = Report()
        var failures = FailureRun()
        var cursor = inquiry.start
        while !Task.isCancelled, report.detail == nil {
            do throws(BookFailure) {
                let page = try await inquiry.page(after: cursor)
                guard let last = page.last else { break }
                for purchase in page where report.detail == nil {
                    await tell(purchase, &report, &failures)
                }
                cursor = last.key
            } catch {
                report.detail = error.detail
            }
        }
        // Perhaps the store answers soon.
        report.detail = report.detail ?? failures.last?.description
        return report
    }

    private func tell(
        _ purchase: Subscription,
        _ report: inout Report,
        _ failures: inout FailureRun
    ) async {
        let named = inquiry.intake.book.role(of: purchase)
        let role = purchase.owner == nil ? nil : named
        let questions = inquiry.questions
        let scopes = questions.scopes(of: purchase.key)
        for client in inquiry.clients where scopes.contains(client.scope) {
            let question = questions.acknowledgement(
                of: purchase,
                packs: named == .pack ? inquiry.intake.book.packs(in: purchase) : [],
                in: client.scope
            )
            guard let question else { continue }
            guard role != nil else {
                report.unheard.unclaimed += 1
                report.unheard.note(purchase)
                return
            }
            let began = clock.monotonic()
            defer { report.askedMilliseconds += clock.monotonic() - began }
            do throws(StoreAPIFailure) {
                let stated = try await client.answer(to: question, .patient)
                let tally = await inquiry.intake.take(stated, of: purchase.key.environment)
                report.told += 1
                failures.answered()
                report.detail = tally.bookFailure?.detail
            } catch {
                report.unheard.untold += 1
                report.unheard.note(purchase)
                switch error.kind {
                case .unknown, .forbidden, .refused, .malformed, .pagingExpired, .uncertain:
                    report.refused += 1
                    failures.answered()
                case .unauthorized, .limited, .unreachable, .cancelled:
                    if failures.failed(error) { report.detail = error.description }
                }
            }
            return
        }
    }
}

/// Purchases that still need an acknowledgement; without one the store refunds them after a while.
package struct Unheard: Hashable, Sendable {
    /// Purchases whose acknowledgement could not be sent.
    package internal(set) var untold = 0
    /// Purchases without an owner, or that the catalog does not name; these are not acknowledged.
    package internal(set) var unclaimed = 0
    /// When the oldest of these purchases was bought.
    package internal(set) var since: Moment?

    mutating func note(_ purchase: Subscription) {
        guard let bought = purchase.transactions.last?.purchased else { return }
        since = min(since ?? bought, bought)
    }
}
