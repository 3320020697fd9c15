/// How many requests are still free: a bucket that holds one second's worth and fills steadily.
struct RateBucket {
    /// How many it holds, and how many flow in each second.
    let perSecond: Int
    private var level: Double
    private var filledAt: ContinuousClock.Instant

    /// A full bucket.
    init(perSecond: Int, at now: ContinuousClock.Instant) {
        self.perSecond = perSecond
        level = Double(perSecond)
        filledAt = now
    }

    /// Takes `count` out; nil where they were there, else how long it takes until they are, and
    /// nothing is taken.
    mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Duration? {
        if now > filledAt {
            let passed = (now - filledAt) / .seconds(1)
            level = min(Double(perSecond), level + passed * Double(perSecond))
            filledAt = now
        }
        let missing = Double(count) - level
        guard missing > 0 else {
            level -= Double(count)
            return nil
        }
        return .seconds(missing / Double(perSecond))
    }
}
