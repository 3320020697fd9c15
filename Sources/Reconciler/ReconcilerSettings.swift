/// When a store is asked, and where it is kept how far that came.
package struct ReconcilerSettings: Sendable {
    /// How often failed deliveries are walked through.
    package var failuresEverySeconds = 3_600
    /// How long before its end a renewal that was not heard is asked about; 0: not.
    package var askBeforeEndSeconds = 600
    /// How long a due renewal may be silent.
    package var askAfterSilenceSeconds = 60
    /// How often every active subscription is asked about.
    package var sweepEverySeconds = 86_400
    /// Where the marks are kept.
    package var directory: String
    /// The name of their file; no two stores share one.
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
