/// What the simulated store keeps itself to.
package enum SimulatorLimits {
    /// How long one attempt to deliver may take; Apple's own limit is not documented.
    package static let attemptSecondsMax: Int64 = 30
    /// How much of an answer is read.
    package static let answerBytesMax = 65_536
    /// Attempts to deliver one notification: the first and five repeats (apple.md, section 4).
    package static let attemptsMax = 6
    /// Connections kept open to one receiver.
    package static let connectionsMax = 64
    /// How many subscribers a run keeps alive.
    package static let subscribersMax = 100_000
    /// How long a subscriber's name may be; it names a file.
    package static let nameBytesMax = 100
    /// How many things happen to one subscriber in one month of a run.
    package static let actionsPerMonthMax = 8
    /// How many days one extension may give (apple.md, section 3.2).
    package static let extensionDaysMax = 90
}
