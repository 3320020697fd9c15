import CLinux
import Glibc

/// Reads every page that the newest commit can reach, without LMDB, and believes none: for those
/// who have the time, `verify` and whoever has just made a file.
///
/// It follows the tables from their roots as a look-up does, and throws where a look-up could miss
/// an entry that is there: where keys are out of order, or where a child has a key that its parent
/// sends elsewhere. It also throws where a write would be misled: where nodes overlap, or where a
/// page is in use and on a list of free ones. What it has gone through can be given sums.
///
/// Layout of a tree page: the page's head of 16 bytes (see `StoreFile`), then `(lower - 16) / 2`
/// offsets of nodes, u16 each, in key order. The nodes fill the page from `upper` to its end, each
/// at an even offset:
///
///     0 u16 low   2 u16 high   4 u16 flags   6 u16 key size   8 key, then the value
///
/// In a branch, low, high and flags are 48 bits of a page number; the first node's key is not
/// looked at. In a leaf, low and high are the size of the value; flag 1: the value is the u64
/// number of an overflow page; flag 2: the value is the 48 bytes of a table.
struct TreeAudit: ~Copyable {
    /// What a table holds, which says how its keys are compared and what its leaves may have.
    private enum Kind {
        /// Lists of free pages under the number of the commit that freed them, a u64.
        case free
        /// The named tables, under their names.
        case main
        case named
    }

    /// The keys that a look-up searches a page for: from `lower` on, and before `upper`.
    private struct Bounds {
        var lower: [UInt8]?
        var upper: [UInt8]?
    }

    /// One table, while it is walked.
    private struct Tree {
        let kind: Kind
        let name: String
        let depth: Int
        var entries: UInt64 = 0
    }

    /// What is said of a table in 48 bytes; see `StoreFile`.
    private struct Description {
        static let bytes = 48
        static let noPage = UInt64.max
        /// The keys are numbers; the free table alone has it.
        static let numericKeys: UInt16 = 0x08
        /// The flags that say how keys are compared and what stands under them.
        static let keyFlags: UInt16 = 0x7E

        let flags: UInt16
        let depth: Int
        let entries: UInt64
        let root: UInt64

        init(_ bytes: PageBytes, at offset: Int) {
            flags = bytes.u16(offset + 4)
            depth = Int(bytes.u16(offset + 6))
            entries = bytes.u64(offset + 32)
            root = bytes.u64(offset + 40)
        }
    }

    private static let headBytes = 16
    private static let nodeBytes = 8
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    private static let overflow: UInt16 = 0x04
    private static let bigValue: UInt16 = 0x01
    private static let subTable: UInt16 = 0x02

    private let file: PageFile
    private let meta: StoreFile.Meta
    /// The sum of every page that was visited, by its number; 0 for others.
    private(set) var sums: [UInt32]
    private var free: [UInt64] = []

    /// The sums of the pages of `file`, which are all believed where they fit together.
    static func sums(
        of file: consuming PageFile,
        _ meta: StoreFile.Meta
    ) throws(LMDBFailure) -> [UInt32] {
        var audit = TreeAudit(file: file, meta: meta)
        try audit.run()
        return audit.sums
    }

    private init(file: consuming PageFile, meta: StoreFile.Meta) {
        let count = min(Int(clamping: meta.lastPage) + 1, file.byteCount / meta.pageBytes)
        sums = [UInt32](repeating: 0, count: count)
        self.file = file
        self.meta = meta
    }

    /// Throws `.damaged` at the first page that is missing, not what it should be, or used twice.
    private mutating func run() throws(LMDBFailure) {
        let pages = try [0, meta.pageBytes]
            .map { (offset) throws(LMDBFailure) in
                try file.bytes(at: offset, count: StoreFile.metaBytes)
            }
        let newest = pages.compactMap { $0 }.first { $0.u64(144) == meta.commit }
        guard let newest else { throw damaged("its meta pages are gone") }
        try walk(Description(newest, at: 40), .free, "the free table")
        try walk(Description(newest, at: 88), .main, "the main table")
        var listed: Set<UInt64> = []
        for number in free {
            guard listed.insert(number).inserted else {
                throw damaged("page \(number) is listed as free twice")
            }
            guard number >= sums.count || sums[Int(number)] == 0 else {
                throw damaged("page \(number) is in use and listed as free")
            }
        }
    }

    private mutating func walk(
        _ table: Description,
        _ kind: Kind,
        _ name: String
    ) throws(LMDBFailure) {
        // LMDB would compare keys in another way, or expect several values under one. The free
        // table has flags of the environment beside its own.
        let isSound =
            kind == .free
            ? table.flags & Description.keyFlags == Description.numericKeys : table.flags == 0
        guard isSound else { throw damaged("\(name) has flags \(table.flags)") }
        if table.root == Description.noPage {
            guard table.entries == 0 else {
                throw damaged("\(name) has \(table.entries) entries and no page")
            }
            return
        }
        guard (1...Limits.treeDepthMax).contains(table.depth) else {
            throw damaged("\(name) has a depth of \(table.depth)")
        }
        var tree = Tree(kind: kind, name: name, depth: table.depth)
        try visit(table.root, depth: 1, Bounds(), &tree)
        guard tree.entries == table.entries else {
            throw damaged("\(name) has \(tree.entries) entries and says \(table.entries)")
        }
    }

