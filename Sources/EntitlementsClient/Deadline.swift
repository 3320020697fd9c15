/// A moment on the monotonic clock by which something must have happened.
package struct Deadline: Comparable, Sendable {
    private let instant: ContinuousClock.Instant

    /// The deadline `timeout` from now.
    package init(after timeout: Duration) { instant = .now + timeout }

    /// Whether the moment has come.
    package var hasPassed: Bool { ContinuousClock.now >= instant }

    /// What is left, rounded up so that a wait does not end just before; 0 when it has passed.
    package var millisecondsLeft: Int32 {
        let left = ContinuousClock.now.duration(to: instant)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        guard seconds < Int64(Int32.max / 1_000) - 1 else { return Int32.max }
        let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(seconds * 1_000 + fraction)
    }

    /// Whether `left` comes first.
    package static func < (left: Deadline, right: Deadline) -> Bool {
        left.instant < right.instant
    }
}
