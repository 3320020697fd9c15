/// A number as it was written.
package struct JSONNumber: Sendable {
    /// The token, by the grammar of RFC 8259.
    package let text: String

    init(checked text: String) { self.text = text }

    /// The number `value`.
    package init(_ value: Int64) { text = String(value) }

    /// The number `value`; nil for an infinity or a NaN, which JSON cannot write.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = "\(value)"
    }

    /// The value, if it is exactly an integer of 64 bits; `1.0` and `1e3` are.
    package var int64: Int64? {
        var copy = text
        return copy.withUTF8 { Self.int64(UnsafeRawBufferPointer($0)) }
    }

    /// The nearest double; an infinity beyond its range.
    package var double: Double { Double(text) ?? .nan }

    /// What `int64` says, for a checked token that was never made a String.
    package static func int64(_ token: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = token.first == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for byte in token.dropFirst(isNegative ? 1 : 0) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return scaledInt64(token, isNegative: isNegative) }
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            // A token too long for digits alone may still have an exponent, `10…0e-20`.
            if overflow || carry { return scaledInt64(token, isNegative: isNegative) }
            magnitude = sum
        }
        return signed(magnitude, isNegative: isNegative)
    }

    private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }

    /// The general case: digits times a power of ten, the trailing zeros moved into the power.
    private static func scaledInt64(_ token: UnsafeRawBufferPointer, isNegative: Bool) -> Int64? {
        let power = token.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? token.count
        let mantissa = (isNegative ? 1 : 0)..<power
        let point = token[mantissa].firstIndex(of: UInt8(ascii: ".")) ?? power
        let isDigit = { (index: Int) in index != point && token[index] != UInt8(ascii: "0") }
        guard let last = mantissa.last(where: isDigit), let first = mantissa.first(where: isDigit)
        else { return 0 }
        // The last significant digit stands for this power of ten.
        let place = last < point ? point - last - 1 : point - last
        let exponent = exponent(token, from: power) + place
        guard exponent >= 0, exponent < 20 else { return nil }
        var magnitude: UInt64 = 0
        for index in first...last where index != point {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let digit = UInt64(token[index] - UInt8(ascii: "0"))
            let (sum, carry) = product.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            magnitude = sum
        }
        for _ in 0..<exponent {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            magnitude = product
        }
        return signed(magnitude, isNegative: isNegative)
    }

    /// The exponent, held within what a text of `JSONLimits.textBytesMax` can make good.
    private static func exponent(_ token: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < token.count else { return 0 }
        var value = 0
        var isNegative = false
        for byte in token[(start + 1)...] {
            if byte == UInt8(ascii: "-") { isNegative = true }
            let digit = byte &- UInt8(ascii: "0")
            if digit < 10 { value = min(value * 10 + Int(digit), 1 << 40) }
        }
        return isNegative ? -value : value
    }
}

extension JSONNumber: Equatable {
    /// Equal tokens, or equal integers.
    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        guard let integer = left.int64 else { return false }
        return integer == right.int64
    }
}
