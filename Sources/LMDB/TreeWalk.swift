/// Visits every page that the newest commit can reach, without LMDB, so that no damage can crash.
///
/// Layout of a tree page: the page's head of 16 bytes (see `StoreFile`), then `(lower - 16) / 2`
/// offsets of nodes, u16 each, in key order. A node:
///
///     0 u16 low   2 u16 high   4 u16 flags   6 u16 key size   8 key, then the value
///
/// In a branch, low, high and flags are 48 bits of a page number. In a leaf, low and high are the
/// size of the value; flag 1: the value is the u64 number of an overflow page; flag 2: the value is
/// the 48 bytes of a table.
struct TreeWalk: ~Copyable {
    private static let headBytes = 16
    private static let nodeBytes = 8
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    private static let overflow: UInt16 = 0x04
    private static let bigValue: UInt16 = 0x01
    private static let subTable: UInt16 = 0x02

    private let file: PageFile
    private let meta: StoreFile.Meta
    private let readsLeaves: Bool
    private var visited: Set<UInt64> = []

    /// A walk over `file`; without leaves, those of the named tables are only looked for.
    init(file: consuming PageFile, meta: StoreFile.Meta, readsLeaves: Bool = true) {
        self.file = file
        self.meta = meta
        self.readsLeaves = readsLeaves
    }

    /// Throws `.damaged` at the first page that is missing, not what it should be, or used twice.
    mutating func run() throws(LMDBFailure) {
        try walk(meta.freeTable, "the free table", readsLeaves: true)
        try walk(meta.mainTable, "the main table", readsLeaves: true)
    }

    private mutating func walk(
        _ table: StoreFile.TableRoot,
        _ name: String,
        readsLeaves: Bool
    ) throws(LMDBFailure) {
        if table.root == StoreFile.TableRoot.none { return }
        let depthRead = readsLeaves ? table.depth : max(1, table.depth - 1)
        try visit(table.root, depth: 1, of: table.depth, read: depthRead, name)
    }

    private mutating func visit(
        _ number: UInt64,
        depth: Int,
        of depthMax: Int,
        read depthRead: Int,
        _ name: String
    ) throws(LMDBFailure) {
        if depth > depthRead, depth == depthMax { return try find(number, name) }
        guard depth <= depthMax, depth <= Limits.treeDepthMax else {
            throw damaged("\(name) is deeper than it says, at page \(number)")
        }
        let page = try page(number, name)
        let flags = page.u16(10)
        let isBranch = flags & Self.branch != 0
        guard isBranch != (flags & Self.leaf != 0), isBranch == (depth < depthMax) else {
            throw damaged("page \(number) of \(name) is of the wrong kind")
        }
        let lower = Int(page.u16(12))
        let upper = Int(page.u16(14))
        guard lower >= Self.headBytes, lower <= upper, upper <= meta.pageBytes, lower % 2 == 0
        else { throw damaged("page \(number) of \(name) has no sound head") }
        var nodes: [Int] = []
        for index in 0..<(lower - Self.headBytes) / 2 {
            let node = Int(page.u16(Self.headBytes + 2 * index))
            guard node >= upper, node + Self.nodeBytes <= meta.pageBytes else {
                throw damaged("node \(index) of page \(number) of \(name) lies outside")
            }
            nodes.append(node)
        }
        guard isBranch else {
            for node in nodes { try look(at: node, in: page, number, name) }
            return
        }
        let children = nodes.map { UInt64(page.u32($0)) | UInt64(page.u16($0 + 4)) << 32 }
        if depth < depthRead { announce(children) }
        for child in children {
            try visit(child, depth: depth + 1, of: depthMax, read: depthRead, name)
        }
    }

    /// Has the disk fetch pages side by side that are read one after the other.
    private func announce(_ numbers: [UInt64]) {
        for number in numbers where number <= meta.lastPage {
            file.announce(at: Int(number) * meta.pageBytes, count: meta.pageBytes)
        }
    }

    /// Follows what one node of a leaf points to.
    private mutating func look(
        at node: Int,
        in page: PageBytes,
        _ number: UInt64,
        _ name: String
    ) throws(LMDBFailure) {
        let size = Int(page.u32(node))
        let flags = page.u16(node + 4)
        let value = node + Self.nodeBytes + Int(page.u16(node + 6))
        let stored = flags & Self.bigValue != 0 ? 8 : size
        guard value + stored <= meta.pageBytes else {
            throw damaged("a value of page \(number) of \(name) lies outside")
        }
        if flags & Self.bigValue != 0 {
            try overflow(page.u64(value), size: size, name)
        } else if flags & Self.subTable != 0 {
            guard size == 48 else { throw damaged("a table in page \(number) has \(size) bytes") }
            let table = StoreFile.TableRoot(
                depth: Int(page.u16(value + 6)),
                root: page.u64(value + 40)
            )
            try walk(table, "a table", readsLeaves: readsLeaves)
        }
    }

    private mutating func overflow(
        _ number: UInt64,
        size: Int,
        _ name: String
    ) throws(LMDBFailure) {
        let page = try page(number, name)
        let needed = (Self.headBytes - 1 + size) / meta.pageBytes + 1
        let count = Int(page.u32(12))
        // More than are needed where the value became shorter in the commit that made it.
        guard page.u16(10) & Self.overflow != 0, count >= needed else {
            throw damaged("page \(number) of \(name) is no value of \(size) bytes")
        }
        let last = number + UInt64(count - 1)
        guard last <= meta.lastPage, last < UInt64(file.byteCount / meta.pageBytes) else {
            throw damaged("the value at page \(number) of \(name) ends behind the file")
        }
    }

    private mutating func page(_ number: UInt64, _ name: String) throws(LMDBFailure) -> PageBytes {
        guard number >= 2, number <= meta.lastPage else {
            throw damaged("\(name) points to page \(number)")
        }
        guard visited.insert(number).inserted else {
            throw damaged("page \(number) of \(name) is used twice")
        }
        guard let page = try file.bytes(at: Int(number) * meta.pageBytes, count: meta.pageBytes)
        else { throw damaged("page \(number) of \(name) is behind the end of the file") }
        guard page.u64(0) == number else {
            throw damaged("page \(number) of \(name) says it is page \(page.u64(0))")
        }
        return page
    }

    /// Makes sure that a page is there, without reading it.
    private func find(_ number: UInt64, _ name: String) throws(LMDBFailure) {
        guard number >= 2, number <= meta.lastPage,
            number < UInt64(file.byteCount / meta.pageBytes)
        else { throw damaged("\(name) points to page \(number)") }
    }

    private func damaged(_ detail: String) -> LMDBFailure { .damaged("\(file.path): \(detail)") }
}
