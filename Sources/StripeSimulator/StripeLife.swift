import AppStoreSimulator
import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct StripeLife: Sendable {
    private let directory: StripeDirectory
    private let delivery: EventDelivery
    private let weather: Weather

    /// The lives of customers of the account in `directory`.
    package init(_ directory: StripeDirectory, _ delivery: EventDelivery, _ weather: Weather) {
        self.directory = directory
        self.delivery = delivery
        self.weather = weather
    }

    /// Lets `customers` live through so many months; a month takes as long as the account says.
    package func run(
        _ customers: [String],
        months: Int,
        seed: UInt64
    ) async throws -> LifeOutcome {
        let month = try directory.books().settings.time.milliseconds(days: 30)
        let lives = MonthlyLives(
            weather,
            month: month,
            happen: { try happen(to: $0, &$1) },
            deliver: { try await delivery.deliver($0, under: $1) }
        )
        return try await lives.run(customers, months: months, seed: seed)
    }

    /// One thing that may happen to a customer now; what cannot is left out.
    private func happen(
        to customer: String,
        _ chance: inout SplitMix64
    ) throws -> [KeptEvent] {
        try directory.change { books in
            let now = StoreTime.now() / 1_000
            var words = StripeWords()
            guard let sold = books.newest(of: customer), sold.isLive else {
                words.isTrial = chance.next() % 4 == 0
                return try books.perform(.subscribe, customer, words, at: now)
            }
            let actions = Self.actions(sold)
            let action = actions[Int(chance.next() % UInt64(actions.count))]
            do {
                return try books.perform(action, customer, words, at: now)
            } catch is StripeRefusal {
                return []
            }
        }
    }

    private static func actions(_ sold: SoldSubscription) -> [StripeAction] {
        if sold.isEnding { return [.keep, .expire] }
        if sold.pause != nil { return [.unpause, .cancelNow] }
        return switch sold.status {
        case "trialing": [.endTrial, .endTrial, .endTrialUnpaid, .cancel]
        case "past_due": [.recover, .giveUp, .cancelUnpaid]
        case "unpaid": [.recover, .cancelUnpaid]
        case "paused": [.resume, .cancelNow]
        default:
            [
                .renew, .renew, .renew, .renew, .cancel, .cancelInPortal, .failToRenew, .pause,
                .change, .refund, .refundHalf, .dispute, .cancelNow, .buy,
            ]
        }
    }
}
