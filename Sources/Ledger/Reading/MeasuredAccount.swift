import Entitlements

/// What was found where only short rows are read.
package enum MeasuredAccount: Sendable {
    /// The account; nil where there is none.
    case read(Account?)
    /// There is one, and its row is longer.
    case longer
}
