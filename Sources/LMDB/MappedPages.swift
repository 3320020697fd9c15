import CLinux

/// The pages of a file that LMDB has mapped.
///
/// Lent as long as the environment is open; what is read stays within the map. A page that is not
/// what was written, or is not there, ends the process: see `linux_guard_begin`.
struct MappedPages: PageSource, @unchecked Sendable {
    // SAFETY: mapped, read only, until the environment is closed.
    let start: UnsafeRawPointer
    let pageBytes: Int
    /// How many pages fit into the map.
    let count: Int
    let sums: PageSums

    /// The bytes of page `number`; nil where the map has none.
    func bytes(ofPage number: UInt64) -> UnsafeRawBufferPointer? {
        guard number < UInt64(count) else { return nil }
        // SAFETY: the map has `count` pages, and `number` is less.
        return UnsafeRawBufferPointer(start: start + Int(number) * pageBytes, count: pageBytes)
    }

    func page<R>(
        _ number: UInt64,
        _ body: (TreePage) throws(LMDBFailure) -> R
    ) throws(LMDBFailure) -> R {
        guard let bytes = bytes(ofPage: number) else {
            throw .damaged("page \(number) is behind the end of the map")
        }
        return try body(TreePage(number: number, bytes: bytes))
    }

    func sum(ofPage number: UInt64) throws(LMDBFailure) -> UInt32 {
        guard let bytes = bytes(ofPage: number) else {
            throw .damaged("page \(number) is behind the end of the map")
        }
        return linux_page_sum(number, bytes.baseAddress, bytes.count)
    }

    /// The meta pages as they are now.
    func metas(_ path: String) throws(LMDBFailure) -> StoreFile.Metas {
        // SAFETY: a file that was opened has its two meta pages.
        let first = UnsafeRawBufferPointer(start: start, count: StoreFile.metaBytes)
        let second = UnsafeRawBufferPointer(start: start + pageBytes, count: StoreFile.metaBytes)
        return StoreFile.Metas(
            try StoreFile.meta(PageBytes(bytes: Array(first)), number: 0, path),
            try StoreFile.meta(PageBytes(bytes: Array(second)), number: 1, path)
        )
    }

    /// Throws `.damaged` unless page `number` is what was written, as of this moment.
    ///
    /// A page without a sum was given up since the view was taken, or taken just now: nothing is
    /// said of it.
    func compare(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) throws(LMDBFailure) {
        let expected = sums[Int(number)]
        if expected == 0 || linux_page_sum(number, bytes.baseAddress, bytes.count) == expected {
            return
        }
        guard sums[Int(number)] != expected else {
            throw .damaged("page \(number) is not what was written")
        }
    }
}
