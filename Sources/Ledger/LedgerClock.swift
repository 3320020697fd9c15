import Entitlements
import Glibc

/// The two clocks that the writer looks at.
package struct LedgerClock: Sendable {
    /// Milliseconds since 1970, as the system has them.
    package let wall: @Sendable () -> Int64
    /// Milliseconds since some start; never jumps.
    package let monotonic: @Sendable () -> Int64

    /// A clock made of these two.
    package init(
        wall: @escaping @Sendable () -> Int64,
        monotonic: @escaping @Sendable () -> Int64
    ) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// The system's clocks.
    package static let system = LedgerClock(
        wall: { milliseconds(CLOCK_REALTIME) },
        monotonic: { milliseconds(CLOCK_MONOTONIC) }
    )

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Stamps commands: `at` = max(previous, wall clock).
///
/// After a jump of more than a minute nothing is stamped until the new time has held for five
/// seconds.
struct StampingClock {
    private let clock: LedgerClock
    private var lastAt: Int64
    private var lastWall: Int64
    private var lastMonotonic: Int64
    private var holdsFrom: Int64?
    /// How many jumps there were.
    private(set) var jumps = 0

    init(_ clock: LedgerClock, after moment: Moment) {
        self.clock = clock
        lastAt = moment.milliseconds
        lastWall = clock.wall()
        lastMonotonic = clock.monotonic()
    }

    /// The wall clock, unjudged.
    var wall: Int64 { clock.wall() }

    /// The moment of the next group, or nil while the clock is not to be trusted.
    mutating func stamp() -> Moment? {
        let (wall, monotonic) = (clock.wall(), clock.monotonic())
        let strayed = (wall - lastWall) - (monotonic - lastMonotonic)
        (lastWall, lastMonotonic) = (wall, monotonic)
        if abs(strayed) > LedgerLimits.clockJumpMilliseconds {
            jumps += 1
            holdsFrom = monotonic
        }
        if let since = holdsFrom {
            guard monotonic - since >= LedgerLimits.clockHoldMilliseconds else { return nil }
            holdsFrom = nil
        }
        lastAt = max(lastAt, wall)
        return Moment(lastAt)
    }
}
