import CLMDB
import CLinux

extension Environment {
    /// Compares some pages of data.mdb, from `first` on, with their sums, as the file has them now.
    ///
    /// Reads the file and not the map: what is found is thrown, and ends no process. May be asked
    /// from any thread; no view is held.
    ///
    /// - Parameters:
    ///   - first: the number of a page; the meta pages, 0 and 1, have no sums here.
    ///   - bytesMax: how much is read, to the page.
    /// - Returns: how many bytes were read, and the page to go on from; nil behind the last.
    /// - Throws: `.damaged` with the first page that is not what was written.
    package func comparePages(
        from first: Int,
        bytesMax: Int
    ) throws(LMDBFailure) -> (bytes: Int, next: Int?) {
        // What is thrown away with the process has no sums.
        if pages.isScratch { return (0, nil) }
        let info = try info()
        let end = min(first + max(1, bytesMax / info.pageBytes), info.lastPage + 1)
        guard first < end else { return (0, nil) }
        // Before the file is opened: what has a sum by now is in it.
        let expected = (first..<end).map { pages.sums[$0] }
        guard let file = try PageFile(of: try dataFile(), named: pages.path) else {
            throw .damaged("\(pages.path) is empty")
        }
        var bytes = 0
        for (number, sum) in zip(first..<end, expected) where sum != 0 {
            let page = try file.bytes(at: number * info.pageBytes, count: info.pageBytes)
            bytes += info.pageBytes
            let found = page.map { page in
                page.bytes.withUnsafeBytes {
                    linux_page_sum(UInt64(number), $0.baseAddress, $0.count)
                }
            }
            // One that was given up meanwhile may be another one by now.
            guard found == sum || pages.sums[number] != sum else {
                throw .damaged("\(pages.path): page \(number) is not what was written")
            }
        }
        return (bytes, end > info.lastPage ? nil : end)
    }

    /// Compares every page of data.mdb with its sum, before and after `body`, as the file has them.
    ///
    /// For whoever reads all of it to make something new of it. Before, because LMDB follows what
    /// pages say: one that is rotten must not lead it astray. After, because a page that lost a row
    /// says nothing of it, and must not become a file whose sums are right. `body` has to read in a
    /// view that is held, or from a file to which nobody writes meanwhile.
    ///
    /// - Throws: `.damaged` with the first page that is not what was written; what `body` throws.
    package func comparingAllPages<R>(_ body: () throws -> R) throws -> R {
        try compareAllPages()
        let result = try body()
        try compareAllPages()
        return result
    }

    private func compareAllPages() throws(LMDBFailure) {
        var next: Int? = 0
        while let first = next {
            next = try comparePages(from: first, bytesMax: Limits.copyPieceBytes).next
        }
    }

    /// The descriptor of data.mdb, which is the same file when its name is gone.
    private func dataFile() throws(LMDBFailure) -> Int32 {
        try use { (handle) throws(LMDBFailure) in
            var descriptor: Int32 = -1
            // SAFETY: the environment is open as long as `use` lasts.
            try LMDBFailure.check(mdb_env_get_fd(handle, &descriptor), "look at data.mdb")
            return descriptor
        }
    }
}
