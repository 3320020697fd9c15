import Glibc

/// data.mdb as bytes, looked at before LMDB maps it.
///
/// LMDB 0.9 never compares the file's size with what its meta pages say; a page that is not there
/// is SIGBUS. Layout of a page on a 64-bit machine, little-endian:
///
///     page    0  u64 number   8 u16 -   10 u16 flags   12 u16 lower   14 u16 upper
///     meta   16  u32 magic 0xBEEFC0DE   20 u32 version 1   24 u64 address   32 u64 map size
///            40  48 bytes: the free table   88  48 bytes: the main table
///           136  u64 last page in use      144 u64 number of the commit
///     table   0  u32 - (in the free table: page size)   4 u16 flags   6 u16 depth
///             8  u64 branch pages   16 u64 leaf pages   24 u64 overflow pages
///            32  u64 entries        40 u64 root page, all ones when empty
enum StoreFile {
    /// One meta page.
    struct Meta: Equatable {
        let pageBytes: Int
        let lastPage: UInt64
        let commit: UInt64
        let freeTable: TableRoot
        let mainTable: TableRoot
    }

    /// Where one table's tree begins.
    struct TableRoot: Equatable {
        let depth: Int
        let root: UInt64

        static let none = UInt64.max
    }

    static let metaBytes = 152
    static let metaFlag: UInt16 = 0x08

    /// Refuses a data file that LMDB would crash on; a missing or an empty one is a new one.
    ///
    /// Every page that tells where others are is read at each opening; the leaves of the tables
    /// too, when the file is small or too short.
    static func check(_ path: String) throws(LMDBFailure) {
        guard let file = try PageFile(path) else { return }
        let meta = try newestMeta(of: file)
        // A page that was taken and freed within one commit is never written, so a sound file can
        // end before its last page. Then, and only then, the tree is asked for every page it has.
        let isShort = UInt64(file.byteCount / meta.pageBytes) <= meta.lastPage
        let isSmall = file.byteCount <= Limits.walkedBytesMax
        var walk = TreeWalk(file: file, meta: meta, readsLeaves: isShort || isSmall)
        try walk.run()
    }

    /// The meta page that LMDB would choose, when both are sound.
    static func newestMeta(of file: borrowing PageFile) throws(LMDBFailure) -> Meta {
        let first = try meta(at: 0, of: file)
        let second = try meta(at: first.pageBytes, of: file)
        guard first.pageBytes == second.pageBytes else {
            throw .damaged("\(file.path): the two meta pages disagree about the page size")
        }
        return second.commit > first.commit ? second : first
    }

    private static func meta(
        at offset: Int,
        of file: borrowing PageFile
    ) throws(LMDBFailure) -> Meta {
        guard let bytes = try file.bytes(at: offset, count: metaBytes) else {
            throw .damaged("\(file.path): the file ends within its meta pages")
        }
        guard bytes.u16(10) == metaFlag, bytes.u32(16) == 0xBEEF_C0DE else {
            throw .damaged("\(file.path): no meta page at byte \(offset)")
        }
        guard bytes.u32(20) == 1 else { throw .versionMismatch }
        let pageBytes = Int(bytes.u32(40))
        guard pageBytes & (pageBytes - 1) == 0,
            (Limits.pageBytesMin...Limits.pageBytesMax).contains(pageBytes)
        else { throw .damaged("\(file.path): a page size of \(pageBytes) bytes") }
        let lastPage = bytes.u64(136)
        guard lastPage >= 1, lastPage < UInt64(Int.max / Limits.pageBytesMax) else {
            throw .damaged("\(file.path): a last page of \(lastPage)")
        }
        return Meta(
            pageBytes: pageBytes,
            lastPage: lastPage,
            commit: bytes.u64(144),
            freeTable: root(bytes, at: 40),
            mainTable: root(bytes, at: 88)
        )
    }

    private static func root(_ bytes: PageBytes, at offset: Int) -> TableRoot {
        TableRoot(depth: Int(bytes.u16(offset + 6)), root: bytes.u64(offset + 40))
    }
}
