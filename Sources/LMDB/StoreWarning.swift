/// Something about the store's place that an operator should hear, but that stops nothing.
package enum StoreWarning: Sendable, Equatable, CustomStringConvertible {
    /// The directory lies on an overlay file system: fine for trying, not for keeping.
    case overlayFilesystem

    /// data.mdb had no sums: a version before this one wrote it, or data.sums was taken away.
    case sumsMissing
    /// data.sums is damaged.
    case sumsUnreadable
    /// data.sums belongs to another data.mdb.
    case sumsOfAnother

    /// One sentence for the log.
    package var description: String {
        switch self {
        case .overlayFilesystem:
            "The storage directory is on overlayfs; mount a real file system to keep what is in it."
        case .sumsMissing:
            "data.sums was missing; every page of data.mdb was walked, and data.sums made again."
        case .sumsUnreadable:
            "data.sums was damaged; every page of data.mdb was walked, and data.sums made again."
        case .sumsOfAnother:
            "data.sums was of another data.mdb; every page was walked, and data.sums made again."
        }
    }
}
