/// What is said once about the entries that were written and flushed together.
package struct JournalGroup: Sendable, Equatable {
    /// The place of the group; consecutive, from 1.
    package let number: UInt64
    /// The seq of its first entry.
    package let firstSeq: UInt64
    /// How many entries it has.
    package let entryCount: Int
    /// What it takes where it is kept.
    package let bytes: Int
    /// The catalog its entries were decided under.
    package let catalogVersion: UInt32
    /// The rules its entries were decided under.
    package let rulesVersion: UInt32

    /// The seq of its last entry.
    package var lastSeq: UInt64 { firstSeq + UInt64(entryCount) - 1 }
}

extension JournalGroup {
    /// A group with all that is said of it.
    package init(
        number: UInt64,
        firstSeq: UInt64,
        entryCount: Int,
        bytes: Int,
        versions: JournalVersions
    ) {
        self.init(
            number: number,
            firstSeq: firstSeq,
            entryCount: entryCount,
            bytes: bytes,
            catalogVersion: versions.catalog,
            rulesVersion: versions.rules
        )
    }
}

/// A group that was being written when the machine stopped; nobody was told that it happened.
package struct TornTail: Sendable, Equatable {
    /// The number the group would have had.
    package let group: UInt64
    /// The segment's file name.
    package let segment: String
    /// Where in the segment it begins.
    package let offset: Int
}

/// What a look through a whole journal found.
package struct JournalSummary: Sendable, Equatable {
    /// The first seq that is still here; 0 when there is none.
    package let firstSeq: UInt64
    /// The last seq that is on the disk; 0 when there is none.
    package let lastSeq: UInt64
    /// The last group that is on the disk; 0 when there is none.
    package let lastGroup: UInt64
    /// The group that was being written when the machine stopped, if there is one.
    package let tornTail: TornTail?
}
