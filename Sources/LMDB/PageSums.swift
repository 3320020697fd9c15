import CLinux
import Glibc

/// The sum of every page that the newest commit can reach, by page number; 0 for every other page.
///
/// One thread changes them, the one that writes; any thread may look, and so may the handler of
/// `linux_guard_begin`. A page that a commit gave up has none from then on, and LMDB writes it
/// again in the commit after the next at the soonest: where there is a sum, the page is not being
/// written.
final class PageSums: Sendable {
    // SAFETY: unmapped in deinit alone; loaded and stored as atomics.
    nonisolated(unsafe) let start: UnsafeMutablePointer<UInt32>
    let capacity: Int

    /// Room for `capacity` pages; memory is taken for those alone that have sums.
    init(capacity: Int) throws(LMDBFailure) {
        let bytes = capacity * MemoryLayout<UInt32>.stride
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        // SAFETY: a new map of zeros, which nobody else knows of.
        let map = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let map, map != MAP_FAILED else { throw .ofLastCall("map \(bytes) bytes") }
        start = map.bindMemory(to: UInt32.self, capacity: capacity)
        self.capacity = capacity
    }

    deinit { munmap(start, capacity * MemoryLayout<UInt32>.stride) }

    /// The sum of page `number`, which is below `capacity`.
    subscript(number: Int) -> UInt32 {
        get { linux_sum_load(place(of: number)) }
        set { linux_sum_store(place(of: number), newValue) }
    }

    private func place(of number: Int) -> UnsafeMutablePointer<UInt32> {
        // What stands behind the map is somebody else's.
        precondition(0 <= number && number < capacity, "a page beyond the sums")
        return start + number
    }
}
