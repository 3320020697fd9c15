/// What the simulated store keeps itself to.
package enum SimulatorLimits {
    /// How long one attempt to deliver may take; Apple's own limit is not documented.
    package static let attemptSecondsMax: Int64 = 30
    /// How much of an answer is read.
    package static let answerBytesMax = 65_536
    /// Attempts to deliver one notification: the first and five repeats.
    package static let attemptsMax = 6
    /// Connections kept open to one receiver.
    package static let connectionsMax = 64
    /// How many subscribers a run keeps alive.
    package static let subscribersMax = 100_000
    /// How long a subscriber's name may be; it names a file.
    package static let nameBytesMax = 100
    /// How many things happen to one subscriber in one month of a run.
    package static let actionsPerMonthMax = 8
    /// How many days one extension may give.
    package static let extensionDaysMax = 90
    /// How many extensions a customer may get in so many days.
    package static let extensionsMax = 2
    package static let extensionYearDays: Int64 = 365
    /// How long the name of a request for extensions may be.
    package static let requestIDBytesMax = 128
    /// How much of a request to the API is read.
    package static let requestBytesMax = 65_536
    /// How long a bearer token may be.
    package static let tokenBytesMax = 8_192
    /// Transactions, or notifications, in one answer of the API.
    package static let pageCountMax = 20
    /// Attempts to send that the notification history shows.
    package static let attemptsShownMax = 6
    /// How far back the notification history goes, in Production and in the sandbox: a question may
    /// begin so many real days ago, and is answered with so many of the store's calendar.
    package static let historyDaysMax: (production: Int64, sandbox: Int64) = (180, 30)
    /// How many requests the API remembers, for tests and logs.
    package static let requestsKeptMax = 20_000
}
