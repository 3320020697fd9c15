import CLinux

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
        /// CRC32C of its bytes.
        let sum: UInt32
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

        /// The root of a table without entries.
        private static let none = UInt64.max
        static let empty = TableRoot(depth: 0, root: none)

        var isEmpty: Bool { root == Self.none }
    }

    /// Both meta pages: the one that LMDB goes by, and the one before.
    struct Metas: Equatable {
        let newest: Meta
        let previous: Meta

        init(_ first: Meta, _ second: Meta) {
            (newest, previous) = second.commit > first.commit ? (second, first) : (first, second)
        }
    }

    static let metaBytes = 152
    static let metaFlag: UInt16 = 0x08

    /// The meta pages, where both are sound; the greater commit is the newer one.
    static func metas(of file: borrowing PageFile) throws(LMDBFailure) -> Metas {
        let first = try meta(0, at: 0, of: file)
        let second = try meta(1, at: first.pageBytes, of: file)
        guard first.pageBytes == second.pageBytes else {
            throw .damaged("\(file.path): the two meta pages disagree about the page size")
        }
        return Metas(first, second)
    }

    private static func meta(
        _ number: UInt64,
        at offset: Int,
        of file: borrowing PageFile
    ) throws(LMDBFailure) -> Meta {
        guard let bytes = try file.bytes(at: offset, count: metaBytes) else {
            throw .damaged("\(file.path): the file ends within its meta pages")
        }
        return try meta(bytes, number: number, file.path)
    }

    /// What the first bytes of meta page `number` say, where they are sound; `path` is named where
    /// not.
    ///
    /// LMDB writes the first 32 bytes once, when it makes the file, and later commits leave them
    /// alone: rot there must not get a sum with the next commit.
    static func meta(
        _ bytes: PageBytes,
        number: UInt64,
        _ path: String
    ) throws(LMDBFailure) -> Meta {
        guard bytes.u64(0) == number, bytes.u16(8) == 0, bytes.u16(10) == metaFlag,
            bytes.u32(12) == 0, bytes.u32(16) == 0xBEEF_C0DE
        else { throw .damaged("\(path): a meta page is none") }
        guard bytes.u32(20) == 1 else { throw .versionMismatch }
        guard bytes.u64(24) == 0 else {
            throw .damaged("\(path): a meta page names an address")
        }
        let pageBytes = Int(bytes.u32(40))
        guard pageBytes & (pageBytes - 1) == 0,
            (Limits.pageBytesMin...Limits.pageBytesMax).contains(pageBytes)
        else { throw .damaged("\(path): a page size of \(pageBytes) bytes") }
        let lastPage = bytes.u64(136)
        guard lastPage >= 1, lastPage < UInt64(Int.max / Limits.pageBytesMax) else {
            throw .damaged("\(path): a last page of \(lastPage)")
        }
        return Meta(
            sum: bytes.bytes.withUnsafeBytes { linux_crc32c(0, $0.baseAddress, $0.count) },
            pageBytes: pageBytes,
            lastPage: lastPage,
            commit: bytes.u64(144),
            freeTable: root(bytes, at: 40),
            mainTable: root(bytes, at: 88)
        )
    }

    private static func root(_ bytes: PageBytes, at offset: Int) -> TableRoot {
        // SAFETY: a meta page was read whole, and both offsets lie within it.
        bytes.bytes.withUnsafeBytes { TableRoot(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
    }
}

extension StoreFile.TableRoot {
    /// As the 48 bytes or more that describe a table say.
    init(_ bytes: UnsafeRawBufferPointer) {
        depth = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self)))
        root = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
    }
}
