import AppStoreSimulator
import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct StripeLife: Sendable {
    /// What became of the events.
    package struct Outcome: Hashable, Sendable {
        /// How many there were.
        package var sent = 0
        /// How many were taken.
        package var delivered = 0
        /// How many the weather has lost for good.
        package var lost = 0
    }

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
    package func run(_ customers: [String], months: Int, seed: UInt64) async throws -> Outcome {
        let month = try directory.books().settings.time.milliseconds(days: 30)
        var chance = SplitMix64(seed: seed)
        var number: UInt64 = 0
        var outcome = Outcome()
        for _ in 0..<months {
            let begun = StoreTime.now()
            for customer in customers {
                for event in try happen(to: customer, &chance) {
                    number += 1
                    outcome.sent += 1
                    var fate = weather.fate(of: number)
                    guard fate.lostAttempts == 0 else {
                        outcome.lost += 1
                        continue
                    }
                    fate.delay = min(fate.delay, month / 10)
                    let record = try await delivery.deliver(event, under: fate)
                    if record.isDelivered { outcome.delivered += 1 }
                }
            }
            try await StoreTime.wait(until: begun + month)
        }
        return outcome
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
