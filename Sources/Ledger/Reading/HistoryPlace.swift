/// Where an entry stands among everything that is told of a user.
package struct HistoryPlace: Hashable, Comparable, Sendable {
    /// The step of the user's own history with which it is told.
    package let step: UInt64
    /// Its own position.
    package let seq: UInt64

    /// The place of the entry `seq`, which is told with `step`.
    package init(step: UInt64, seq: UInt64) {
        self.step = step
        self.seq = seq
    }

    package static func < (left: HistoryPlace, right: HistoryPlace) -> Bool {
        (left.step, left.seq) < (right.step, right.seq)
    }
}
