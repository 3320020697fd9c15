import Randomness

/// The books of a store whose customers live by themselves.
package protocol LivingBooks {
    /// A message of the store about what happened.
    associatedtype Message: Sendable

    /// How fast time passes.
    var time: StoreTime { get }

    /// Lets something happen to a customer in a month, by chance; the messages that tell of it, in
    /// order.
    mutating func live(
        _ customer: String,
        through when: LifeMonth,
        _ chance: inout SplitMix64
    ) -> [Message]
}

/// Where the books of such a store are kept.
package protocol LivingStore: Sendable {
    /// What is kept.
    associatedtype Books: LivingBooks

    /// The books, read.
    func books() throws -> Books

    /// What `body` does with the books, kept.
    func change<Answer>(_ body: (inout Books) throws -> Answer) throws -> Answer
}

/// When something happens.
package struct LifeMonth: Sendable {
    /// When it begins, in ms since 1970.
    package let start: Int64
    /// How long it takes, in ms; 0 where everything happens now.
    package let length: Int64

    /// A moment in it: the so-manieth of so many parts.
    package func moment(_ part: Int64, of parts: Int64) -> Int64 {
        start + length * part / max(parts, 1)
    }
}

/// Customers who live by themselves: each month something happens to each of them.
package struct MonthlyLives<Store: LivingStore>: Sendable {
    /// A message of the store.
    package typealias Message = Store.Books.Message

    private let store: Store
    private let weather: Weather
    /// Whether the months are over already, and are told as fast as they can be.
    private let isPast: Bool
    private let deliver: @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record

    /// The lives of customers of `store` in this weather, whose messages `deliver` delivers; those
    /// of the past have happened already.
    package init(
        of store: Store,
        in weather: Weather,
        isPast: Bool = false,
        deliver: @escaping @Sendable (Message, Weather.Fate) async throws -> RepeatedPost.Record
    ) {
        self.store = store
        self.weather = weather
        self.isPast = isPast
        self.deliver = deliver
    }

    /// Lets `customers` live through so many months; a month takes as long as the store says.
    package func run(
        _ customers: [String],
        months: Int,
        seed: UInt64
    ) async throws -> LifeOutcome {
        let month = try store.books().time.milliseconds(days: 30)
        var chance = SplitMix64(seed: seed)
        var post = Post(weather: weather, delayMax: month / 10, deliver: deliver)
        let began = StoreTime.now()
        for number in 0..<months {
            let now = StoreTime.now()
            let start = began - month * Int64(months - number)
            let when =
                isPast
                ? LifeMonth(start: start, length: month) : LifeMonth(start: now, length: 0)
            let told = try store.change { books in
                customers.map { books.live($0, through: when, &chance) }
            }
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
