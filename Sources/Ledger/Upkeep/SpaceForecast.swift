/// Estimates how fast space is used, and how long the free space lasts at that rate.
struct SpaceForecast {
    /// The free space at one moment.
    struct Sample: Sendable, Hashable {
        /// Milliseconds of a clock that never jumps.
        let at: Int64
        /// Bytes that are still free.
        let free: Int
    }

    /// The samples of the window, oldest first, at equal distances.
    private var samples: [Sample] = []
    /// The latest sample, which need not be in `samples`.
    private var latest: Sample?

    /// Takes note of a sample.
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

    /// The net growth in bytes a day; nil as long as the window is too short.
    var bytesPerDay: Int? {
        guard let first = samples.first, let latest else { return nil }
        let milliseconds = latest.at - first.at
        guard milliseconds >= LedgerLimits.spaceWindowMinMilliseconds else { return nil }
        let used = Double(first.free - latest.free) * 86_400_000 / Double(milliseconds)
        return Int(exactly: used.rounded(.towardZero))
    }

    /// How many whole days are left; nil without growth, or while the window is too short.
    var daysLeft: Int? {
        guard let latest, let bytesPerDay, bytesPerDay > 0 else { return nil }
        return latest.free / bytesPerDay
    }
}
