import Journal

/// Whose history an entry is a part of, and where each goes on before.
struct EntryLinks {
    /// Pairs: a subject (`ChainLink`), and the position before.
    private let pairs: [UInt64]

    init(_ entry: JournalEntry) { pairs = entry.links }

    var subjects: Set<UInt64> { Set(places.map { pairs[$0] }) }

    /// The position before, 0 where there is none; nil where it is no part of that history.
    func previous(of subject: UInt64) -> UInt64? {
        places.first { pairs[$0] == subject }.map { pairs[$0 + 1] }
    }

    private var places: StrideTo<Int> { stride(from: 0, to: pairs.count - 1, by: 2) }
}
