import Glibc

/// One page of a tree, as bytes that anything may have happened to: nothing that is asked of it
/// leaves it.
///
/// Layout: the page's head of 16 bytes (see `StoreFile`), then `(lower - 16) / 2` offsets of nodes,
/// u16 each, in key order. A node:
///
///     0 u16 low   2 u16 high   4 u16 flags   6 u16 key size   8 key, then the value
///
/// In a branch, low, high and flags are 48 bits of a page number, and the key of node 0 means
/// nothing. In a leaf, low and high are the size of the value; flag 1: the value is the u64 number
/// of an overflow page; flag 2: the value is the 48 bytes of a table.
struct TreePage {
    /// Where the bytes of a value are.
    enum Value {
        /// Behind the key.
        case here(UnsafeRawBufferPointer)
        /// In pages from `first` on, behind the head of that one.
        case overflow(first: UInt64, size: Int)
        /// The tree of a named table.
        case table(StoreFile.TableRoot)
    }

    static let headBytes = 16
    static let nodeBytes = 8
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    private static let overflow: UInt16 = 0x04
    /// Of a page's flags those that say what it is.
    private static let kinds: UInt16 = 0x6F
    private static let bigValue: UInt16 = 0x01
    private static let subTable: UInt16 = 0x02
    private static let tableBytes = 48

    let number: UInt64
    /// As many as a page has.
    let bytes: UnsafeRawBufferPointer

    private var kind: UInt16 { u16(10) & Self.kinds }
    private var lower: Int { Int(u16(12)) }
    private var upper: Int { Int(u16(14)) }

    /// What nodes and their offsets take; after `check`.
    var usedBytes: Int { bytes.count - Self.headBytes - (upper - lower) }

    /// How many nodes the page has; after `check`.
    var count: Int { (lower - Self.headBytes) / 2 }

    /// Throws `.damaged` unless this is a page of the kind that its place asks for, with a sound
    /// head.
    func check(isBranch: Bool) throws(LMDBFailure) {
        guard u64(0) == number else { throw damaged("says it is page \(u64(0))") }
        guard kind == (isBranch ? Self.branch : Self.leaf) else {
            throw damaged("is of the wrong kind")
        }
        guard lower >= Self.headBytes, lower <= upper, upper <= bytes.count, lower % 2 == 0 else {
            throw damaged("has no sound head")
        }
        if isBranch, count == 0 { throw damaged("is a branch without children") }
    }

    /// How many pages a large value of `size` bytes has that begins here; throws `.damaged` where
    /// none does.
    ///
    /// More than it needs where it became shorter in the commit that made it.
    func overflowCount(of size: Int) throws(LMDBFailure) -> Int {
        guard u64(0) == number else { throw damaged("says it is page \(u64(0))") }
        let needed = (Self.headBytes - 1 + size) / bytes.count + 1
        guard kind == Self.overflow, Int(u32(12)) >= needed else {
            throw damaged("is no value of \(size) bytes")
        }
        return Int(u32(12))
    }

    /// The key of node `index`.
    func key(_ index: Int) throws(LMDBFailure) -> UnsafeRawBufferPointer {
        let node = try node(index)
        let size = Int(u16(node + 6))
        guard node + Self.nodeBytes + size <= bytes.count else {
            throw damaged("has a key that ends outside")
        }
        return part(node + Self.nodeBytes, size)
    }

    /// The page under node `index` of a branch.
    func child(_ index: Int) throws(LMDBFailure) -> UInt64 {
        let node = try node(index)
        return UInt64(u32(node)) | UInt64(u16(node + 4)) << 32
    }

    /// The value of node `index` of a leaf.
    func value(_ index: Int) throws(LMDBFailure) -> Value {
        let node = try node(index)
        let size = Int(u32(node))
        let flags = u16(node + 4)
        let start = node + Self.nodeBytes + Int(u16(node + 6))
        let stored = flags & Self.bigValue != 0 ? 8 : size
        guard start <= bytes.count, stored <= bytes.count - start else {
            throw damaged("has a value that ends outside")
        }
        if flags & Self.bigValue != 0 {
            return .overflow(first: u64(start), size: size)
        }
        guard flags & Self.subTable != 0 else { return .here(part(start, size)) }
        guard size == Self.tableBytes else { throw damaged("has a table of \(size) bytes") }
        return .table(StoreFile.TableRoot(part(start, size)))
    }

    /// Whether the value of node `index` of a leaf lies in pages of its own, or is a table.
    func isElsewhere(_ index: Int) throws(LMDBFailure) -> Bool {
        u16(try node(index) + 4) & (Self.bigValue | Self.subTable) != 0
    }

    private func node(_ index: Int) throws(LMDBFailure) -> Int {
        let node = Int(u16(Self.headBytes + 2 * index))
        guard node >= upper, node + Self.nodeBytes <= bytes.count else {
            throw damaged("has node \(index) outside")
        }
        return node
    }

    private func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
        // SAFETY: callers compare the range with the page first.
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
    }

    private func u16(_ offset: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    private func u32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private func u64(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    func damaged(_ what: String) -> LMDBFailure { .damaged("page \(number) \(what)") }
}

/// Where pages are read from.
protocol PageSource {
    /// Lends page `number` to `body`; throws `.damaged` where there is none.
    func page<R>(
        _ number: UInt64,
        _ body: (TreePage) throws(LMDBFailure) -> R
    ) throws(LMDBFailure) -> R

    /// The sum of page `number` as it is now.
    func sum(ofPage number: UInt64) throws(LMDBFailure) -> UInt32
}

extension UnsafeRawBufferPointer {
    /// Below, at or above zero as these bytes stand before, at or behind `other`, as LMDB has it:
    /// bytes first, then lengths.
    func order(to other: UnsafeRawBufferPointer) -> Int {
        let shared = Swift.min(count, other.count)
        guard shared > 0, let first = baseAddress, let second = other.baseAddress else {
            return count - other.count
        }
        // SAFETY: both have at least `shared` bytes.
        let order = memcmp(first, second, shared)
        return order != 0 ? Int(order) : count - other.count
    }
}
