import CLMDB

/// One named table of an environment; valid as long as the environment is open.
package struct Table: Sendable, Hashable {
    @usableFromInline
    let dbi: MDB_dbi
}
