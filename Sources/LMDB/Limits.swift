/// The numbers this room lives by, each with its unit.
package enum Limits {
    /// Less free space than this and an environment is not opened.
    package static let freeSpaceBytesMin = 1 << 20

    /// LMDB compiles this in (`MDB_MAXKEYSIZE`); a longer or an empty key is refused.
    package static let keyBytesMax = 511

    /// The largest page LMDB knows (`MAX_PAGESIZE`).
    static let pageBytesMax = 1 << 16

    /// The smallest page this room believes in.
    static let pageBytesMin = 512

    /// One slot of LMDB's reader table: a cache line.
    static let readerSlotBytes = 64

    /// More than the header of lock.mdb takes: two cache lines and a mutex.
    static let lockHeaderBytesMax = 4096

    /// The deepest tree LMDB can walk (`CURSOR_STACK`).
    static let treeDepthMax = 32

    /// Up to this size every page of data.mdb is compared with its sum before opening.
    ///
    /// A few hundredths of a second. Of a larger file each page is when it is first touched.
    package static let comparedBytesMax = 32 << 20

    /// data.sums is written anew when what was appended is longer than its first record and this.
    static let sumsSlackBytes = 1 << 20

    /// What a message of the reader table may take before the rest of it is ignored.
    static let readerListBytesMax = 1 << 20

    /// A copy is written in transactions of so many bytes of rows.
    static let copyPieceBytes = 16 << 20

    /// What a copy may take beside its rows: the paths that its transactions write again.
    static let copySlackBytes = 64 << 20
}
