/// How fast space is taken, and how long what is left lasts, if it goes on like this.
struct SpaceForecast {
    /// What may run out.
    struct Sample: Sendable, Hashable {
        /// Milliseconds of a clock that never jumps.
        let at: Int64
        /// Bytes that are still free.
        let free: Int
    }

    /// The samples of the window, oldest first, at equal distances.
    private var samples: [Sample] = []
    /// The latest one, which need not be one of them.
    private var latest: Sample?

    /// Takes in how much is free.
    mutating func take(_ sample: Sample) {
        latest = sample
        if let last = samples.last,
            sample.at - last.at < LedgerLimits.spaceSampleMilliseconds
        {
            return
        }
        samples.append(sample)
        let first = sample.at - LedgerLimits.spaceWindowMilliseconds
        while samples[0].at < first { samples.removeFirst() }
    }

    /// Bytes that are taken in a day, less those that are given back; nil as long as the window is
    /// too short to say.
    var bytesPerDay: Int? {
        guard let first = samples.first, let latest else { return nil }
        let milliseconds = latest.at - first.at
        guard milliseconds >= LedgerLimits.spaceWindowMinMilliseconds else { return nil }
        return Int(Double(first.free - latest.free) * 86_400_000 / Double(milliseconds))
    }

    /// How many whole days are left; nil where nothing is taken, or it cannot be said yet.
    var daysLeft: Int? {
        guard let latest, let bytesPerDay, bytesPerDay > 0 else { return nil }
        return latest.free / bytesPerDay
    }
}
