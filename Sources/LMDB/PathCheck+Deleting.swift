/// LMDB 0.9 reads more for a deletion than the path of its key (`mdb_rebalance`): a leaf that is
/// less than a quarter full takes nodes from the one on its left, or is merged with it; the first
/// child of a branch turns to the right. A branch that is left with one child does the same, and
/// takes the lowest key below itself or its neighbour from the leaf where it stands.
///
/// Which neighbour a page has by then depends on the deletions before in the same transaction, so
/// that more is compared here than LMDB will read: from the leaf on to the first one that cannot be
/// merged away, and of a branch that could be left with one child all neighbours.
extension PathCheck {
    /// What was deleted in one transaction.
    struct Deletions {
        /// Leaves of the commit before in which something was.
        fileprivate var leaves: Set<UInt64> = []
        /// The last of them.
        fileprivate var last: UInt64 = 0
        /// How much, by branch.
        fileprivate var counts: [UInt64: Int] = [:]
        /// Branches all of whose children were compared.
        fileprivate var families: Set<UInt64> = []
    }

    /// Compares what LMDB reads where `key` is deleted.
    ///
    /// - Throws: `.damaged` where a page is not what was written.
    func compareForDeletion(
        of key: UnsafeRawBufferPointer,
        in table: Table
    ) throws(LMDBFailure) {
        _ = try has(key, in: table)
        guard let root = try root(of: table.dbi), !root.isEmpty, root.depth > 1 else { return }
        try compareNeighbours(of: trail[1].page, below: trail[2])
        for level in 2..<max(2, root.depth) {
            let branch = trail[level].page
            let count = (deletions.counts[branch] ?? 0) + 1
            deletions.counts[branch] = count
            // Each deletion merges one leaf away at most; half of the children may have gone when
            // the branch was split.
            let children = try map.page(branch) { page throws(LMDBFailure) in page.count }
            guard 4 * count >= children else { break }
            try compareFamily(of: trail[level + 1].page, level)
        }
    }

    private func compareNeighbours(of leaf: UInt64, below parent: Step) throws(LMDBFailure) {
        guard leaf != deletions.last else { return }
        deletions.last = leaf
        deletions.leaves.insert(leaf)
        try map.page(parent.page) { page throws(LMDBFailure) in
            for index in stride(from: parent.index - 1, through: 0, by: -1) {
                if try isKept(try page.child(index)) { return }
            }
            for index in parent.index + 1..<max(parent.index + 1, page.count) {
                if try isKept(try page.child(index)) { return }
            }
        }
    }

    /// Compares `leaf`; answers whether it stays what it is, however much is taken from it for the
    /// one beside it.
    private func isKept(_ leaf: UInt64) throws(LMDBFailure) -> Bool {
        try map.page(leaf) { page throws(LMDBFailure) in
            try map.compare(leaf, page.bytes)
            try page.check(isBranch: false)
            return page.usedBytes * 8 >= page.bytes.count * 3 && !deletions.leaves.contains(leaf)
        }
    }

    /// Compares the children of `branch`, which are of `level`, and the way from each to the lowest
    /// key below it.
    private func compareFamily(of branch: UInt64, _ level: Int) throws(LMDBFailure) {
        guard deletions.families.insert(branch).inserted else { return }
        try map.page(branch) { page throws(LMDBFailure) in
            for index in 0..<page.count {
                var number = try page.child(index)
                for level in stride(from: level, through: 1, by: -1) {
                    number = try map.page(number) { page throws(LMDBFailure) in
                        try map.compare(number, page.bytes)
                        try page.check(isBranch: level > 1)
                        return level > 1 ? try page.child(0) : number
                    }
                }
            }
        }
    }
}
