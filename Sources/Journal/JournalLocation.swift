/// Where a journal is, and how it is opened: what whoever puts a ledger together asks, beside the
/// six calls.
package protocol JournalLocation: Sendable {
    /// Opens the journal to be written, which is made where it is missing.
    ///
    /// What was being written when the machine stopped, and was told to nobody, is gone behind it.
    ///
    /// - Parameter appliedGroup: the last group that the views reflect, which must be there.
    /// - Returns: the journal, and what there is to say of it once.
    /// - Throws: `.damaged` where a group that was committed is not whole; what the system says
    ///   where the place cannot be used.
    func open(appliedGroup: UInt64) throws(JournalFailure) -> OpenJournal

    /// The journal to be read while nobody writes it; nothing of it is changed.
    ///
    /// Whoever reads it to the end reads all of it.
    ///
    /// - Parameter appliedGroup: the last group that the views reflect, which must be there.
    /// - Returns: a journal to which nothing can be appended.
    func reading(appliedGroup: UInt64) -> any Journal

    /// Whether a rewriting was committed and not finished: what changes with the journal must be
    /// changed, too.
    var hasUnfinishedRewrite: Bool { get }
}

/// A journal that was opened to be written.
package struct OpenJournal: Sendable {
    /// The journal.
    package let journal: any Journal
    /// Where it ends.
    package let last: JournalPosition
    /// The most that one group may take.
    package let groupBytesMax: Int
    /// The group that was being written when the machine stopped, and was cut.
    package let tornTail: TornTail?

    /// An open journal with all that is known of it.
    package init(
        _ journal: any Journal,
        last: JournalPosition,
        groupBytesMax: Int,
        tornTail: TornTail? = nil
    ) {
        self.journal = journal
        self.last = last
        self.groupBytesMax = groupBytesMax
        self.tornTail = tornTail
    }
}

/// A journal of segment files in a directory.
package struct SegmentLocation: JournalLocation {
    private let directory: String
    private let limits: JournalLimits

    /// The journal in `directory`.
    package init(_ directory: String, limits: JournalLimits = JournalLimits()) {
        self.directory = directory
        self.limits = limits
    }

    package func open(appliedGroup: UInt64) throws(JournalFailure) -> OpenJournal {
        let writer = try SegmentWriter.open(
            directory: directory,
            appliedGroup: appliedGroup,
            limits: limits
        )
        return OpenJournal(
            SegmentJournal(writer),
            last: writer.last,
            groupBytesMax: limits.segmentBytesMax,
            tornTail: writer.tornTail
        )
    }

    package func reading(appliedGroup: UInt64) -> any Journal {
        SegmentJournal(reading: directory, appliedGroup: appliedGroup)
    }

    package var hasUnfinishedRewrite: Bool { Segments.areBeingReplaced(in: directory) }
}
