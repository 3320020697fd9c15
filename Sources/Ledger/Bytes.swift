/// Writes the little-endian forms in which records and journal entries are stored.
struct ByteWriter: ~Copyable {
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
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
    }

    mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        let place = take(MemoryLayout<Value>.size)
        buffer.storeBytes(of: value.littleEndian, toByteOffset: place, as: Value.self)
    }

    mutating func raw(_ bytes: [UInt8]) { bytes.withUnsafeBytes { raw($0) } }

    private mutating func raw(_ bytes: UnsafeRawBufferPointer) {
        let place = take(bytes.count)
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

/// Bytes that are not what their version says.
struct Malformed: Error {}

/// Reads what `ByteWriter` wrote.
///
/// Every read is bounded by the bytes that are there.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// Where names are noted, with their places in the bytes; nil but for an erasure.
    let notes: NameNotes?

    init(_ bytes: some Collection<UInt8>, noting notes: NameNotes? = nil) {
        // A slice keeps its places: what is noted in it stands there in the whole.
        self.bytes = bytes as? ArraySlice<UInt8> ?? ArraySlice(bytes)
        self.notes = notes
        position = self.bytes.startIndex
    }

    /// Reads a value whose bytes are a name, or say something of names.
    mutating func noted<Value>(
        _ name: (Value) -> NameNotes.Name,
        after head: Int = 0,
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value {
        let start = position + head
        let value = try read(&self)
        notes?.add(name(value), start..<position)
        return value
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, bytes.endIndex - position >= count else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func integer<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self
    ) throws(Malformed) -> Value {
        let place = position - bytes.startIndex
        _ = try take(MemoryLayout<Value>.size)
        return bytes.withUnsafeBytes {
            Value(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Value.self))
        }
    }

    mutating func flag() throws(Malformed) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    mutating func text() throws(Malformed) -> String {
        let count = try integer(UInt16.self)
        return try string(try take(Int(count)))
    }

    mutating func longText() throws(Malformed) -> String {
        let count = try integer(UInt32.self)
        return try string(try take(Int(count)))
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Element>(
        _ read: (inout ByteReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        var list: [Element] = []
        for _ in 0..<(try integer(UInt16.self)) { list.append(try read(&self)) }
        return list
    }

    mutating func longList<Element>(
        _ read: (inout ByteReader) throws(Malformed) -> Element
    ) throws(Malformed) -> [Element] {
        var list: [Element] = []
        for _ in 0..<(try integer(UInt32.self)) { list.append(try read(&self)) }
        return list
    }

    func string(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard let text = try? UTF8Span(validating: bytes.span) else { throw Malformed() }
        return String(copying: text)
    }
}
