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
    let clock: ReconcilerClock

    /// Asks about all waiting notifications, those first that have failed least.
    ///
    /// A hint does not say in which environment the purchase is, so a key or a server that refuses
    /// may be the one of tests: what failed goes behind what did not.
    func run(_ retries: inout Retries<NotificationID>) async -> Report {
        var report = Report()
        var failures = FailureRun<PurchaseHint>()
        do throws(BookFailure) {
            let waiting = try await inquiry.intake.book.announced(by: inquiry.questions.store)
            retries.keep(Set(waiting.map(\.notification.id)))
            for one in turns(of: waiting, retries) {
                let notification = one.notification
                guard !Task.isCancelled, let hint = notification.announcement?.hint else { break }
                let facts: [Fact]
                switch await answer(to: hint, received: one.received) {
                case .success(let stated):
                    facts = stated
                    failures.answered()
                    retries.answered(notification.id)
                case .failure(let failure) where failure.kind == .unknown:
                    failures.answered()
                    retries.failed(notification.id, at: clock.monotonic())
                    continue
                case .failure(let failure):
                    report.detail = failure.description
                    retries.failed(notification.id, at: clock.monotonic())
                    // Another question can perhaps be answered, and the answer be read: a key that
                    // may not read charges may read subscriptions.
                    let isItsOwn = failure.kind == .malformed || failure.kind == .forbidden
                    if isItsOwn { continue }
                    if failures.failed(failure, about: hint, isOfOneScope: false) { return report }
                    continue
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

    /// Those about which the store is to be asked now, in their order.
    private func turns(
        of waiting: [WaitingNotification],
        _ retries: Retries<NotificationID>
    ) -> [WaitingNotification] {
        waiting.enumerated()
            .map { (failed: retries.failures(of: $1.notification.id), place: $0, one: $1) }
            .sorted { ($0.failed, $0.place) < ($1.failed, $1.place) }
            .map(\.one)
            .filter { !retries.isResting($0.notification.id, at: clock.monotonic()) }
    }

    /// The facts that the store states; none if it gives a final answer without facts, such as a
    /// refusal.
    ///
    /// That it does not know the purchase is final only some time after it was announced.
    private func answer(
        to hint: PurchaseHint,
        received: Moment
    ) async -> Result<[Fact], StoreAPIFailure> {
        do throws(StoreAPIFailure) {
            let answer = try await inquiry.purchase(hint, .patient)
            guard case .stated(let facts) = answer else { return .success([]) }
            return .success(facts)
        } catch {
            switch error.kind {
            case .refused: return .success([])
            case .unknown where isOld(since: received):
                inquiry.intake.report(.warned(detail: Self.unknown))
                return .success([])
            case .unknown, .unauthorized, .forbidden, .limited, .unreachable, .malformed,
                .pagingExpired, .uncertain, .cancelled:
                return .failure(error)
            }
        }
    }

    /// Whether all of the store's servers have had enough time to hear of it; a clock that was set
    /// back must not prolong that.
    private func isOld(since received: Moment) -> Bool {
        let age = clock.wall().milliseconds(since: received)
        return abs(age) >= ReconcilerLimits.unknownMilliseconds
    }

    private static let unknown =
        "a notification was about a purchase that the store does not know, and waits no longer"
}
