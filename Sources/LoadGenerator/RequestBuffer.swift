/// Where requests are written before they are sent: memory taken once, for a whole run.
struct RequestBuffer: ~Copyable {
    private let storage: UnsafeMutableRawPointer
    private let capacity: Int
    private let form: AccountNames.Form
    private(set) var count = 0

    init(capacity: Int, _ form: AccountNames.Form = .numbered) {
        self.form = form
        // SAFETY: freed in `deinit`, and nowhere else.
        storage = .allocate(byteCount: capacity, alignment: 64)
        self.capacity = capacity
    }

    deinit { storage.deallocate() }

    /// What is written, valid until the next change.
    var written: UnsafeRawBufferPointer {
        // SAFETY: the first `count` bytes are initialised.
        UnsafeRawBufferPointer(start: storage, count: count)
    }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        // SAFETY: a static text lies in the program, as long as it says.
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(capacity - count >= bytes.count, "a peer's requests are within its limit")
        guard let start = bytes.baseAddress else { return }
        // SAFETY: there is room, and the buffer never overlaps what it copies.
        (storage + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends the decimal digits of `value`, with zeros in front up to `width`.
    mutating func append(decimal value: UInt64, width: Int = 1) {
        var digits = 1
        var rest = value / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        let length = max(digits, width)
        precondition(capacity - count >= length, "a peer's requests are within its limit")
        rest = value
        var place = count + length
        while place > count {
            place -= 1
            let digit = UInt8(truncatingIfNeeded: rest % 10)
            // SAFETY: `length` bytes from `count` on are within the capacity.
            storage.storeBytes(of: 0x30 + digit, toByteOffset: place, as: UInt8.self)
            rest /= 10
        }
        count += length
    }

    /// Appends 16 hexadecimal digits.
    mutating func append(hexadecimal value: UInt64) {
        precondition(capacity - count >= 16, "a peer's requests are within its limit")
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - 4 * index) & 15)
            // SAFETY: 16 bytes from `count` on are within the capacity.
            storage.storeBytes(
                of: digit < 10 ? 0x30 + digit : 0x57 + digit,
                toByteOffset: count + index,
                as: UInt8.self
            )
        }
        count += 16
    }

    /// Appends the user id of an account.
    mutating func append(account: Int) {
        append(form.prefix)
        append(decimal: UInt64(account), width: form.digits)
    }

    /// Leaves room for the length of a frame.
    mutating func beginFrame() -> Int {
        append("....")
        return count - 4
    }

    /// Writes the length of the frame begun at `mark`.
    mutating func endFrame(_ mark: Int) {
        let length = UInt32(truncatingIfNeeded: count - mark - 4)
        // SAFETY: `beginFrame` wrote four bytes here.
        storage.storeBytes(of: length.bigEndian, toByteOffset: mark, as: UInt32.self)
    }
}
