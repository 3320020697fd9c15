import Entitlements

/// Where the history that is kept begins.
package struct HistoryBorder: Sendable, Hashable {
    /// The last entry of the journal that the base stands for.
    package let seq: UInt64
    /// Its moment, by the clock.
    package let at: Moment
}
