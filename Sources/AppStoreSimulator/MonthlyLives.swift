import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct MonthlyLives<Message: Sendable>: Sendable {
    /// Lets one thing happen to a customer now, by chance; the messages that tell of it.
    package typealias Happening =
        @Sendable (_ customer: String, _ chance: inout SplitMix64) throws -> [Message]

    private let weather: Weather
    /// How long a month takes, in milliseconds.
    private let month: Int64
    private let happen: Happening
    private let deliver: @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record

    /// Lives in this weather, whose messages `deliver` delivers.
    package init(
        _ weather: Weather,
        month: Int64,
        happen: @escaping Happening,
        deliver: @escaping @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record
    ) {
        self.weather = weather
        self.month = month
        self.happen = happen
        self.deliver = deliver
    }

    /// Lets `customers` live through so many months.
    package func run(
        _ customers: [String],
        months: Int,
        seed: UInt64
    ) async throws -> LifeOutcome {
        var chance = SplitMix64(seed: seed)
        var number: UInt64 = 0
        var outcome = LifeOutcome()
        for _ in 0..<months {
            let begun = StoreTime.now()
            for customer in customers {
                for message in try happen(customer, &chance) {
                    number += 1
                    outcome.sent += 1
                    var fate = weather.fate(of: number)
                    guard fate.lostAttempts == 0 else {
                        outcome.lost += 1
                        continue
                    }
                    fate.delay = min(fate.delay, month / 10)
                    if try await deliver(message, fate).isDelivered { outcome.delivered += 1 }
                }
            }
            try await StoreTime.wait(until: begun + month)
        }
        return outcome
    }
}

/// What became of the messages of lives.
package struct LifeOutcome: Hashable, Sendable {
    /// How many there were.
    package var sent = 0
    /// How many were taken.
    package var delivered = 0
    /// How many the weather has lost for good.
    package var lost = 0
}
