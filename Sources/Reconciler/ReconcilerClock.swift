import Entitlements
import Glibc

/// The clocks of the reconciler; tests supply their own.
package struct ReconcilerClock: Sendable {
    /// The time of day.
    package let wall: @Sendable () -> Moment
    /// Milliseconds of a monotonic clock.
    package let monotonic: @Sendable () -> Int64
    /// Waits this many milliseconds, or throws if the task is cancelled.
    package let sleep: @Sendable (Int64) async throws -> Void
    /// A number from 0 up to 1, for jitter.
    package let chance: @Sendable () -> Double

    /// The system's clocks.
    package static let system = ReconcilerClock(
        wall: { Moment(milliseconds(CLOCK_REALTIME)) },
        monotonic: { milliseconds(CLOCK_MONOTONIC) },
        sleep: { try await Task.sleep(for: .milliseconds($0)) },
        chance: { Double.random(in: 0..<1) }
    )

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
