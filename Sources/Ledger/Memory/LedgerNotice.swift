/// What the writer tells the top floor, for metrics and the log.
package enum LedgerNotice: Sendable, Hashable {
    /// The journal ended in a group that nobody was told of; it was cut.
    case tornTailCut
    /// So many entries were missing in the views and were replayed.
    case replayed(Int)
    /// At the start: some rows were made by rules of this version, which are not the present ones.
    case rulesChanged(from: UInt32)
    /// A group is on disk and visible.
    case stored(commands: Int, nanoseconds: Int)
    /// A product that no plan or pack of the catalog names; told once for each.
    case unknownProduct(String)
    /// A non-renewing subscription was bought for which the catalog names no days; told once for
    /// each product.
    case undatedProduct(String)
    /// The clock jumped; writes wait until the new time has held.
    case clockJumped
    /// At the start the clock is so many milliseconds behind the last entry of the journal.
    case clockBehind(milliseconds: Int64)
    /// At the start the clock is so many milliseconds ahead of the last entry of the journal.
    case clockAhead(milliseconds: Int64)
    /// Writes are refused for want of space.
    case storageFull
    /// Writes are taken again.
    case storageBack
    /// A question, a write or an upkeep met this failure; told once for each sentence.
    case met(LedgerFailure)
    /// A question or a write found a page or a row of the views that is not what was written; the
    /// process must end.
    case viewsDamaged(LedgerFailure)
    /// An erasure that was journalled cannot be finished: names stand in the journal or the base
    /// still. It is tried again by the next one and by the next start.
    case erasureUnfinished(String)
}
