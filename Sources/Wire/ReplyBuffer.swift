import JSON

/// Where replies are written: bytes that grow as needed and keep their memory.
///
/// The appending functions are inlinable, because the hot road crosses from room to room here. What
/// they write is not checked: the caller writes valid JSON.
@usableFromInline
package struct ReplyBuffer: JSONSink, ~Copyable {
    @usableFromInline var storage: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var used = 0

    /// An empty buffer.
    package init(capacity: Int = WireLimits.replyBytesFirst) {
        // SAFETY: freed in `deinit`, or in `grow` once its content has moved.
        storage = .allocate(byteCount: max(capacity, 64), alignment: 8)
        self.capacity = max(capacity, 64)
    }

    deinit { storage.deallocate() }

    /// How many bytes are written.
    @inlinable package var count: Int { used }

    /// What is written, valid until the next change.
    @inlinable package var written: UnsafeRawBufferPointer {
        // SAFETY: the first `used` bytes are initialised.
        UnsafeRawBufferPointer(start: storage, count: used)
    }

    /// A copy of what is written.
    package var bytes: [UInt8] { Array(written) }

    /// Forgets everything from `count` on.
    @inlinable
    package mutating func truncate(to count: Int) {
        precondition(count <= used, "a buffer is cut, never stretched")
        used = count
    }

    /// Forgets everything.
    @inlinable
    package mutating func removeAll() { used = 0 }

    /// Forgets everything, and gives back memory of more than `bytes`.
    @inlinable @inline(__always)
    package mutating func removeAll(keeping bytes: Int) {
        used = 0
        if capacity > bytes { replaceStorage(by: bytes) }
    }

    /// Leaves room for a frame's length; `endFrame` takes the mark and writes it.
    @inlinable
    package mutating func beginFrame() -> Int {
        reserve(4)
        let mark = used
        used += 4
        return mark
    }

    /// Writes the length of the frame begun at `mark`.
    @inlinable
    package mutating func endFrame(_ mark: Int) {
        let length = UInt32(truncatingIfNeeded: used - mark - 4)
        // SAFETY: `beginFrame` reserved these four bytes.
        storage.storeBytes(of: length.bigEndian, toByteOffset: mark, as: UInt32.self)
    }

    /// Appends `text` as it is.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        // SAFETY: `length` bytes are reserved; a literal never overlaps the buffer.
        (storage + used).copyMemory(from: text.utf8Start, byteCount: length)
        used += length
    }

    /// Appends `bytes` as they are.
    @inlinable
    package mutating func append(bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.baseAddress else { return }
        reserve(bytes.count)
        // SAFETY: so many bytes are reserved; nobody keeps a view of the buffer while it changes.
        (storage + used).copyMemory(from: address, byteCount: bytes.count)
        used += bytes.count
    }

    /// Appends `bytes` as they are.
    @inlinable
    package mutating func append(bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(bytes: $0) }
    }

    /// Appends one byte.
    @inlinable
    package mutating func append(byte: UInt8) {
        reserve(1)
        // SAFETY: one byte is reserved.
        storage.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        used += 1
    }

    /// Appends `true` or `false`.
    @inlinable
    package mutating func appendBool(_ value: Bool) {
        if value { append("true") } else { append("false") }
    }

    /// Appends the decimal digits of `value`.
    @inlinable
    package mutating func appendInteger(_ value: Int64) {
        reserve(21)
        var magnitude = value.magnitude
        if value < 0 { append(byte: UInt8(ascii: "-")) }
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20, magnitude >= bound {
            digits += 1
            bound = digits < 20 ? bound &* 10 : .max
        }
        var place = used + digits
        used = place
        repeat {
            place -= 1
            let digit = UInt8(truncatingIfNeeded: magnitude % 10)
            // SAFETY: a sign and at most 20 digits are written into the 21 bytes reserved.
            storage.storeBytes(
                of: UInt8(ascii: "0") &+ digit,
                toByteOffset: place,
                as: UInt8.self
            )
            magnitude /= 10
        } while magnitude != 0
    }

    /// Makes room for `more` bytes.
    @inlinable @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity - used < more { grow(by: more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(by more: Int) {
        replaceStorage(by: max(capacity * 2, used + more))
    }

    @usableFromInline @inline(never)
    mutating func replaceStorage(by bytes: Int) {
        // SAFETY: the old memory is not used after the copy, and what is used fits the new one.
        let moved = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
        moved.copyMemory(from: storage, byteCount: used)
        storage.deallocate()
        storage = moved
        capacity = bytes
    }
}
