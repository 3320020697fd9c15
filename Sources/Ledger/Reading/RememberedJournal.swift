import Journal

/// A journal, and what one task keeps of what it reads there.
struct RememberedJournal {
    let journal: any Journal
    let memory: JournalMemory

    /// The entry `seq`; nil when it is not here.
    func entry(_ seq: UInt64) throws(JournalFailure) -> JournalEntry? {
        try journal.entry(seq, remembering: memory)
    }
}
