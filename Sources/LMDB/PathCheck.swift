import CLMDB

/// Walks down to keys over pages that are compared with their sums at this moment, without LMDB.
///
/// A page was compared when its piece of the map was opened, which may be long ago, and LMDB
/// believes it since. What is decided because a key is not there, and what is written, is too much
/// to build on that. For one commit and one thread; a page that the walk before has compared is not
/// compared again. What a deletion reads beside the path is in `PathCheck+Deleting`.
final class PathCheck {
    /// Where a walk came by.
    struct Step {
        var page: UInt64 = 0
        /// Which of the page's children it went on to; of a leaf nothing.
        var index = 0
    }

    let map: MappedPages
    private let main: StoreFile.TableRoot
    private let names: (MDB_dbi) -> [UInt8]?
    private var roots: [MDB_dbi: StoreFile.TableRoot] = [:]
    /// The pages of the last walk, by level, and the table that it was in.
    private var compared: [UInt64] = []
    private var table: MDB_dbi?
    /// The last walk, by level; 1 is the leaf.
    private(set) var trail: [Step] = []
    /// What was deleted since the transaction began.
    var deletions = Deletions()
    /// The page that `compare(at:)` has compared last.
    private var touched: UInt64 = 0

    /// For the tree below `main`, as of a commit whose pages are not written again meanwhile.
    init(
        _ map: MappedPages,
        main: StoreFile.TableRoot,
        names: @escaping (MDB_dbi) -> [UInt8]?
    ) {
        self.map = map
        self.main = main
        self.names = names
    }

    /// Whether `table` has `key`; throws `.damaged` where a page on the way is not what was
    /// written.
    func has(_ key: UnsafeRawBufferPointer, in table: Table) throws(LMDBFailure) -> Bool {
        guard let root = try root(of: table.dbi) else { return false }
        if self.table != table.dbi {
            compared.removeAll(keepingCapacity: true)
            self.table = table.dbi
        }
        return try value(of: key, below: root) != nil
    }

    /// The root of `table` as of the commit; nil where there is none.
    func root(of table: MDB_dbi) throws(LMDBFailure) -> StoreFile.TableRoot? {
        if let known = roots[table] { return known }
        guard let name = names(table) else { return nil }
        compared.removeAll(keepingCapacity: true)
        self.table = nil
        var found: Result<TreePage.Value?, LMDBFailure> = .success(nil)
        name.withUnsafeBytes { name in
            found = Result { () throws(LMDBFailure) in try value(of: name, below: main) }
        }
        guard case .table(let root) = try found.get() else { return nil }
        roots[table] = root
        return root
    }

    private func value(
        of key: UnsafeRawBufferPointer,
        below root: StoreFile.TableRoot
    ) throws(LMDBFailure) -> TreePage.Value? {
        guard !root.isEmpty else { return nil }
        guard root.depth <= Limits.treeDepthMax else {
            throw .damaged("the tree at page \(root.root) is \(root.depth) pages deep")
        }
        while compared.count <= root.depth {
            compared.append(0)
            trail.append(Step())
        }
        var number = root.root
        for level in stride(from: root.depth, to: 1, by: -1) {
            number = try map.page(number) { page throws(LMDBFailure) in
                try compare(page, level)
                try page.check(isBranch: true)
                // The first key of a branch means nothing.
                let place = try page.place(of: key, from: 1)
                let index = place.isThere ? place.index : place.index - 1
                trail[level] = Step(page: number, index: index)
                return try page.child(index)
            }
        }
        return try map.page(number) { page throws(LMDBFailure) in
            try compare(page, 1)
            try page.check(isBranch: false)
            let place = try page.place(of: key, from: 0)
            trail[1] = Step(page: number, index: place.index)
            guard place.isThere else { return nil }
            let value = try page.value(place.index)
            if case .overflow(let first, let size) = value { try compareRun(first, size) }
            return value
        }
    }

