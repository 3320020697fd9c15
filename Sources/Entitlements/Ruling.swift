/// The outcome of a command, and the events that it caused.
package struct Ruling: Hashable, Sendable {
    /// The answer to the caller.
    package let outcome: Outcome
    /// What happens; empty for refusals and repetitions.
    package let events: [Event]

    /// The ruling `outcome`, with `events`.
    package init(_ outcome: Outcome, _ events: [Event] = []) {
        self.outcome = outcome
        self.events = events
    }
}
