/// When a store is asked, and where the progress is stored.
package struct ReconcilerSettings: Sendable {
    /// How often a walk reads the failed deliveries.
    package var failuresEverySeconds = 3_600
    /// How long before the end of a paid period an unreported renewal is asked about; 0: never.
    package var askBeforeEndSeconds = 600
    /// How long after its due time a renewal without a message is asked about.
    package var askAfterSilenceSeconds = 60
    /// How often every active subscription is asked about.
    package var sweepEverySeconds = 86_400
    /// The directory of the file of marks.
    package var directory: String
    /// The name of the file of marks; each store has its own.
    package var marksName: String
    /// This program's version.
    package var version: String
    /// How long one attempt may take.
    package var attemptMilliseconds = ReconcilerLimits.attemptMilliseconds

    /// The settings of a daemon.
    package init(directory: String, marksName: String = "reconcile.json", version: String) {
        self.directory = directory
        self.marksName = marksName
        self.version = version
    }
}