    private mutating func visit(
        _ number: UInt64,
        depth: Int,
        _ bounds: Bounds,
        _ tree: inout Tree
    ) throws(LMDBFailure) {
        let isBranch = depth < tree.depth
        let page = try page(number, tree.name)
        guard page.u16(10) == (isBranch ? Self.branch : Self.leaf) else {
            throw damaged("page \(number) of \(tree.name) is of the wrong kind")
        }
        let nodes = try nodes(of: page, number, isBranch: isBranch, tree)
        try checkOrder(of: nodes, page, number, isBranch: isBranch, bounds, tree)
        guard isBranch else {
            tree.entries += UInt64(nodes.count)
            for node in nodes { try look(at: node, in: page, number, tree) }
            return
        }
        let children = nodes.map { UInt64(page.u32($0)) | UInt64(page.u16($0 + 4)) << 32 }
        announce(children)
        for (index, child) in children.enumerated() {
            let inner = Bounds(
                lower: index == 0 ? bounds.lower : page.key(of: nodes[index]),
                upper: index + 1 < nodes.count ? page.key(of: nodes[index + 1]) : bounds.upper
            )
            try visit(child, depth: depth + 1, inner, &tree)
        }
    }

    /// Where the nodes of a page are, in key order; they fill it without gap or overlap.
    private func nodes(
        of page: PageBytes,
        _ number: UInt64,
        isBranch: Bool,
        _ tree: Tree
    ) throws(LMDBFailure) -> [Int] {
        let (lower, upper) = (Int(page.u16(12)), Int(page.u16(14)))
        guard lower >= Self.headBytes, lower <= upper, upper <= meta.pageBytes, lower % 2 == 0
        else { throw damaged("page \(number) of \(tree.name) has no sound head") }
        let count = (lower - Self.headBytes) / 2
        // A look-up expects two ways in a branch; LMDB lets the free table alone have fewer.
        guard count >= (isBranch ? 2 : 1) || tree.kind == .free else {
            throw damaged("page \(number) of \(tree.name) has \(count) nodes")
        }
        var nodes: [Int] = []
        var ends: [Int: Int] = [:]
        for index in 0..<count {
            let node = Int(page.u16(Self.headBytes + 2 * index))
            guard node >= upper, node + Self.nodeBytes <= meta.pageBytes else {
                throw damaged("node \(index) of page \(number) of \(tree.name) lies outside")
            }
            let keyBytes = Int(page.u16(node + 6))
            let isNamed = !isBranch || index > 0
            let isSound = tree.kind == .free ? keyBytes == 8 : (1...Limits.keyBytesMax) ~= keyBytes
            guard isSound || !isNamed else {
                throw damaged("a key of page \(number) of \(tree.name) has \(keyBytes) bytes")
            }
            var bytes = Self.nodeBytes + keyBytes
            if !isBranch {
                bytes += page.u16(node + 4) & Self.bigValue != 0 ? 8 : Int(page.u32(node))
            }
            ends[node] = node + (bytes + 1) / 2 * 2
            nodes.append(node)
        }
        var place = upper
        for _ in 0..<count {
            guard let end = ends[place] else { break }
            place = end
        }
        guard place == meta.pageBytes, ends.count == count else {
            throw damaged("the nodes of page \(number) of \(tree.name) do not fill it")
        }
        return nodes
    }

