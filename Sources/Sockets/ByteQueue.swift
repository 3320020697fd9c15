import CLinux
import Glibc

/// A queue of bytes that belong to an incomplete frame, or wait to be sent.
///
/// It holds no memory while it is empty. Large memory is mapped from the system and returned
/// immediately, because the allocator would keep freed memory between pieces that are still in use.
struct ByteQueue: ~Copyable {
    private var storage: UnsafeMutableRawPointer?
    /// How many bytes of memory it holds.
    private(set) var capacity = 0
    private var start = 0
    private var end = 0

    init() {}

    deinit { Self.free(storage, capacity) }

    var count: Int { end - start }
    var isEmpty: Bool { end == start }

    /// The waiting bytes; valid until the next change.
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

    /// Receives up to `count` bytes from a socket; returns the result of `recv`, or the negative
    /// errno.
    ///
    /// `expected` is how many bytes will wait in the end; no memory is allocated for more.
    mutating func receive(from descriptor: Int32, upTo count: Int, of expected: Int) -> Int {
        let received = linux_receive(descriptor, room(for: count, of: expected), count)
        if received > 0 { end += received } else if isEmpty { removeAll() }
        return received
    }

    mutating func consume(_ count: Int) {
        precondition(count <= self.count, "only what waits can be consumed")
        start += count
        if start == end { removeAll() }
    }

    /// Drops the waiting bytes.
    mutating func removeAll() {
        Self.free(storage, capacity)
        storage = nil
        (capacity, start, end) = (0, 0, 0)
    }

    private mutating func room(
        for more: Int,
        of expected: Int = .max
    ) -> UnsafeMutableRawPointer {
        if let storage, end + more <= capacity { return storage + end }
        let needed = count + more
        let doubled = max(needed, min(capacity * 2, expected))
        let larger = Self.rounded(needed <= capacity ? capacity : doubled)
        let moved = Self.allocate(larger)
        if let storage { memcpy(moved, storage + start, count) }
        // The old memory is no longer used once its content has moved.
        Self.free(storage, capacity)
        storage = moved
        capacity = larger
        (start, end) = (0, count)
        return moved + end
    }

    /// Rounds up to whole pages if the memory is to be mapped.
    private static func rounded(_ bytes: Int) -> Int {
        bytes < SocketLimits.mappedBytesMin ? bytes : (bytes + 4_095) & ~4_095
    }

    private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
        guard bytes >= SocketLimits.mappedBytesMin else {
            guard let memory = malloc(bytes) else { preconditionFailure("out of memory") }
            return memory
        }
        let access = PROT_READ | PROT_WRITE
        // SAFETY: a new private mapping of nothing; unmapped in `free`, with the same length.
        let memory = mmap(nil, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { preconditionFailure("out of memory") }
        return memory
    }

    // SAFETY: `memory` comes from `allocate` with this many bytes and has no other owner.
    private static func free(_ memory: UnsafeMutableRawPointer?, _ bytes: Int) {
        guard let memory else { return }
        if bytes < SocketLimits.mappedBytesMin { Glibc.free(memory) } else { munmap(memory, bytes) }
    }
}
