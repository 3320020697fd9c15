/// Which pages one commit took, and which ones of the commit before it gave up.
///
/// LMDB copies on write: a page of the tree before is in the new tree as it was, or not at all. The
/// trees are compared level by level from their leaves' height, so that a page which both have ends
/// the comparison there: what is read are the pages that changed and their parents.
struct TreeDifference<Pages: PageSource> {
    private let pages: Pages
    private let pagesCount: Int
    /// One bit for each page, all zero between two uses.
    private var marks: [UInt64]
    /// The pages that only the new tree has.
    private(set) var added: [UInt64] = []
    /// The pages that only the old tree has.
    private(set) var removed: [UInt64] = []

    /// Nothing compared yet; `pagesCount` is more than the number of any page in either tree.
    init(_ pages: Pages, pagesCount: Int) {
        self.pages = pages
        self.pagesCount = pagesCount
        marks = [UInt64](repeating: 0, count: pagesCount / 64 + 1)
    }

    /// Compares everything that `new` can reach with what `old`, the commit before it, can.
    mutating func run(
        from old: StoreFile.Meta,
        to new: StoreFile.Meta
    ) throws(LMDBFailure) {
        _ = try compare(old.freeTable, new.freeTable)
        let tables = try compare(old.mainTable, new.mainTable)
        for (name, root) in tables.new {
            _ = try compare(tables.old[name] ?? .empty, root)
        }
        for (name, root) in tables.old where tables.new[name] == nil {
            _ = try compare(root, .empty)
        }
    }

    /// Makes sure that the new tree was built on what was written; after `run`.
    ///
    /// The pages that only the old tree has are those that LMDB copied from, and are as they were
    /// until a later commit. That it copied what had rotted, or wrote over a page that was in use,
    /// shows nowhere else.
    ///
    /// - Parameter sum: that of a page as of the old tree, 0 where it has no such page.
    /// - Throws: `.damaged` where it was not.
    func prove(_ sum: (Int) -> UInt32) throws(LMDBFailure) {
        for page in removed {
            let expected = sum(Int(page))
            if expected == 0 { continue }
            guard try pages.sum(ofPage: page) == expected else {
                throw .damaged("page \(page) is not what was written, and was built on")
            }
        }
        for page in added where sum(Int(page)) != 0 {
            throw .damaged("page \(page) was in use, and was written over")
        }
    }

    typealias Tables = [[UInt8]: StoreFile.TableRoot]

    /// The tables that stand in leaves which only one of the trees has.
    mutating func compare(
        _ old: StoreFile.TableRoot,
        _ new: StoreFile.TableRoot
    ) throws(LMDBFailure) -> (old: Tables, new: Tables) {
        let levels = max(old.isEmpty ? 0 : old.depth, new.isEmpty ? 0 : new.depth)
        guard levels <= Limits.treeDepthMax else {
            throw .damaged("the tree at page \(new.root) is \(levels) pages deep")
        }
        var before: [UInt64] = []
        var after: [UInt64] = []
        for level in stride(from: levels, through: 1, by: -1) {
            if !old.isEmpty, level == old.depth { before.append(old.root) }
            if !new.isEmpty, level == new.depth { after.append(new.root) }
            try cancel(&before, &after)
            removed += before
            added += after
            if level == 1 { break }
            before = try children(of: before)
            after = try children(of: after)
        }
        let left = try contents(of: before)
        let right = try contents(of: after)
        var valuesBefore = Array(left.values.keys)
        var valuesAfter = Array(right.values.keys)
        try cancel(&valuesBefore, &valuesAfter)
        for first in valuesBefore { removed += try run(from: first, left.values[first] ?? 0) }
        for first in valuesAfter { added += try run(from: first, right.values[first] ?? 0) }
        return (left.tables, right.tables)
    }

    /// The pages of a value of `size` bytes.
    private func run(from first: UInt64, _ size: Int) throws(LMDBFailure) -> Range<UInt64> {
        try pages.page(first) { page throws(LMDBFailure) in
            let count = try page.overflowCount(of: size)
            guard count <= pagesCount - Int(first) else {
                throw page.damaged("has a value behind the end of the file")
            }
            return first..<first + UInt64(count)
        }
    }

    /// Takes from both what both have.
    private mutating func cancel(
        _ before: inout [UInt64],
        _ after: inout [UInt64]
    ) throws(LMDBFailure) {
        for page in before + after where page < 2 || page >= UInt64(pagesCount) {
            throw .damaged("something points to page \(page)")
        }
        for page in before { marks[Int(page / 64)] |= 1 << (page % 64) }
        after.removeAll { page in
            let bit = UInt64(1) << (page % 64)
            guard marks[Int(page / 64)] & bit != 0 else { return false }
            marks[Int(page / 64)] &= ~bit
            return true
        }
        before.removeAll { page in
            let bit = UInt64(1) << (page % 64)
            defer { marks[Int(page / 64)] &= ~bit }
            return marks[Int(page / 64)] & bit == 0
        }
    }

    private func children(of branches: [UInt64]) throws(LMDBFailure) -> [UInt64] {
        var children: [UInt64] = []
        for branch in branches {
            try pages.page(branch) { page throws(LMDBFailure) in
                try page.check(isBranch: true)
                for index in 0..<page.count { children.append(try page.child(index)) }
            }
        }
        return children
    }

    /// The large values and the tables that stand in `leaves`: first pages with the bytes of the
    /// value, and roots by name.
    private func contents(
        of leaves: [UInt64]
    ) throws(LMDBFailure) -> (values: [UInt64: Int], tables: Tables) {
        var values: [UInt64: Int] = [:]
        var tables: Tables = [:]
        for leaf in leaves {
            try pages.page(leaf) { page throws(LMDBFailure) in
                try page.check(isBranch: false)
                for index in 0..<page.count where try page.isElsewhere(index) {
                    switch try page.value(index) {
                    case .here: break
                    case .table(let root): tables[Array(try page.key(index))] = root
                    case .overflow(let first, let size): values[first] = size
                    }
                }
            }
        }
        return (values, tables)
    }
}
