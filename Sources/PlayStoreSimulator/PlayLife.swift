import AppStoreSimulator
import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct PlayLife: Sendable {
    /// What became of the messages.
    package struct Outcome: Hashable, Sendable {
        /// How many there were.
        package var sent = 0
        /// How many were acknowledged.
        package var delivered = 0
        /// How many the weather has lost for good.
        package var lost = 0
    }

    private let directory: PlayDirectory
    private let delivery: PushDelivery
    private let weather: Weather

    /// The lives of customers of the store in `directory`.
    package init(_ directory: PlayDirectory, _ delivery: PushDelivery, _ weather: Weather) {
        self.directory = directory
        self.delivery = delivery
        self.weather = weather
    }

    /// Lets `customers` live through so many months; a month takes as long as the store says.
    package func run(_ customers: [String], months: Int, seed: UInt64) async throws -> Outcome {
        let month = try directory.books().settings.time.milliseconds(days: 30)
        var chance = SplitMix64(seed: seed)
        var number: UInt64 = 0
        var outcome = Outcome()
        for _ in 0..<months {
            let begun = StoreTime.now()
            for customer in customers {
                let notices = try happen(to: customer, &chance)
                for notice in notices {
                    number += 1
                    outcome.sent += 1
                    var fate = weather.fate(of: number)
                    guard fate.lostAttempts == 0 else {
                        outcome.lost += 1
                        continue
                    }
                    fate.delay = min(fate.delay, month / 10)
                    let record = try await delivery.deliver(notice, under: fate)
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
    ) throws -> [PlayNotice] {
        try directory.change { books in
            var words = PlayWords()
            words.accountID = customer
            guard let purchase = books.newest(of: customer) else {
                words.isTrial = chance.next() % 4 == 0
                return try books.perform(.buy, customer, words, at: StoreTime.now())
            }
            let actions = Self.actions(purchase.state)
            let action = actions[Int(chance.next() % UInt64(actions.count))]
            if action == .upgrade { words.product = "premium:monthly" }
            do {
                return try books.perform(action, customer, words, at: StoreTime.now())
            } catch is PlayRefusal {
                return []
            }
        }
    }

    private static func actions(_ state: SoldPurchase.State) -> [PlayAction] {
        switch state {
        case .active:
            [.renew, .renew, .renew, .renew, .cancel, .failToRenew, .pause, .upgrade, .revoke]
        case .canceled: [.restart, .expire]
        case .grace: [.recover, .hold]
        case .hold: [.recover, .expire]
        case .paused: [.resume]
        case .pending: [.complete, .cancelPending]
        case .expired, .pendingCanceled: [.resubscribe, .buy]
        }
    }
}
