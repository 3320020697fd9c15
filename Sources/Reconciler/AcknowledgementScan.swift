import Entitlements

/// Tells a store what it waits to hear of purchases, such as that they were given.
///
/// What is still to be told stands in the purchases themselves, on disk, so that nothing is
/// forgotten over a restart. The answer is a whole state again, so that what was told twice, or was
/// lost on its way, does no harm.
struct AcknowledgementScan: Sendable {
    /// What a scan did.
    struct Report: Hashable, Sendable {
        /// Purchases of which the store was told.
        var told = 0
        /// Purchases of which it would not hear.
        var refused = 0
        /// What the store still waits to hear.
        var unheard = Unheard()
        /// Why it was broken off; nil where it came to the end.
        var detail: String?
    }

    let inquiry: Inquiry

    /// Looks at every purchase of the store once.
    func run() async -> Report {
        var report = Report()
        var cursor = inquiry.start
        while !Task.isCancelled, report.detail == nil {
            do throws(BookFailure) {
                let page = try await inquiry.page(after: cursor)
                guard let last = page.last else { break }
                for purchase in page where report.detail == nil { await tell(purchase, &report) }
                cursor = last.key
            } catch {
                report.detail = error.detail
            }
        }
        return report
    }

    private func tell(_ purchase: Subscription, _ report: inout Report) async {
        let named = inquiry.intake.book.role(of: purchase)
        let role = purchase.owner == nil ? nil : named
        let questions = inquiry.questions
        let scopes = questions.scopes(of: purchase.key)
        for client in inquiry.clients where scopes.contains(client.scope) {
            let question = questions.acknowledgement(
                of: purchase,
                isPack: named == .pack,
                in: client.scope
            )
            guard let question else { continue }
            guard role != nil else {
                report.unheard.unclaimed += 1
                report.unheard.note(purchase)
                return
            }
            do throws(StoreAPIFailure) {
                let stated = try await client.answer(to: question, .patient)
                let tally = await inquiry.intake.take(stated, of: purchase.key.environment)
                report.told += 1
                report.detail = tally.bookFailure?.detail
            } catch {
                report.unheard.untold += 1
                report.unheard.note(purchase)
                switch error.kind {
                case .unknown, .refused, .malformed, .pagingExpired, .uncertain:
                    report.refused += 1
                case .unauthorized, .limited, .unreachable, .cancelled:
                    report.detail = error.description
                }
            }
            return
        }
    }
}

/// Purchases that a store still waits to hear of: it gives the money back after a while.
package struct Unheard: Hashable, Sendable {
    /// Those of which it could not be told.
    package internal(set) var untold = 0
    /// Those that nobody has, or that the catalog does not name: of these it is not told.
    package internal(set) var unclaimed = 0
    /// When the oldest of them was bought.
    package internal(set) var since: Moment?

    mutating func note(_ purchase: Subscription) {
        guard let bought = purchase.transactions.last?.purchased else { return }
        since = min(since ?? bought, bought)
    }
}
