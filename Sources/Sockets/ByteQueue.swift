import CLinux
import Glibc

/// Bytes that wait: of a half frame, or to be sent.
///
/// Holds no memory while it is empty.
struct ByteQueue: ~Copyable {
    private var storage: UnsafeMutableRawPointer?
    private var capacity = 0
    private var start = 0
    private var end = 0

    init() {}

    // SAFETY: `storage` comes from malloc and has no other owner.
    deinit { free(storage) }

    var count: Int { end - start }
    var isEmpty: Bool { end == start }

    /// What waits, valid until the next change.
    var bytes: UnsafeRawBufferPointer {
        // SAFETY: `start..<end` lies in the storage and is initialised.
        UnsafeRawBufferPointer(start: storage.map { $0 + start }, count: count)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress, bytes.count > 0 else { return }
        let place = room(for: bytes.count)
        // SAFETY: `room` made space for them; they never come from this queue.
        place.copyMemory(from: address, byteCount: bytes.count)
        end += bytes.count
    }

    /// Receives up to `count` bytes from a socket; what `recv` returned, or the negative errno.
    mutating func receive(from descriptor: Int32, upTo count: Int) -> Int {
        let received = linux_receive(descriptor, room(for: count), count)
        if received > 0 { end += received } else if isEmpty { release() }
        return received
    }

    mutating func consume(_ count: Int) {
        precondition(count <= self.count, "only what waits can be consumed")
        start += count
        if start == end { release() }
    }

    private mutating func room(for more: Int) -> UnsafeMutableRawPointer {
        if let storage, end + more <= capacity { return storage + end }
        let needed = count + more
        let larger = needed <= capacity ? capacity : max(needed, capacity * 2)
        // SAFETY: the old memory is not used after its content has moved.
        guard let moved = malloc(larger) else { preconditionFailure("out of memory") }
        if let storage { memcpy(moved, storage + start, count) }
        free(storage)
        storage = moved
        capacity = larger
        (start, end) = (0, count)
        return moved + end
    }

    private mutating func release() {
        // SAFETY: nothing waits, and `bytes` is not valid beyond a change.
        free(storage)
        storage = nil
        (capacity, start, end) = (0, 0, 0)
    }
}
