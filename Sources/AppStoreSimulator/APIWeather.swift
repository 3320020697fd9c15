import Randomness

/// What goes wrong with requests to the store's API, by chance, the same for the same seed.
package struct APIWeather: Hashable, Sendable {
    /// How likely a request is one too many: 429 with Retry-After.
    package var tooMany: Double
    /// How likely the store has trouble: 500 with 5000000 or 5000001, 503 with a page of HTML, or a
    /// connection that closes without an answer, by turns.
    package var trouble: Double
    /// How likely a number or a purchase that the store knows is unknown to it: 404, at Apple with
    /// 4040010 or 4040005.
    package var notFound: Double
    /// How likely a pagination token that would be good has expired: 4000017.
    package var expiredToken: Double
    /// How likely the documents in an answer do not verify.
    package var forged: Double
    /// How likely an answer is slow.
    package var slow: Double
    /// How slow at most, in milliseconds.
    package var slowMax: Int64
    /// When a request that was one too many may come again, in milliseconds from then.
    package var retryAfter: Int64
    /// What chance begins with.
    package var seed: UInt64

    /// Weather with these probabilities.
    package init(
        tooMany: Double = 0,
        trouble: Double = 0,
        notFound: Double = 0,
        expiredToken: Double = 0,
        forged: Double = 0,
        slow: Double = 0,
        slowMax: Int64 = 1_000,
        retryAfter: Int64 = 1_000,
        seed: UInt64 = 0
    ) {
        self.tooMany = tooMany
        self.trouble = trouble
        self.notFound = notFound
        self.expiredToken = expiredToken
        self.forged = forged
        self.slow = slow
        self.slowMax = slowMax
        self.retryAfter = retryAfter
        self.seed = seed
    }

    /// Nothing goes wrong.
    package static let fair = APIWeather()

    /// What goes wrong with one request.
    package enum Fault: Hashable, Sendable {
        /// 429, to come again after so many milliseconds.
        case tooMany(retryAfter: Int64)
        /// 500 with 5000000.
        case internalError
        /// 500 with 5000001.
        case internalRetryable
        /// 503 with a page of HTML.
        case unavailable
        /// No answer: the connection closes.
        case cutOff
        /// The number or the purchase is unknown: 404, at Apple with 4040010 or 4040005.
        case notFound
        /// The pagination token has expired: 4000017; only where there is one.
        case expiredToken
        /// 200, and no signature in the answer holds; only where there is one.
        case forged
        /// 401, whatever the token.
        case unauthorized
    }

    /// What happens to one request.
    package struct Fate: Hashable, Sendable {
        /// How long the answer takes, in milliseconds.
        package var delay: Int64 = 0
        /// What goes wrong, where it can; the first that can does.
        package var faults: [Fault] = []
    }

    /// What happens to the request of this number; depends on nothing but seed and number.
    package func fate(of number: UInt64) -> Fate {
        var chance = SplitMix64(seed: seed, stream: number)
        var fate = Fate()
        if chance.happens(slow) {
            fate.delay = Int64.random(in: 0...max(0, slowMax), using: &chance)
        }
        if chance.happens(tooMany) { fate.faults.append(.tooMany(retryAfter: retryAfter)) }
        if chance.happens(trouble) {
            let troubles: [Fault] = [.internalError, .internalRetryable, .unavailable, .cutOff]
            fate.faults.append(troubles[Int.random(in: 0..<troubles.count, using: &chance)])
        }
        if chance.happens(notFound) { fate.faults.append(.notFound) }
        if chance.happens(expiredToken) { fate.faults.append(.expiredToken) }
        if chance.happens(forged) { fate.faults.append(.forged) }
        return fate
    }
}
