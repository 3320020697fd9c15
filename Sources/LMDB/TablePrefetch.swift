import CLMDB
import CLinux

/// Walks down the tree for several keys at a time, so that their cache misses overlap.
///
/// A look-up in a large table waits for memory at almost every probe of its binary searches, one
/// wait after the other. Here each key takes one step and asks for the line of its next; by the
/// time its turn comes again the line is there (interleaved look-ups; Kocberber, Falsafi and Grot,
/// "Asynchronous Memory Access Chaining", VLDB 2015). The probes are those of `mdb_get`, which then
/// finds its lines in the cache. Nothing is answered from here: a wrong step costs time and no
/// more.
///
/// The layout of a page stands at the top of `TreeWalk`. Not Sendable: one thread.
package struct TablePrefetch: ~Copyable {
    /// How many keys one walk takes.
    package static let keysMax = 32

    private static let headBytes = 16
    private static let nodeBytes = 8
    private static let lineBytes = 64
    private static let depthMax = 32
    private static let branch: UInt16 = 0x01
    /// The page number within the 48 bytes that describe a table.
    private static let rootOffset = 40

    /// Where one key stands: which page, and between which of its nodes.
    private struct Step {
        var key: UnsafeRawBufferPointer
        var page: UnsafeRawPointer
        var low = 0
        var high = -1
        /// How far below the root.
        var depth = 0
        /// Whether the page has only just been asked for.
        var isNew = true
    }

    private enum Progress {
        case onward, found, lost
    }

    private let reader: PooledReader
    private let name: [UInt8]
    private let pageBytes: Int
    /// How many pages the file has, as of the view; others are not touched.
    private var pagesCount = 0
    private let steps: UnsafeMutablePointer<Step>
    private var count = 0
    /// Where the map begins, and the first page of the table, in the view `commit`.
    private var map: UnsafeRawPointer?
    private var root: UnsafeRawPointer?
    private var commit = -1

    /// For look-ups of `reader` in the table `name`.
    package init(_ reader: PooledReader, table name: String) throws(LMDBFailure) {
        self.reader = reader
        self.name = Array(name.utf8)
        let info = try reader.environment.info()
        pageBytes = info.pageBytes
        // SAFETY: freed in `deinit`; the first `count` are initialised.
        steps = .allocate(capacity: Self.keysMax)
    }

    deinit { steps.deallocate() }

    /// Takes a key that will be looked up; answers whether there is room for more.
    ///
    /// Its bytes must stay where they are until `run`.
    package mutating func add(_ key: UnsafeRawBufferPointer) -> Bool {
        if count < Self.keysMax, let page = key.baseAddress {
            (steps + count).initialize(to: Step(key: key, page: page))
            count += 1
        }
        return count < Self.keysMax
    }

    /// Brings near what the keys' look-ups will touch in the present view, and forgets the keys.
    ///
    /// Returns how many of them have a value; 0 also where there was nothing to overlap.
    @discardableResult
    package mutating func run() -> Int {
        defer { count = 0 }
        // One key has nothing to overlap with.
        guard count > 1, reader.isLive else { return 0 }
        findRoot()
        guard let map, let root else { return 0 }
        for index in 0..<count {
            steps[index].page = root
            steps[index].depth = 0
            steps[index].isNew = true
        }
        var (active, found) = (count, 0)
        while active > 0 {
            var index = 0
            while index < active {
                switch advance(&steps[index], map) {
                case .onward:
                    index += 1
                    continue
                case .found: found += 1
                case .lost: break
                }
                active -= 1
                steps[index] = steps[active]
            }
        }
        return found
    }

    /// One step of one key: a head read, or a node compared.
    @inline(__always)
    private func advance(_ step: inout Step, _ map: UnsafeRawPointer) -> Progress {
        // SAFETY: the view is live, so its pages are in the map and do not change; before they are
        // used every offset is compared with the page's size, every page's number with the file's.
        let page = step.page
        let isBranch = page.load(fromByteOffset: 10, as: UInt16.self) & Self.branch != 0
        if step.isNew {
            let lower = Int(page.load(fromByteOffset: 12, as: UInt16.self))
            guard lower > Self.headBytes, lower <= pageBytes else { return .lost }
            step.low = isBranch ? 1 : 0
            step.high = (lower - Self.headBytes) / 2 - 1
            step.isNew = false
            if step.low > step.high { return descend(&step, to: 0, isBranch, map) }
            return askForNode(of: step)
        }
        let middle = (step.low + step.high) / 2
        guard let node = node(middle, of: page) else { return .lost }
        let size = Int(node.load(fromByteOffset: 6, as: UInt16.self))
        guard node - page + Self.nodeBytes + size <= pageBytes,
            let key = step.key.baseAddress
        else { return .lost }
        let order = Self.order(key, step.key.count, node + Self.nodeBytes, size)
        if order == 0 {
            if isBranch { return descend(&step, to: middle, isBranch, map) }
            askForLines(from: node + Self.nodeBytes + size, to: page + pageBytes)
            return .found
        }
        if order > 0 { step.low = middle + 1 } else { step.high = middle - 1 }
        if step.low <= step.high { return askForNode(of: step) }
        return descend(&step, to: step.low - 1, isBranch, map)
    }

    /// Below, at or above zero as the first key stands before, at or behind the second, as LMDB
    /// has it: bytes first, then lengths.
    @inline(__always)
    private static func order(
        _ first: UnsafeRawPointer,
        _ firstCount: Int,
        _ second: UnsafeRawPointer,
        _ secondCount: Int
    ) -> Int {
        let shared = min(firstCount, secondCount)
        var index = 0
        while index + 8 <= shared {
            let left = first.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let right = second.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
            index += 8
        }
        while index < shared {
            let left = first.load(fromByteOffset: index, as: UInt8.self)
            let right = second.load(fromByteOffset: index, as: UInt8.self)
            if left != right { return left < right ? -1 : 1 }
            index += 1
        }
        return firstCount - secondCount
    }

    /// Goes on with the child under node `index`; in a leaf the walk ends.
    @inline(__always)
    private func descend(
        _ step: inout Step,
        to index: Int,
        _ isBranch: Bool,
        _ map: UnsafeRawPointer
    ) -> Progress {
        guard isBranch, let node = node(index, of: step.page) else { return .lost }
        let low = Int(node.loadUnaligned(as: UInt32.self))
        let number = low | Int(node.load(fromByteOffset: 4, as: UInt16.self)) << 32
        step.depth += 1
        // Deeper than any tree of LMDB's: a page that is rotten may lead back to itself.
        guard number < pagesCount, step.depth < Self.depthMax else { return .lost }
        step.page = map + number * pageBytes
        step.isNew = true
        linux_prefetch(step.page)
        return .onward
    }

    @inline(__always)
    private func node(_ index: Int, of page: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = Int(page.load(fromByteOffset: Self.headBytes + 2 * index, as: UInt16.self))
        return offset + Self.nodeBytes <= pageBytes ? page + offset : nil
    }

    @inline(__always)
    private func askForNode(of step: Step) -> Progress {
        guard let node = node((step.low + step.high) / 2, of: step.page) else { return .lost }
        linux_prefetch(node)
        linux_prefetch(node + Self.nodeBytes + min(step.key.count, Self.lineBytes))
        return .onward
    }

    /// The front of a value: what follows comes by itself, where somebody reads on.
    @inline(__always)
    private func askForLines(from value: UnsafeRawPointer, to end: UnsafeRawPointer) {
        var line = value
        let last = min(value + 2 * Self.lineBytes, end)
        while line < last {
            linux_prefetch(line)
            line += Self.lineBytes
        }
    }

    /// Looks up the table's first page, once in each view.
    @inline(__always)
    private mutating func findRoot() {
        let present = mdb_txn_id(reader.handle)
        guard present != commit else { return }
        readRoot()
        commit = present
    }

    @inline(never)
    private mutating func readRoot() {
        root = nil
        pagesCount = (try? reader.environment.info().lastPage + 1) ?? 0
        name.withUnsafeBytes { bytes in
            var key = MDB_val(bytes)
            var value = MDB_val()
            var main = MDB_dbi()
            // SAFETY: the view is live; without a name it is the main table that is opened, in
            // which a table's description is the value under its name. It lies in a leaf, and a
            // page begins with its own number.
            guard mdb_dbi_open(reader.handle, nil, 0, &main) == MDB_SUCCESS,
                mdb_get(reader.handle, main, &key, &value) == MDB_SUCCESS,
                value.mv_size == Self.rootOffset + 8, let record = value.mv_data
            else { return }
            let page = UnsafeRawPointer(record).alignedDown(toMultipleOf: pageBytes)
            let number = Int(page.load(as: UInt64.self))
            let first = UnsafeRawPointer(record)
                .loadUnaligned(fromByteOffset: Self.rootOffset, as: UInt64.self)
            guard first < UInt64(pagesCount) else { return }
            let map = page - number * pageBytes
            self.map = map
            root = map + Int(first) * pageBytes
        }
    }
}

extension UnsafeRawPointer {
    fileprivate func alignedDown(toMultipleOf bytes: Int) -> UnsafeRawPointer {
        self - Int(bitPattern: self) % bytes
    }
}
