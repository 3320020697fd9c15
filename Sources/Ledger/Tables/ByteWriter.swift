/// Writes the little-endian forms in which records and journal entries are stored.
package struct ByteWriter: ~Copyable {
    // SAFETY: owned here and freed in `deinit`; the first `count` bytes are initialised. At first
    // as long as most rows and entries are, so that few grow.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256, alignment: 8)
    private var count = 0

    init() {}

    deinit { buffer.deallocate() }

    /// What `write` writes.
    static func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }

    /// The row of `key` whose value `write` writes, sealed.
    static func row(_ key: [UInt8], _ write: (inout ByteWriter) -> Void) -> [UInt8] {
        bytes { writer in
            write(&writer)
            writer.seal(key)
        }
    }

    /// Puts the checksum of `key` and everything that was written.
    mutating func seal(_ key: [UInt8]) {
        integer(key.withUnsafeBytes { Seal.sum(of: written, $0) })
    }

    /// What was written, copied.
    var bytes: [UInt8] { Array(written) }

    private var written: UnsafeRawBufferPointer {
        // SAFETY: `take` grows the buffer before `count` passes its end.
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
    }

    mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        let place = take(MemoryLayout<Value>.size)
        buffer.storeBytes(of: value.littleEndian, toByteOffset: place, as: Value.self)
    }

    mutating func raw(_ bytes: [UInt8]) { bytes.withUnsafeBytes { raw($0) } }

    private mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        let place = take(bytes.count)
        // SAFETY: `take` has made room for the bytes behind `place`.
        UnsafeMutableRawBufferPointer(rebasing: buffer[place...]).copyMemory(from: bytes)
    }

    /// The place of so many bytes more.
    @inline(__always)
    private mutating func take(_ size: Int) -> Int {
        let place = count
        count += size
        if count > buffer.count { grow(keeping: place) }
        return place
    }

    @inline(never)
    private mutating func grow(keeping written: Int) {
        // SAFETY: `written` bytes are there; the new buffer is longer, and the old one is freed
        // once.
        let longer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(count, 2 * buffer.count),
            alignment: 8
        )
        longer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<written]))
        buffer.deallocate()
        buffer = longer
    }

    mutating func flag(_ value: Bool) { integer(UInt8(value ? 1 : 0)) }

    /// A length of two bytes, then the bytes.
    mutating func text(_ value: [UInt8]) { value.withUnsafeBytes { text($0) } }

    mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { text(UnsafeRawBufferPointer($0)) }
    }

    private mutating func text(_ value: UnsafeRawBufferPointer) {
        precondition(value.count <= Int(UInt16.max), "texts are bounded at the door")
        integer(UInt16(value.count))
        raw(value)
    }

    /// A length of four bytes, then the bytes.
    mutating func longText(_ value: String) {
        integer(UInt32(value.utf8.count))
        raw(Array(value.utf8))
    }

    /// A byte 0 for nil, or a byte 1 and the value.
    mutating func optional<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        flag(value != nil)
        if let value { write(&self, value) }
    }

    mutating func list<Element>(_ list: [Element], _ write: (inout ByteWriter, Element) -> Void) {
        precondition(list.count <= Int(UInt16.max), "lists are bounded by the core's limits")
        integer(UInt16(list.count))
        for element in list { write(&self, element) }
    }

    /// The same of as many as there are, with four bytes for their number.
    mutating func longList<Element>(
        _ list: [Element],
        _ write: (inout ByteWriter, Element) -> Void
    ) {
        integer(UInt32(list.count))
        for element in list { write(&self, element) }
    }
}
