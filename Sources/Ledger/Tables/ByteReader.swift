/// Reads what `ByteWriter` wrote.
///
/// Every read is bounded by the bytes that are there.
package struct ByteReader {
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
    ///
    /// `head` is how many bytes stand before the name and say how long it is.
    mutating func noted<Value>(
        _ name: (Value) -> NameNotes.Name,
        after head: Int = 0,
        _ read: (inout ByteReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value {
        let start = position + head
        let value = try read(&self)
        notes?.add(.init(name: name(value), place: start..<position, lengthBytes: head))
        return value
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
        guard count >= 0, bytes.endIndex - position >= count else { throw Malformed() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Everything that is left.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { position = bytes.endIndex }
        return bytes[position...]
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
