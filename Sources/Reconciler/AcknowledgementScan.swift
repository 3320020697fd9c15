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
        /// Why the last of those was refused.
        var refusal: String?
    }

    let inquiry: Inquiry
    let clock: ReconcilerClock

    /// Examines every purchase of the store once.
    ///
    /// A purchase whose acknowledgement fails by itself rests, so that others have their turn.
    func run(_ retries: inout Retries<SubscriptionKey>) async -> Report {
        var report = Report()
        var failures = FailureRun<SubscriptionKey>()
        var cursor = inquiry.start
        while !Task.isCancelled, report.detail == nil {
            do throws(BookFailure) {
                let page = try await inquiry.page(after: cursor)
                guard let last = page.last else { break }
                for purchase in page where report.detail == nil {
                    await tell(purchase, &report, &failures, &retries)
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
        _ failures: inout FailureRun<SubscriptionKey>,
        _ retries: inout Retries<SubscriptionKey>
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
            if retries.isResting(purchase.key, at: began) {
                report.unheard.untold += 1
                report.unheard.note(purchase)
                return
            }
            do throws(StoreAPIFailure) {
                let stated = try await client.answer(to: question, .patient)
                let tally = await inquiry.intake.take(stated, of: purchase.key.environment)
                failures.answered()
                report.detail = tally.bookFailure?.detail
                if report.detail == nil, await isStillWanted(purchase, in: client.scope) {
                    throw StoreAPIFailure(.refused, "the store wants to hear of it still")
                }
                report.told += 1
                retries.answered(purchase.key)
            } catch {
                report.unheard.untold += 1
                report.unheard.note(purchase)
                retries.failed(purchase.key, at: clock.monotonic())
                switch error.kind {
                case .unknown, .forbidden, .refused, .malformed, .pagingExpired, .uncertain:
                    report.refused += 1
                    report.refusal = error.description
                    failures.answered()
                case .unauthorized, .limited, .unreachable, .cancelled:
                    let isStores = failures.failed(
                        error,
                        about: purchase.key,
                        isOfOneScope: false
                    )
                    if isStores { report.detail = error.description }
                }
            }
            return
        }
    }

    /// Whether the store has answered, and its answer says that it has not heard of the purchase.
    private func isStillWanted(_ purchase: Subscription, in scope: StoreScope) async -> Bool {
        let book = inquiry.intake.book
        guard let kept = try? await book.subscriptions(of: [purchase.key]).first else {
            return false
        }
        let packs = book.role(of: kept) == .pack ? book.packs(in: kept) : []
        return inquiry.questions.acknowledgement(of: kept, packs: packs, in: scope) != nil
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
