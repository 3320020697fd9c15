import AppStoreSimulator
import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct PlayLife: Sendable {
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
