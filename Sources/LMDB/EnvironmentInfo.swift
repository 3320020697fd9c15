/// The measures of an environment, for gauges and for people.
package struct EnvironmentInfo: Sendable, Equatable {
    /// Address space reserved for the map.
    package let mapBytes: Int
    /// The size of one page.
    package let pageBytes: Int
    /// The number of the last page in use; the file is this long at most.
    package let lastPage: Int
    /// The number of the last commit.
    package let lastCommit: Int
    /// Slots of the reader table that have a view at the moment.
    package let readersActive: Int
    /// Slots of the reader table that exist.
    package let readersMax: Int
    /// How many commits the oldest view is behind the last one; it keeps their pages in use.
    package let oldestReaderLag: Int
}

/// A view of data.mdb that somebody holds: no page that it can see is used again meanwhile.
package struct HeldView: Hashable, Sendable {
    /// Whose: a process id.
    package let process: Int32
    /// What it shows: the state that this commit left.
    package let commit: Int
}
