import CLMDB
import CLinux

/// Walks down the tree for several keys at a time, so that their cache misses overlap.
///
/// A look-up in a large table waits for memory at almost every probe of its binary searches, one
/// wait after the other. Here each key takes one step and asks for the line of its next; by the
/// time its turn comes again the line is there (interleaved look-ups; Kocberber, Falsafi and Grot,
/// "Asynchronous Memory Access Chaining", VLDB 2015). The probes are those of `mdb_get`; what they
/// find is remembered, so that they are not made twice. A key that is not found here is not said to
/// be missing: LMDB is asked.
///
/// The layout of a page stands at the top of `TreeAudit`. Not Sendable: one thread.
package struct TablePrefetch: ~Copyable {
    /// How many keys one walk takes.
    package static let keysMax = 32

    private static let headBytes = 16
    private static let nodeBytes = 8
    private static let lineBytes = 64
    private static let depthMax = 32
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    /// Of a page's flags those that say what it is.
    private static let kinds: UInt16 = 0x6F
    /// How many nodes are remembered, as a power of two.
    private static let placesBits = 7
    /// The depth and the page number within the 48 bytes that describe a table.
    private static let depthOffset = 6
    private static let rootOffset = 40
    /// The leaves, and the branches above them: there are too many for the caches.
    private static let coldLevels = 2

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
    /// The nodes that were found, by a hash of their keys; of those that share one the last.
    private let places: UnsafeMutablePointer<UnsafeRawPointer?>
    /// The view that they lie in.
    private var placesView = 0
    /// Where the map begins, and the first page of the table, in the view `commit`.
    private var map: UnsafeRawPointer?
    private var root: UnsafeRawPointer?
    /// So many levels are touched by every run: there is nothing to wait for.
    private var warmLevels = 0
    private var commit = -1

    /// For look-ups of `reader` in the table `name`.
    package init(_ reader: PooledReader, table name: String) throws(LMDBFailure) {
        self.reader = reader
        self.name = Array(name.utf8)
        let info = try reader.environment.info()
        pageBytes = info.pageBytes
        // SAFETY: freed in `deinit`; the first `count` are initialised.
        steps = .allocate(capacity: Self.keysMax)
        places = .allocate(capacity: 1 << Self.placesBits)
        places.initialize(repeating: nil, count: 1 << Self.placesBits)
    }

    deinit {
        steps.deallocate()
        places.deallocate()
    }

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
        if placesView != reader.view {
            places.update(repeating: nil, count: 1 << Self.placesBits)
            placesView = reader.view
        }
        findRoot()
        guard let map, let root else { return 0 }
        var (active, found) = (0, 0)
        for index in 0..<count {
            let key = steps[index].key
            guard let page = pageBelow(root, of: key, map) else { continue }
            linux_prefetch(page)
            steps[active] = Step(key: key, page: page, depth: warmLevels)
            active += 1
        }
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

    /// The value of `key`, where a run in the present view has found it; nil says nothing.
    ///
    /// Lent as long as the view.
    package func value(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard placesView == reader.view, reader.isLive, let start = key.baseAddress,
            let node = places[Self.place(of: start, key.count)]
        else { return nil }
        // SAFETY: the view is live, and the node lies in its page, as `remember` has seen.
        guard Int(node.load(fromByteOffset: 6, as: UInt16.self)) == key.count,
            Self.order(start, key.count, node + Self.nodeBytes, key.count) == 0
        else { return nil }
        return UnsafeRawBufferPointer(
            start: node + Self.nodeBytes + key.count,
            count: Self.valueBytes(of: node)
        )
    }

    /// Remembers the node of a key, where its value lies behind it, whole, and is nothing else.
    @inline(__always)
    private func remember(_ node: UnsafeRawPointer, of step: Step) {
        let end = node - step.page + Self.nodeBytes + step.key.count + Self.valueBytes(of: node)
        guard step.page.load(fromByteOffset: 10, as: UInt16.self) & Self.kinds == Self.leaf,
            node.load(fromByteOffset: 4, as: UInt16.self) == 0, end <= pageBytes,
            let key = step.key.baseAddress
        else { return }
        places[Self.place(of: key, step.key.count)] = node
    }

    @inline(__always)
    private static func valueBytes(of node: UnsafeRawPointer) -> Int {
        Int(node.loadUnaligned(as: UInt32.self))
    }

    /// A hash of the last bytes, which differ most often.
    @inline(__always)
    private static func place(of key: UnsafeRawPointer, _ count: Int) -> Int {
        var last = UInt64(0)
        if count >= 8 {
            last = key.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        } else {
            for index in 0..<count {
                last = last << 8 | UInt64(key.load(fromByteOffset: index, as: UInt8.self))
            }
        }
        return Int((last &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - placesBits))
    }

    /// The page behind the warm levels that has `key`, if any has; nil where what is there is no
    /// branch.
    @inline(__always)
    private func pageBelow(
        _ root: UnsafeRawPointer,
        of key: UnsafeRawBufferPointer,
        _ map: UnsafeRawPointer
    ) -> UnsafeRawPointer? {
        var page = root
        for _ in 0..<warmLevels {
            let lower = Int(page.load(fromByteOffset: 12, as: UInt16.self))
            guard page.load(fromByteOffset: 10, as: UInt16.self) & Self.kinds == Self.branch,
                lower > Self.headBytes, lower <= pageBytes
            else { return nil }
            var (low, high) = (1, (lower - Self.headBytes) / 2 - 1)
            while low <= high {
                let middle = (low + high) / 2
                guard let order = order(of: key, atNode: middle, of: page) else { return nil }
                if order < 0 { high = middle - 1 } else { low = middle + 1 }
            }
            guard let child = child(low - 1, of: page, map) else { return nil }
            page = child
        }
        return page
    }

    /// Below, at or above zero as `key` stands before, at or behind a node; nil where the page has
    /// no such node.
    @inline(__always)
    private func order(
        of key: UnsafeRawBufferPointer,
        atNode index: Int,
        of page: UnsafeRawPointer
    ) -> Int? {
        guard let node = node(index, of: page), let start = key.baseAddress else { return nil }
        let size = Int(node.load(fromByteOffset: 6, as: UInt16.self))
        guard node - page + Self.nodeBytes + size <= pageBytes else { return nil }
        return Self.order(start, key.count, node + Self.nodeBytes, size)
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
        guard let order = order(of: step.key, atNode: middle, of: page) else { return .lost }
        if order == 0 {
            if isBranch { return descend(&step, to: middle, isBranch, map) }
            guard let node = node(middle, of: page) else { return .lost }
            askForLines(from: node + Self.nodeBytes + step.key.count, to: page + pageBytes)
            remember(node, of: step)
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
        if index < shared, shared > 8 {
            // The last eight; those before the rest are equal.
            let last = shared - 8
            let left = first.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            let right = second.loadUnaligned(fromByteOffset: last, as: UInt64.self)
            if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
            index = shared
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
        step.depth += 1
        // Deeper than any tree of LMDB's: a page that is rotten may lead back to itself.
        guard isBranch, step.depth < Self.depthMax, let child = child(index, of: step.page, map)
        else { return .lost }
        step.page = child
        step.isNew = true
        linux_prefetch(step.page)
        return .onward
    }

    /// The page under node `index` of a branch.
    @inline(__always)
    private func child(
        _ index: Int,
        of page: UnsafeRawPointer,
        _ map: UnsafeRawPointer
    ) -> UnsafeRawPointer? {
        guard let node = node(index, of: page) else { return nil }
        let low = Int(node.loadUnaligned(as: UInt32.self))
        let number = low | Int(node.load(fromByteOffset: 4, as: UInt16.self)) << 32
        return number < pagesCount ? map + number * pageBytes : nil
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
            let depth = Int(record.loadUnaligned(fromByteOffset: Self.depthOffset, as: UInt16.self))
            warmLevels = min(max(0, depth - Self.coldLevels), Self.depthMax)
        }
    }
}

extension UnsafeRawPointer {
    fileprivate func alignedDown(toMultipleOf bytes: Int) -> UnsafeRawPointer {
        self - Int(bitPattern: self) % bytes
    }
}
