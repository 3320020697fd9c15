import Entitlements

/// Asks a store about notifications that came while the store did not answer questions.
///
/// These notifications are on disk and were accepted, so the store does not send them again. Each
/// is asked about until the store answers, also after a restart.
struct AnnouncementScan: Sendable {
    /// The result of a scan.
    struct Report: Hashable, Sendable {
        /// Notifications about which the store was asked.
        var asked = 0
        /// Of those, the ones with something newer.
        var applied = 0
        /// Why the scan stopped early; nil if it was completed.
        var detail: String?
    }

    let inquiry: Inquiry

    /// Asks about all waiting notifications.
    func run() async -> Report {
        var report = Report()
        var failures = FailureRun()
        do throws(BookFailure) {
            for notification in try await inquiry.intake.book.announced(by: inquiry.questions.store)
            {
                guard !Task.isCancelled, let hint = notification.announcement?.hint else { break }
                let facts: [Fact]
                switch await answer(to: hint) {
                case .success(let stated):
                    facts = stated
                    failures.answered()
                case .failure(let failure):
                    report.detail = failure.description
                    // Another question can perhaps be answered, and the answer be read: a key that
                    // may not read charges may read subscriptions.
                    let isItsOwn = failure.kind == .malformed || failure.kind == .forbidden
                    if isItsOwn || !failures.failed(failure) { continue }
                    return report
                }
                report.asked += 1
                let reception = try await inquiry.intake.book.take(notification.stating(facts))
                if reception == .applied { report.applied += 1 }
            }
        } catch {
            report.detail = error.detail
        }
        return report
    }

    /// The facts that the store states; none if it gives a final answer without facts, such as a
    /// refusal.
    private func answer(to hint: PurchaseHint) async -> Result<[Fact], StoreAPIFailure> {
        do throws(StoreAPIFailure) {
            let answer = try await inquiry.purchase(hint, .patient)
            guard case .stated(let facts) = answer else { return .success([]) }
            return .success(facts)
        } catch {
            switch error.kind {
            case .unknown, .refused: return .success([])
            case .unauthorized, .forbidden, .limited, .unreachable, .malformed, .pagingExpired,
                .uncertain, .cancelled:
                return .failure(error)
            }
        }
    }
}
