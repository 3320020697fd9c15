import CLMDB

/// One named table of an environment; valid as long as the environment is open.
package struct Table: Sendable, Hashable {
    @usableFromInline
    let dbi: MDB_dbi

    /// Stands for a table that is not there; LMDB refuses whatever is asked of it.
    package static let absent = Table(dbi: .max)
}
