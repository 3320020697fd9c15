import CLinux
import Glibc
import Synchronization

/// Rows that changed, in memory, each with its versions: the newest first, under the journal
/// position that it came with.
///
/// One thread at a time puts, any thread reads, none waits: a skip list in the order of LMDB's
/// keys, with a table of hashes before it for exact look-ups.
///
/// The law of this type:
///  - Y1. What a reader can reach is whole: bytes are written first, the pointer to them after.
///  - Y2. Nothing moves and nothing is freed before the layer itself.
///  - Y3. A version is never changed; a newer one is put before it.
final class Layer: @unchecked Sendable {
    // SAFETY: one thread puts; others find what is whole and never changes (Y1 to Y3).
    /// What a layer says about a key.
    enum Finding {
        /// Nothing: ask what lies beneath.
        case unknown
        case deleted
        /// The sealed row, valid as long as the layer.
        case row(UnsafeRawBufferPointer)
    }

    private let arena = Arena()
    private let buckets: UnsafeMutablePointer<Pointer>
    private let head: Node
    /// The last node before a place, by level; the writer's scratch pad.
    private let before: UnsafeMutablePointer<Node>
    private var random: UInt64 = 0x9E37_79B9_7F4A_7C15
    private let count = Atomic<Int>(0)

    init() {
        // SAFETY: zeros are empty pointers; freed in deinit.
        guard let zeros = calloc(Self.bucketsCount, MemoryLayout<Pointer>.stride) else {
            preconditionFailure("no memory for a layer")
        }
        buckets = zeros.bindMemory(to: Pointer.self, capacity: Self.bucketsCount)
        head = Node(base: arena.take(Node.keyOffset(height: Node.heightMax)))
        head.begin(hash: 0, table: 0, height: Node.heightMax, key: .init(start: nil, count: 0))
        before = .allocate(capacity: Node.heightMax)
        before.initialize(repeating: head, count: Node.heightMax)
    }

    deinit {
        // SAFETY: nobody reads a layer that nobody holds; pointers need no farewell.
        free(buckets)
        before.deallocate()
    }

    /// How many versions were put.
    var changes: Int { count.load(ordering: .acquiring) }

    /// The memory that rows take.
    var bytes: Int { arena.bytes }

    /// Puts a version of a row before those that are there; nil deletes it.
    ///
    /// Only the writer calls this.
    func put(_ row: [UInt8]?, _ key: [UInt8], in table: TableName, seq: UInt64) {
        key.withUnsafeBytes { key in
            let hash = Self.hash(key, table)
            let bucket = buckets + Int(hash) % Self.bucketsCount
            if let node = find(key, table, hash) {
                node.newest.pointee.store(
                    version(row, seq, older: node.newest.pointee.load(ordering: .relaxed)),
                    ordering: .releasing
                )
            } else {
                let height = drawHeight()
                let size = Node.keyOffset(height: height) + key.count
                let node = Node(base: arena.take(size))
                node.begin(hash: hash, table: table.number, height: height, key: key)
                node.newest.pointee.store(version(row, seq, older: nil), ordering: .relaxed)
                insert(node)
                let others = bucket.pointee.load(ordering: .relaxed)
                node.neighbour.pointee.store(others, ordering: .relaxed)
                bucket.pointee.store(node.base, ordering: .releasing)
            }
        }
        count.add(1, ordering: .releasing)
    }

    /// What the layer says about `key`, whose `hash` this is, as of the journal position `seq`.
    @inline(__always)
    func look(
        up key: UnsafeRawBufferPointer,
        _ hash: UInt32,
        in table: TableName,
        through seq: UInt64
    ) -> Finding {
        find(key, table, hash)?.finding(through: seq) ?? .unknown
    }

    /// The first node of `table` whose key is `key` or greater.
    func first(atOrAfter key: UnsafeRawBufferPointer, in table: TableName) -> Node? {
        neighbours(of: key, table.number).after.flatMap { $0.table == table.number ? $0 : nil }
    }

    /// The last node of `table` whose key is smaller than `key`, or `key` itself where `orAt`.
    func last(
        before key: UnsafeRawBufferPointer,
        orAt isAt: Bool,
        in table: TableName
    ) -> Node? {
        let (before, after) = neighbours(of: key, table.number)
        if isAt, let after, after.table == table.number, after.order(to: key, table.number) == 0 {
            return after
        }
        return before.base != head.base && before.table == table.number ? before : nil
    }

    /// Every node, in the order of tables and keys.
    func walk(_ body: (Node) throws -> Void) rethrows {
        var node = head.successor
        while let here = node {
            try body(here)
            node = here.successor
        }
    }

    private static let bucketsCount = 1 << 16

