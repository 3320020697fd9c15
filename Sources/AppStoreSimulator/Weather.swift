import Randomness

/// What the network does to notifications, by chance, the same for the same seed.
package struct Weather: Hashable, Sendable {
    /// How likely an attempt is lost on its way.
    package var drop: Double
    /// How likely a notification is late.
    package var delay: Double
    /// How late it is at most, in milliseconds.
    package var delayMax: Int64
    /// How likely it comes twice.
    package var duplicate: Double
    /// How likely it is overtaken by the next one of the same customer.
    package var reorder: Double
    /// What chance begins with.
    package var seed: UInt64

    /// Weather with these probabilities.
    package init(
        drop: Double = 0,
        delay: Double = 0,
        delayMax: Int64 = 100,
        duplicate: Double = 0,
        reorder: Double = 0,
        seed: UInt64 = 0
    ) {
        self.drop = drop
        self.delay = delay
        self.delayMax = delayMax
        self.duplicate = duplicate
        self.reorder = reorder
        self.seed = seed
    }

    /// Nothing happens.
    package static let fair = Weather()

    /// What happens to one notification.
    package struct Fate: Hashable, Sendable {
        /// How many attempts are lost before one arrives.
        package var lostAttempts = 0
        /// How long it waits before the first attempt, in milliseconds.
        package var delay: Int64 = 0
        /// Whether it arrives twice.
        package var isDoubled = false
        /// Whether the next one of the same customer overtakes it.
        package var isOvertaken = false

        /// Nothing happens to it.
        package init() {}
    }

    /// What happens to the notification of this number; depends on nothing but seed and number.
    package func fate(of number: UInt64) -> Fate {
        var chance = SplitMix64(seed: seed, stream: number)
        var fate = Fate()
        while fate.lostAttempts < SimulatorLimits.attemptsMax, chance.happens(drop) {
            fate.lostAttempts += 1
        }
        if chance.happens(delay) {
            fate.delay = Int64.random(in: 0...max(0, delayMax), using: &chance)
        }
        fate.isDoubled = chance.happens(duplicate)
        fate.isOvertaken = chance.happens(reorder)
        return fate
    }
}
