/// Counts durations in buckets whose width grows with the duration.
///
/// Log-linear: each power of two is divided into 128 buckets, so that a quantile is off by less
/// than 1 %, from a nanosecond to 18 minutes. Recording is an increment; it allocates nothing.
package struct LatencyHistogram: Sendable {
    private static let bucketBits = 7
    private static let powersMax = 40
    private var counts: [UInt64]
    /// How many durations are recorded.
    package private(set) var count: UInt64 = 0
    /// The longest, in nanoseconds.
    package private(set) var longest: Int64 = 0
    private var sum: Double = 0

    /// An empty histogram.
    package init() {
        let powers = Self.powersMax - Self.bucketBits + 1
        counts = [UInt64](repeating: 0, count: powers << Self.bucketBits)
    }

    /// Counts one duration, in nanoseconds.
    package mutating func record(_ nanoseconds: Int64) {
        let value = max(nanoseconds, 0)
        counts[min(Self.bucket(of: value), counts.count - 1)] += 1
        count += 1
        sum += Double(value)
        longest = max(longest, value)
    }

    /// The duration that this share of all (0 to 1) did not exceed, in nanoseconds; 0 when empty.
    package func quantile(_ share: Double) -> Int64 {
        guard count > 0 else { return 0 }
        let wanted = max(1, UInt64((share * Double(count)).rounded(.up)))
        var seen: UInt64 = 0
        for (index, value) in counts.enumerated() where value > 0 {
            seen += value
            if seen >= wanted { return min(Self.upperBound(of: index), longest) }
        }
        return longest
    }

    /// The mean, in nanoseconds.
    package var mean: Double { count == 0 ? 0 : sum / Double(count) }

    private static func bucket(of value: Int64) -> Int {
        guard value >= 1 << bucketBits else { return Int(value) }
        let power = Int.bitWidth - 1 - value.leadingZeroBitCount
        let shift = power - bucketBits
        // The leading bit says which power, the bits behind it which of its buckets.
        return (shift + 1) << bucketBits + Int(value >> Int64(shift)) - 1 << bucketBits
    }

    /// The greatest duration that falls into a bucket.
    private static func upperBound(of index: Int) -> Int64 {
        guard index >= 1 << bucketBits else { return Int64(index) }
        let shift = index >> bucketBits - 1
        let within = Int64(index & (1 << bucketBits - 1)) + 1 << bucketBits
        return (within + 1) << Int64(shift) - 1
    }
}
