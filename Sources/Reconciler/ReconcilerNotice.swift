import Entitlements

/// A message of the reconciler for the log; it contains no data of a user.
package enum ReconcilerNotice: Hashable, Sendable {
    /// A walk was completed.
    case walkCompleted(StoreScope, WalkReport)
    /// A walk was not completed; its mark stays where it was.
    case walkIncomplete(StoreScope, WalkReport)
    /// A document of the store does not verify.
    case documentRefused(StoreEnvironment, DocumentFault, detail: String)
    /// The store states something that somebody should look at.
    case warned(detail: String)
    /// The history of a subscription could not be read; it will be asked for again.
    case historyUnread(detail: String)
    /// A sweep was completed.
    case sweepCompleted(SweepReport)
    /// A sweep was interrupted, and continues later from the same place.
    case sweepPaused(SweepReport, detail: String)
    /// Silent subscriptions could not be asked about.
    case silenceUnasked(detail: String)
    /// The store could not be asked about its notifications; it will be asked again.
    case announcementsPaused(detail: String)
    /// Acknowledgements could not be sent; they will be tried again.
    case acknowledgementsPaused(detail: String)
    /// The store is unexpectedly silent.
    case storeSilent(renewalsDue: Int)
    /// The store sends notifications again.
    case storeHeard
    /// The file of marks is damaged; all walks begin anew.
    case marksUnreadable
    /// The marks could not be stored.
    case marksUnsaved(String)
}