    /// Compares the pages of a value of `size` bytes: LMDB frees as many as the first one says.
    private func compareRun(_ first: UInt64, _ size: Int) throws(LMDBFailure) {
        let count = try map.page(first) { page throws(LMDBFailure) in
            try map.compare(page.number, page.bytes)
            return try page.overflowCount(of: size)
        }
        for offset in 0..<UInt64(count) {
            try map.page(first + offset) { page throws(LMDBFailure) in
                try map.compare(page.number, page.bytes)
            }
        }
    }

    /// Compares every page of the tree below `root`, each before it is looked into.
    func compareTree(_ root: StoreFile.TableRoot) throws(LMDBFailure) {
        guard !root.isEmpty else { return }
        guard root.depth <= Limits.treeDepthMax else {
            throw .damaged("the tree at page \(root.root) is \(root.depth) pages deep")
        }
        try compareTree(root.root, root.depth)
    }

    private func compareTree(_ number: UInt64, _ level: Int) throws(LMDBFailure) {
        try map.page(number) { page throws(LMDBFailure) in
            try map.compare(number, page.bytes)
            try page.check(isBranch: level > 1)
            for index in 0..<page.count {
                if level > 1 {
                    try compareTree(try page.child(index), level - 1)
                } else if try page.isElsewhere(index),
                    case .overflow(let first, let size) = try page.value(index)
                {
                    try compareRun(first, size)
                }
            }
        }
    }

    /// Compares every page of `table`: what LMDB frees when it is emptied.
    func compareAll(of table: Table) throws(LMDBFailure) {
        guard let root = try root(of: table.dbi) else { return }
        try compareTree(root)
    }

    /// Compares the page that has `address`, unless it was the last; of what lies outside of the
    /// map, pages that the transaction has changed, nothing is said.
    func compare(at address: UnsafeRawPointer) throws(LMDBFailure) {
        let offset = address - map.start
        guard offset >= 0, offset / map.pageBytes < map.count else { return }
        let number = UInt64(offset / map.pageBytes)
        guard number != touched, let bytes = map.bytes(ofPage: number) else { return }
        try map.compare(number, bytes)
        touched = number
    }

    private func compare(_ page: TreePage, _ level: Int) throws(LMDBFailure) {
        guard compared[level] != page.number else { return }
        try map.compare(page.number, page.bytes)
        compared[level] = page.number
    }
}

extension TreePage {
    /// The first node from `start` on whose key is `key` or greater, and whether it is `key`.
    fileprivate func place(
        of key: UnsafeRawBufferPointer,
        from start: Int
    ) throws(LMDBFailure) -> (index: Int, isThere: Bool) {
        var (low, high) = (start, count)
        while low < high {
            let middle = (low + high) / 2
            let order = key.order(to: try self.key(middle))
            if order == 0 { return (middle, true) }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return (low, false)
    }
}

extension CheckedPages {
    /// What a write goes by: the paths of its keys, as of the commit before it.
    ///
    /// What LMDB reads in every transaction is compared here: the meta page that it has begun
    /// with, the tree of free pages, which says what may be written over, and that of the tables.
    func pathCheck() throws(LMDBFailure) -> PathCheck? {
        guard let map else { return nil }
        do throws(LMDBFailure) {
            guard try map.metas(path).newest == meta else {
                throw .damaged("a meta page is not what was written")
            }
            let check = PathCheck(map, main: meta.mainTable, names: names(of:))
            try check.compareTree(meta.freeTable)
            try check.compareTree(meta.mainTable)
            return check
        } catch {
            throw error.named(path)
        }
    }

    /// The paths of a view of `commit`; nil where that is two commits old or more, and its meta
    /// page has been overwritten.
    func pathCheck(asOf commit: UInt64) throws(LMDBFailure) -> PathCheck? {
        guard let map else { return nil }
        let metas = try map.metas(path)
        return [metas.newest, metas.previous].first { $0.commit == commit }
            .map { PathCheck(map, main: $0.mainTable, names: names(of:)) }
    }
}
