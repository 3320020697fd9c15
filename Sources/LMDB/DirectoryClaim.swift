import Glibc
import Synchronization

/// This process's claim on one directory; keeps E1 (one environment per directory and process).
struct DirectoryClaim: Sendable {
    private struct Place: Hashable, Sendable {
        let device: UInt
        let inode: UInt
    }

    private static let taken = Mutex<Set<Place>>([])
    private let place: Place

    /// Claims the directory, under whatever name it is reached.
    static func take(_ directory: String) throws(LMDBFailure) -> DirectoryClaim {
        var status = stat()
        // SAFETY: stat fills the structure it is given.
        guard stat(directory, &status) == 0 else { throw .ofLastCall(directory) }
        let place = Place(device: status.st_dev, inode: status.st_ino)
        guard taken.withLock({ $0.insert(place).inserted }) else { throw .busy(pid: getpid()) }
        return DirectoryClaim(place: place)
    }

    /// Gives the directory back; harmless the second time only if nobody claimed it between.
    func release() {
        _ = Self.taken.withLock { $0.remove(place) }
    }
}
