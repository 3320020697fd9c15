import Entitlements
import Glibc
import Synchronization

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

extension LedgerClock {
    /// What an operator should know of this clock where a ledger starts at `state`.
    ///
    /// - Parameters:
    ///   - state: the end of the journal.
    ///   - allowsBehind: whether the clock may be far behind the one that judged the last entry.
    /// - Returns: what an operator must hear of it; nil where there is nothing.
    /// - Throws: `.clockBehind` where it is and may not be.
    func notice(
        after state: AppliedState,
        allowingBehind allowsBehind: Bool
    ) throws(LedgerFailure) -> LedgerNotice? {
        guard state.seq > 0 else { return nil }
        let wall = wall()
        // Not the entry's own moment: that stays ahead once a clock was, and the clock that judged
        // the last entry may have been put right since.
        let judged = state.now.milliseconds
        if judged - wall > LedgerLimits.clockBehindMilliseconds, !allowsBehind {
            throw .clockBehind(clock: Moment(wall), journal: state.now)
        }
        let behind = state.at.milliseconds - wall
        if behind > LedgerLimits.clockJumpMilliseconds {
            return .clockBehind(milliseconds: behind)
        }
        return -behind > LedgerLimits.clockAheadMilliseconds
            ? .clockAhead(milliseconds: -behind) : nil
    }
}

/// The moments of a group.
struct Stamp: Hashable, Sendable {
    /// max(previous, wall clock): it orders what the journal has, and never falls.
    let at: Moment
    /// The wall clock: what is asked is judged at it, so that a write agrees with a read.
    ///
    /// Never after `at`.
    let now: Moment
}

extension Moment {
    /// Whether a clock that goes from this moment to `other` was set back, not merely corrected.
    func isFarAhead(of other: Moment) -> Bool {
        milliseconds - other.milliseconds > LedgerLimits.clockJumpMilliseconds
    }
}

extension AppliedState {
    /// Up to when time was observed: what ended by then was reported, unless the clock was set back
    /// since.
    var observed: Moment { at.isFarAhead(of: now) ? now : at }
}

/// Stamps commands.
///
/// After a jump of more than a minute nothing is stamped until the new time has held for five
/// seconds.
struct StampingClock {
    private let clock: LedgerClock
    private let age: AgeClock
    private var lastAt: Int64
    private var lastWall: Int64
    private var lastMonotonic: Int64
    private var holdsFrom: Int64?
    /// How many jumps there were.
    private(set) var jumps = 0
    /// Whether the wall clock was set back behind moments that were stamped, since this was last
    /// asked.
    private var isSetBack: Bool

    /// A clock that goes on after `moment`, the last one of the journal.
    init(_ clock: LedgerClock, after moment: Moment, _ age: AgeClock) {
        self.clock = clock
        self.age = age
        lastAt = moment.milliseconds
        lastWall = clock.wall()
        lastMonotonic = clock.monotonic()
        isSetBack = moment.isFarAhead(of: Moment(lastWall))
    }

    /// The wall clock, unjudged.
    var wall: Int64 { clock.wall() }

    /// The moments of the next group, or nil while the clock is not to be trusted.
    mutating func stamp() -> Stamp? {
        let (wall, monotonic) = (clock.wall(), clock.monotonic())
        let strayed = (wall - lastWall) - (monotonic - lastMonotonic)
        if abs(strayed) > LedgerLimits.clockJumpMilliseconds {
            jumps += 1
            holdsFrom = monotonic
            age.doubt(after: wall - strayed)
        }
        (lastWall, lastMonotonic) = (wall, monotonic)
        if let since = holdsFrom {
            guard monotonic - since >= LedgerLimits.clockHoldMilliseconds else { return nil }
            holdsFrom = nil
            if Moment(lastAt).isFarAhead(of: Moment(wall)) { isSetBack = true }
        }
        lastAt = max(lastAt, wall)
        return Stamp(at: Moment(lastAt), now: Moment(wall))
    }

    /// Whether the clock was set back since this was last asked: moments that were told of come
    /// again.
    mutating func takeSetBack() -> Bool {
        defer { isSetBack = false }
        return isSetBack
    }
}

/// What time it is for removing what is old.
///
/// What is removed does not come back. So a clock that jumped, or was far ahead of the journal at
/// the start, is believed only after it has held for a day; meanwhile time goes on from where it
/// was.
final class AgeClock: Sendable {
    private struct Doubt {
        let moment: Int64
        let from: Int64
        var until: Int64
    }

    private let clock: LedgerClock
    private let doubt = Mutex<Doubt?>(nil)

    init(_ clock: LedgerClock) { self.clock = clock }

    /// The clock does not go on from `moment`, which it or the journal had last.
    func doubt(after moment: Int64) {
        let now = clock.monotonic()
        let until = now + LedgerLimits.clockBelievedMilliseconds
        doubt.withLock { doubt in
            if let earlier = doubt, now < earlier.until {
                doubt?.until = until
            } else {
                doubt = Doubt(moment: moment, from: now, until: until)
            }
        }
    }

    /// What time it is; never after the wall clock.
    var now: Moment {
        let (wall, monotonic) = (clock.wall(), clock.monotonic())
        return doubt.withLock { doubt in
            guard let doubt, monotonic < doubt.until else { return Moment(wall) }
            return Moment(min(wall, doubt.moment + (monotonic - doubt.from)))
        }
    }
}