    /// The same in every layer, keyed anew in each process: whoever chooses keys cannot choose
    /// where they collide.
    @inline(__always)
    static func hash(_ key: UnsafeRawBufferPointer, _ table: TableName) -> UInt32 {
        var hasher = Hasher()
        hasher.combine(table.number)
        hasher.combine(bytes: key)
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    @inline(__always)
    private func find(
        _ key: UnsafeRawBufferPointer,
        _ table: TableName,
        _ hash: UInt32
    ) -> Node? {
        var place = buckets[Int(hash) % Self.bucketsCount].load(ordering: .acquiring)
        while let base = place {
            let node = Node(base: base)
            if node.hash == hash, node.order(to: key, table.number) == 0 { return node }
            place = node.neighbour.pointee.load(ordering: .relaxed)
        }
        return nil
    }

    private func neighbours(
        of key: UnsafeRawBufferPointer,
        _ table: UInt8
    ) -> (before: Node, after: Node?) {
        var node = head
        var level = Node.heightMax - 1
        while true {
            let next = node.next(level)
            if let next, next.order(to: key, table) < 0 {
                node = next
            } else if level > 0 {
                level -= 1
            } else {
                return (node, next)
            }
        }
    }

    private func insert(_ node: Node) {
        var last = head
        for level in (0..<Node.heightMax).reversed() {
            while let next = last.next(level), next.isBefore(node) { last = next }
            before[level] = last
        }
        for level in 0..<node.height {
            node.link(level).pointee.store(before[level].next(level)?.base, ordering: .relaxed)
            before[level].link(level).pointee.store(node.base, ordering: .releasing)
        }
    }

    private func version(
        _ row: [UInt8]?,
        _ seq: UInt64,
        older: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer {
        // SAFETY: the arena gives as many bytes as are written, aligned for a word.
        let base = arena.take(Version.headBytes + (row?.count ?? 0))
        base.storeBytes(of: UInt(bitPattern: older), as: UInt.self)
        base.storeBytes(of: seq, toByteOffset: 8, as: UInt64.self)
        base.storeBytes(of: row.map { $0.count } ?? -1, toByteOffset: 16, as: Int.self)
        row?.withUnsafeBytes { (base + Version.headBytes).copyMemory($0) }
        return base
    }

    /// One node in four reaches the next level.
    private func drawHeight() -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return min(1 + (random | 1 << 62).trailingZeroBitCount / 2, Node.heightMax)
    }
}

/// A place of another thing, read and written whole.
typealias Pointer = Atomic<UnsafeMutableRawPointer?>

/// One key of a layer.
///
///     OFFSET  SIZE  MEANING
///     0       8     the next node with the same hash
///     8       8     the newest version
///     16      4     hash
///     20      2     bytes of the key
///     22      1     table
///     23      1     levels
///     24      16    table and first fifteen bytes of the key, as a number: most comparisons end
///                   here
///     40      8 n   the next node, by level
///             …     the key
struct Node {
    static let heightMax = 10

    // SAFETY: points into the arena of a layer that its holder holds; see Y2.
    let base: UnsafeMutableRawPointer

    static func keyOffset(height: Int) -> Int { 40 + 8 * height }

    var neighbour: UnsafeMutablePointer<Pointer> { pointer(0) }
    var newest: UnsafeMutablePointer<Pointer> { pointer(8) }
    func link(_ level: Int) -> UnsafeMutablePointer<Pointer> { pointer(40 + 8 * level) }
    var hash: UInt32 { base.load(fromByteOffset: 16, as: UInt32.self) }
    var table: UInt8 { base.load(fromByteOffset: 22, as: UInt8.self) }
    var height: Int { Int(base.load(fromByteOffset: 23, as: UInt8.self)) }

    var rank: UInt128 { base.loadUnaligned(fromByteOffset: 24, as: UInt128.self) }

    var key: UnsafeRawBufferPointer {
        let count = Int(base.load(fromByteOffset: 20, as: UInt16.self))
        // SAFETY: a node is written whole before it is reached (Y1): its key stands behind its
        // head.
        return UnsafeRawBufferPointer(start: base + Self.keyOffset(height: height), count: count)
    }

    @inline(__always)
    func next(_ level: Int) -> Node? {
        link(level).pointee.load(ordering: .acquiring).map { Node(base: $0) }
    }

    /// The next node in the order of tables and keys.
    var successor: Node? { next(0) }

    /// What the key says as of the journal position `seq`.
    @inline(__always)
    func finding(through seq: UInt64) -> Layer.Finding {
        var place = newest.pointee.load(ordering: .acquiring)
        while let base = place {
            let version = Version(base: base)
            if version.seq <= seq { return version.finding }
            place = version.older
        }
        return .unknown
    }

