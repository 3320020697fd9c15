/// What one task keeps of a journal that it reads, so that a neighbour costs less.
///
/// For one thread. Between `remember` and `forget` a journal keeps in it what it has read;
/// otherwise every question looks at the journal as it is.
package final class JournalMemory {
    /// What a journal keeps here; only itself can say what that is.
    package var kept: (any KeptByJournal)?
    /// Whether what is read is kept.
    package private(set) var isRemembering = false
    /// Entries that were decoded since the memory was made.
    package var entriesDecoded = 0

    /// A memory of nothing.
    package init() {}

    /// From now on keeps what is read: for one task that reads much, and for no longer, because
    /// entries are rewritten where somebody is erased.
    package func remember() {
        kept?.forget()
        isRemembering = true
    }

    /// Gives back what was kept.
    package func forget() {
        kept?.forget()
        isRemembering = false
    }

    /// Whether something that was read since `remember` has been rewritten or dropped.
    package var isOutdated: Bool { kept?.isOutdated ?? false }
}

/// What a journal keeps in a `JournalMemory`.
package protocol KeptByJournal: AnyObject {
    /// Gives back files and memory.
    func forget()
    /// Whether something that was read has been rewritten or dropped.
    var isOutdated: Bool { get }
}
