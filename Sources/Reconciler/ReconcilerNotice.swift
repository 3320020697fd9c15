import Entitlements

/// What the reconciler has to say for the log; nothing of a user is in it.
package enum ReconcilerNotice: Hashable, Sendable {
    /// A walk came to its end, and everything in it was taken in.
    case walkCompleted(StoreScope, WalkReport)
    /// A walk did not; its mark stays where it was.
    case walkIncomplete(StoreScope, WalkReport)
    /// A document of the store does not verify.
    case documentRefused(StoreEnvironment, DocumentFault, detail: String)
    /// A sweep came to its end.
    case sweepCompleted(SweepReport)
    /// A sweep rests, and goes on later from where it is.
    case sweepPaused(SweepReport, detail: String)
    /// Silent subscriptions could not be asked about.
    case silenceUnasked(detail: String)
    /// The store could not be asked about what it announced; it is tried again.
    case announcementsPaused(detail: String)
    /// The store could not be told what it waits to hear of purchases; it is tried again.
    case acknowledgementsPaused(detail: String)
    /// The store has gone silent against expectation.
    case storeSilent(renewalsDue: Int)
    /// The store is heard again.
    case storeHeard
    /// The marks' file is damaged; everything is walked anew.
    case marksUnreadable
    /// The marks could not be kept.
    case marksUnsaved(String)
}
