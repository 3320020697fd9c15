import Glibc

extension StoreDirectory {
    /// How large a map may be: no larger than this process may make a file (RLIMIT_FSIZE).
    ///
    /// LMDB calls a write that was cut short at that limit EIO, after which it can do nothing more. With a
    /// map of that size it finds no room before it writes, and the next transaction may succeed.
    static func mapBytes(_ wanted: Int) -> Int {
        var limit = rlimit()
        // SAFETY: getrlimit fills the structure.
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let pageBytes = Int(getpagesize())
        return min(wanted, Int(clamping: limit.rlim_cur) / pageBytes * pageBytes)
    }
}
