/// Something about the store's place that an operator should hear, but that stops nothing.
package enum StoreWarning: Sendable, Equatable, CustomStringConvertible {
    /// The directory lies on an overlay file system: fine for trying, not for keeping.
    case overlayFilesystem

    /// One sentence for the log.
    package var description: String {
        switch self {
        case .overlayFilesystem:
            "The storage directory is on overlayfs; mount a real file system to keep what is in it."
        }
    }
}
