import LoadGenerator
import Testing

struct LatencyHistogramTests {
    @Test func `quantiles of a million known durations are off by less than one percent`() {
        var histogram = LatencyHistogram()
        for value in 1...1_000_000 { histogram.record(Int64(value) * 10) }
        for (share, expected) in [(0.5, 5e6), (0.9, 9e6), (0.99, 9.9e6), (0.999, 9.99e6)] {
            let found = Double(histogram.quantile(share))
            #expect(abs(found - expected) / expected < 0.01, "\(share): \(found)")
        }
        #expect(histogram.count == 1_000_000)
        #expect(histogram.longest == 10_000_000)
        #expect(abs(histogram.mean - 5_000_005) < 1)
    }

    @Test func `a duration is never told shorter than it was, nor one percent longer`() {
        for power in 0..<39 {
            for offset in [-1, 0, 1, 3] {
                let value = max(0, Int64(1) << Int64(power) + Int64(offset))
                var histogram = LatencyHistogram()
                histogram.record(value)
                // A longer one, so that the first is not told as the longest.
                histogram.record(Int64.max)
                let found = histogram.quantile(0.5)
                #expect(found >= value)
                #expect(Double(found) <= Double(value) * 1.01 + 1)
            }
        }
    }

    @Test func `nothing recorded is zero, and what is beyond the range is the longest`() {
        var histogram = LatencyHistogram()
        #expect(histogram.quantile(0.99) == 0)
        #expect(histogram.mean == 0)
        histogram.record(-5)
        #expect(histogram.quantile(1) == 0)
        histogram.record(Int64.max)
        #expect(histogram.longest == Int64.max)
        #expect(histogram.count == 2)
    }
}
