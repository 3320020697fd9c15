import CLinux
import DaemonConfiguration
import Foundation
import Glibc

/// How much address space this process needs, where that is limited (RLIMIT_AS, `ulimit -v`).
///
/// What does not fit fails wherever it is asked for: a map, a thread, an allocation, and the last
/// two end a Swift program by a signal. So it is looked at before anything is begun.
enum AddressSpace {
    /// Memory beside the maps and the stacks.
    private static let heapBytes = 512 << 20
    /// Threads of our own, beside those of pools that have one or two for each processor.
    private static let ownThreads = 24
    /// Threads of pools for each processor.
    private static let threadsPerProcessor = 2
    /// The stack of a thread and its guard, where the system says nothing smaller.
    private static let stackBytes = 8 << 20 + 4096
    /// What malloc reserves for threads: one region for each of so many of them is enough.
    private static let arenasMax: Int32 = 2
    /// Where there is room, each thread has a region of its own: a thread of low priority that is
    /// interrupted while it holds the lock of a shared one stops all that share it.
    private static let arenasOfAll: Int32 = 256
    private static let arenaBytes = 128 << 20

    /// What every command needs; a `Stop` with exit code 78 where there is less.
    static func prepare() throws(Stop) {
        guard let limit else { return linux_limit_arenas(arenasOfAll) }
        // Otherwise malloc reserves a region for each thread, as long as there is room.
        linux_limit_arenas(arenasMax)
        guard limit >= ownBytes else {
            throw .configuration(
                "The address space is limited to \(limit >> 20) MiB here (ulimit -v), and"
                    + " \(mebibytes(ownBytes)) MiB are needed beside storage.mapSizeGiB."
            )
        }
    }

    /// What the maps of `storage` need beside that; a `Stop` with exit code 78 where there is less.
    static func check(_ storage: Settings.Storage) throws(Stop) {
        guard let limit else { return }
        let isPruned = FileManager.default.fileExists(atPath: storage.directory + "/base")
        // The base of a pruned journal has a map too, and so has the copy that an erasure makes of
        // it.
        let maps = isPruned || storage.journalRetentionDays > 0 ? 3 : 1
        let (bytes, isTooMuch) = (storage.mapSizeGiB << 30).multipliedReportingOverflow(by: maps)
        guard !isTooMuch, bytes <= Int.max - ownBytes, limit >= bytes + ownBytes else {
            throw .configuration(
                "storage.mapSizeGiB \(storage.mapSizeGiB) needs \(maps) ×"
                    + " \(storage.mapSizeGiB) GiB of address space and"
                    + " \(mebibytes(ownBytes)) MiB beside, and it is limited to"
                    + " \(limit >> 20) MiB here (ulimit -v)."
            )
        }
    }

    /// The limit; nil where there is none.
    private static var limit: Int? {
        var limit = rlimit()
        // SAFETY: getrlimit fills the structure.
        getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        return limit.rlim_cur == rlim_t.max ? nil : Int(clamping: limit.rlim_cur)
    }

    private static var ownBytes: Int {
        let threads = ownThreads + threadsPerProcessor * ProcessInfo.processInfo.processorCount
        return heapBytes + Int(arenasMax) * arenaBytes + threads * stackBytes
    }

    /// Rounded up: what a sentence asks for is enough.
    private static func mebibytes(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }
}
