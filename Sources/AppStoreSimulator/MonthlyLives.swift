import Randomness

/// Customers who live by themselves: each month something happens to each of them.
package struct MonthlyLives<Message: Sendable>: Sendable {
    /// Lets things happen to a customer at these moments, by chance; for each customer the messages
    /// that tell of it, in order.
    package typealias Happening =
        @Sendable (_ customers: [String], _ when: Month, _ chance: inout SplitMix64)
        throws -> [[Message]]

    /// When something happens.
    package struct Month: Sendable {
        /// When it begins, in ms since 1970.
        package let start: Int64
        /// How long it takes, in ms; 0 where everything happens now.
        package let length: Int64

        /// A moment in it: the so-manieth of so many parts.
        package func moment(_ part: Int64, of parts: Int64) -> Int64 {
            start + length * part / max(parts, 1)
        }
    }

    private let weather: Weather
    /// How long a month takes, in milliseconds.
    private let month: Int64
    /// Whether the months are over already, and are told as fast as they can be.
    private let isPast: Bool
    private let happen: Happening
    private let deliver: @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record

    /// Lives in this weather, whose messages `deliver` delivers.
    package init(
        _ weather: Weather,
        month: Int64,
        isPast: Bool = false,
        happen: @escaping Happening,
        deliver: @escaping @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record
    ) {
        self.weather = weather
        self.month = month
        self.isPast = isPast
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
        var post = Post(weather: weather, delayMax: month / 10, deliver: deliver)
        let began = StoreTime.now()
        for number in 0..<months {
            let now = StoreTime.now()
            let start = began - month * Int64(months - number)
            let when = isPast ? Month(start: start, length: month) : Month(start: now, length: 0)
            let told = try happen(customers, when, &chance)
            for (customer, messages) in zip(customers, told) {
                for message in messages { try await post.send(message, about: customer) }
            }
            if !isPast { try await StoreTime.wait(until: now + month) }
        }
        try await post.sendHeld()
        return post.outcome
    }

    /// What is on its way to the receiver.
    private struct Post {
        let weather: Weather
        let delayMax: Int64
        let deliver: @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record
        var outcome = LifeOutcome()
        private var number: UInt64 = 0
        /// The message of a customer that the next one overtakes.
        private var held: [String: (message: Message, fate: Weather.Fate)] = [:]

        init(
            weather: Weather,
            delayMax: Int64,
            deliver:
                @escaping @Sendable (Message, Weather.Fate) async throws ->
                RepeatedPost.Record
        ) {
            self.weather = weather
            self.delayMax = delayMax
            self.deliver = deliver
        }

        mutating func send(_ message: Message, about customer: String) async throws {
            number += 1
            outcome.sent += 1
            var fate = weather.fate(of: number)
            guard fate.lostAttempts == 0 else {
                outcome.lost += 1
                return
            }
            fate.delay = min(fate.delay, delayMax)
            let overtaken = held.removeValue(forKey: customer)
            if fate.isOvertaken, overtaken == nil {
                held[customer] = (message, fate)
                return
            }
            try await send(message, under: fate)
            if let overtaken { try await send(overtaken.message, under: overtaken.fate) }
        }

        /// Sends what nothing has overtaken.
        mutating func sendHeld() async throws {
            for customer in held.keys.sorted() {
                guard let late = held.removeValue(forKey: customer) else { continue }
                try await send(late.message, under: late.fate)
            }
        }

        private mutating func send(_ message: Message, under fate: Weather.Fate) async throws {
            if try await deliver(message, fate).isDelivered { outcome.delivered += 1 }
        }
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
