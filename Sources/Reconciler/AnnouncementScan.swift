import Entitlements

/// Asks a store about what it announced while it could not be asked.
///
/// The notifications are on disk and were answered with yes, so that the store sends them no more:
/// each is asked about until the store answers, over restarts.
struct AnnouncementScan: Sendable {
    /// What a scan did.
    struct Report: Hashable, Sendable {
        /// Notifications of which the store was asked.
        var asked = 0
        /// Of those, the ones that were news.
        var applied = 0
        /// Why it was broken off; nil where it came to the end.
        var detail: String?
    }

    let inquiry: Inquiry

    /// Asks about all that wait.
    func run() async -> Report {
        var report = Report()
        do throws(BookFailure) {
            for notification in try await inquiry.intake.book.announced(by: inquiry.questions.store)
            {
                guard !Task.isCancelled, let hint = notification.announcement?.hint else { break }
                let facts: [Fact]
                switch await answer(to: hint) {
                case .success(let stated): facts = stated
                case .failure(let failure):
                    report.detail = failure.description
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

    /// What the store states; nothing where it will say the same for ever.
    private func answer(to hint: PurchaseHint) async -> Result<[Fact], StoreAPIFailure> {
        do throws(StoreAPIFailure) {
            let answer = try await inquiry.clients.firstAnswer(.patient) {
                inquiry.questions.purchase(hint, in: $0)
            }
            guard case .stated(let facts) = answer else { return .success([]) }
            return .success(facts)
        } catch {
            switch error.kind {
            case .unknown, .refused, .malformed: return .success([])
            case .unauthorized, .limited, .unreachable, .pagingExpired, .uncertain, .cancelled:
                return .failure(error)
            }
        }
    }
}