    /// Negative, zero or positive, as this key comes before, at or after `key` of `table`: LMDB's
    /// order within a table.
    @inline(__always)
    func order(to other: UnsafeRawBufferPointer, _ table: UInt8) -> Int {
        guard self.table == table else { return Int(self.table) - Int(table) }
        return key.order(to: other)
    }

    /// Whether this node comes before `other`.
    @inline(__always)
    func isBefore(_ other: Node) -> Bool {
        let (one, two) = (rank, other.rank)
        return one == two ? order(to: other.key, other.table) < 0 : one < two
    }

    fileprivate func begin(hash: UInt32, table: UInt8, height: Int, key: UnsafeRawBufferPointer) {
        // SAFETY: the arena gave zeros, which are empty pointers, and room for all of this.
        base.storeBytes(of: hash, toByteOffset: 16, as: UInt32.self)
        base.storeBytes(of: UInt16(key.count), toByteOffset: 20, as: UInt16.self)
        base.storeBytes(of: table, toByteOffset: 22, as: UInt8.self)
        base.storeBytes(of: UInt8(height), toByteOffset: 23, as: UInt8.self)
        base.storeBytes(of: Self.rank(of: key, table), toByteOffset: 24, as: UInt128.self)
        (base + Self.keyOffset(height: height)).copyMemory(key)
    }

    /// What orders nodes as their tables and keys do, but for keys that begin alike.
    static func rank(of key: UnsafeRawBufferPointer, _ table: UInt8) -> UInt128 {
        var rank = UInt128(table)
        for index in 0..<15 { rank = rank << 8 | UInt128(index < key.count ? key[index] : 0) }
        return rank
    }

    private func pointer(_ offset: Int) -> UnsafeMutablePointer<Pointer> {
        // SAFETY: offsets of pointers are multiples of 8, and the node was made with them.
        (base + offset).assumingMemoryBound(to: Pointer.self)
    }
}

/// One state of a row: the older version, the journal position, the length (-1: deleted), the row.
private struct Version {
    static let headBytes = 24

    let base: UnsafeMutableRawPointer

    var older: UnsafeMutableRawPointer? {
        // SAFETY: 0, or the place of a version, which stays as long as the layer (Y2).
        UnsafeMutableRawPointer(bitPattern: base.load(as: UInt.self))
    }

    var seq: UInt64 { base.load(fromByteOffset: 8, as: UInt64.self) }

    var finding: Layer.Finding {
        let count = base.load(fromByteOffset: 16, as: Int.self)
        guard count >= 0 else { return .deleted }
        // SAFETY: a version is written whole before it is reached (Y1): `count` bytes follow its
        // head.
        return .row(UnsafeRawBufferPointer(start: base + Self.headBytes, count: count))
    }
}

/// Memory that is given out piece by piece and given back as a whole.
private final class Arena {
    private static let chunkBytes = 256 << 10
    private var chunks: [UnsafeMutableRawPointer] = []
    private var free = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private let taken = Atomic<Int>(0)

    deinit { for chunk in chunks { Glibc.free(chunk) } }

    /// The memory taken from the system.
    var bytes: Int { taken.load(ordering: .relaxed) }

    /// `count` zeros, aligned for a word.
    func take(_ count: Int) -> UnsafeMutableRawPointer {
        let rounded = (count + 7) & ~7
        if free.count < rounded {
            let size = max(rounded, Self.chunkBytes)
            // SAFETY: freed in deinit, once.
            guard let chunk = calloc(size, 1) else {
                preconditionFailure("no memory for changed rows")
            }
            chunks.append(chunk)
            taken.add(size, ordering: .relaxed)
            free = UnsafeMutableRawBufferPointer(start: chunk, count: size)
        }
        // SAFETY: `rounded` bytes are free behind the base.
        guard let base = free.baseAddress else { preconditionFailure("a chunk has a base") }
        free = UnsafeMutableRawBufferPointer(start: base + rounded, count: free.count - rounded)
        return base
    }
}

extension UnsafeMutableRawPointer {
    /// Copies all of `bytes` here.
    fileprivate func copyMemory(_ bytes: UnsafeRawBufferPointer) {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
    }
}

extension UnsafeRawBufferPointer {
    /// Negative, zero or positive, as LMDB orders keys.
    @inline(__always)
    func order(to other: UnsafeRawBufferPointer) -> Int {
        let count = Swift.min(self.count, other.count)
        if count > 0, let this = baseAddress, let that = other.baseAddress {
            let order = memcmp(this, that, count)
            if order != 0 { return Int(order) }
        }
        return self.count - other.count
    }
}
