import Entitlements

/// The answer to a command that the writer accepted: its outcome and its position.
package struct Receipt: Sendable, Hashable {
    /// The journal position that the answer reflects; the command's own where it changed anything.
    package let seq: UInt64
    /// When it was decided.
    package let at: Moment
    /// The answer.
    package let outcome: Outcome
}