    /// Compares each key with the one before and with what the parent says of this page.
    private func checkOrder(
        of nodes: [Int],
        _ page: PageBytes,
        _ number: UInt64,
        isBranch: Bool,
        _ bounds: Bounds,
        _ tree: Tree
    ) throws(LMDBFailure) {
        let isSound = page.bytes.withUnsafeBytes { bytes in
            func key(_ node: Int) -> UnsafeRawBufferPointer {
                let start = node + Self.nodeBytes
                // SAFETY: `node` was found to lie whole within the page.
                return UnsafeRawBufferPointer(
                    rebasing: bytes[start..<start + Int(page.u16(node + 6))]
                )
            }
            func isBefore(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
                tree.kind == .free ? left.isBelow(numberIn: right) : left.isBelow(bytesOf: right)
            }
            // The first key of a branch stands for everything below the second.
            let named = isBranch ? nodes.dropFirst() : nodes[...]
            guard let first = named.first, let last = named.last else { return true }
            for (node, next) in zip(named, named.dropFirst()) where !isBefore(key(node), key(next))
            {
                return false
            }
            let isAbove = bounds.lower?.withUnsafeBytes { !isBefore(key(first), $0) } ?? true
            let isBelow = bounds.upper?.withUnsafeBytes { isBefore(key(last), $0) } ?? true
            return isAbove && isBelow
        }
        guard isSound else {
            throw damaged("page \(number) of \(tree.name) has keys where no look-up finds them")
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
        _ tree: Tree
    ) throws(LMDBFailure) {
        let size = Int(page.u32(node))
        let flags = page.u16(node + 4)
        let value = node + Self.nodeBytes + Int(page.u16(node + 6))
        let allowed = tree.kind == .main ? [Self.subTable] : [0, Self.bigValue]
        guard allowed.contains(flags) else {
            throw damaged("a value of page \(number) of \(tree.name) has flags \(flags)")
        }
        switch tree.kind {
        case .main:
            guard size == Description.bytes else {
                throw damaged("a table in page \(number) has \(size) bytes")
            }
            let name = String(decoding: page.key(of: node), as: UTF8.self)
            try walk(Description(page, at: value), .named, "table \(name)")
        case .named:
            if flags == Self.bigValue { _ = try overflow(page.u64(value), size: size, tree.name) }
        case .free:
            guard flags == Self.bigValue else { return try list(page, at: value, size, number) }
            let first = page.u64(value)
            let list = try overflow(first, size: size, tree.name)
            try self.list(list, at: Self.headBytes, size, first)
        }
    }

    /// Takes the pages of one list of free ones: their count, then their numbers, falling.
    private mutating func list(
        _ page: PageBytes,
        at offset: Int,
        _ size: Int,
        _ number: UInt64
    ) throws(LMDBFailure) {
        let wrong = damaged("page \(number) of the free table has no sound list of pages")
        // LMDB may reserve more room than it fills.
        guard size >= 8, size % 8 == 0, page.u64(offset) <= UInt64(size / 8 - 1) else {
            throw wrong
        }
        var before = meta.lastPage + 1
        for index in 0..<Int(page.u64(offset)) {
            let listed = page.u64(offset + 8 * (index + 1))
            guard listed >= 2, listed < before else { throw wrong }
            before = listed
            free.append(listed)
        }
    }

    /// The pages of one value.
    private mutating func overflow(
        _ number: UInt64,
        size: Int,
        _ name: String
    ) throws(LMDBFailure) -> PageBytes {
        let head = try page(number, name)
        let needed = (Self.headBytes - 1 + size) / meta.pageBytes + 1
        let count = Int(head.u32(12))
        // More than are needed where the value became shorter in the commit that made it.
        guard head.u16(10) == Self.overflow, count >= needed else {
            throw damaged("page \(number) of \(name) is no value of \(size) bytes")
        }
        let last = number + UInt64(count - 1)
        guard last <= meta.lastPage, last < UInt64(file.byteCount / meta.pageBytes) else {
            throw damaged("the value at page \(number) of \(name) ends behind the file")
        }
        for other in number..<last { _ = try bytes(ofPage: other + 1, name) }
        guard
            let pages = try file.bytes(
                at: Int(number) * meta.pageBytes,
                count: Self.headBytes + size
            )
        else { throw damaged("the value at page \(number) of \(name) ends behind the file") }
        return pages
    }

    private mutating func page(_ number: UInt64, _ name: String) throws(LMDBFailure) -> PageBytes {
        let page = try bytes(ofPage: number, name)
        guard page.u64(0) == number else {
            throw damaged("page \(number) of \(name) says it is page \(page.u64(0))")
        }
        return page
    }

    /// A page that is read once, and has its sum from then on.
    private mutating func bytes(
        ofPage number: UInt64,
        _ name: String
    ) throws(LMDBFailure) -> PageBytes {
        guard number >= 2, number <= meta.lastPage else {
            throw damaged("\(name) points to page \(number)")
        }
        guard number < UInt64(sums.count),
            let page = try file.bytes(at: Int(number) * meta.pageBytes, count: meta.pageBytes)
        else { throw damaged("page \(number) of \(name) is behind the end of the file") }
        guard sums[Int(number)] == 0 else {
            throw damaged("page \(number) of \(name) is used twice")
        }
        sums[Int(number)] = page.bytes.withUnsafeBytes {
            linux_page_sum(number, $0.baseAddress, $0.count)
        }
        return page
    }

    private func damaged(_ detail: String) -> LMDBFailure { .damaged("\(file.path): \(detail)") }
}

extension PageBytes {
    /// The key of the node at `node`, which lies within the page.
    fileprivate func key(of node: Int) -> [UInt8] {
        Array(bytes[node + 8..<node + 8 + Int(u16(node + 6))])
    }
}

extension UnsafeRawBufferPointer {
    /// As LMDB compares keys: byte by byte, and the shorter one first where it begins the other.
    fileprivate func isBelow(bytesOf other: UnsafeRawBufferPointer) -> Bool {
        guard let left = baseAddress, let right = other.baseAddress else {
            return count < other.count
        }
        // SAFETY: both have at least the smaller count.
        let order = memcmp(left, right, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// As LMDB compares keys of the free table; both have eight bytes.
    fileprivate func isBelow(numberIn other: UnsafeRawBufferPointer) -> Bool {
        UInt64(littleEndian: loadUnaligned(as: UInt64.self))
            < UInt64(littleEndian: other.loadUnaligned(as: UInt64.self))
    }
}
