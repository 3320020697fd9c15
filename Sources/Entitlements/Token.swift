/// An `appAccountToken`: the UUID by which an app tells a storefront whose purchase it is.
///
/// Compared without case. Some SDKs send the all-zero UUID, which counts as none, so it cannot be
/// made.
package struct Token: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    /// The token with these halves, or nil for the all-zero one.
    package init?(high: UInt64, low: UInt64) {
        guard high != 0 || low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// The token that this text names (8-4-4-4-12 hex digits, any case), or nil.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in bytes.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.value(ofHexDigit: byte) else { return nil }
            if digits < 16 {
                halves.0 = halves.0 << 4 | digit
            } else {
                halves.1 = halves.1 << 4 | digit
            }
            digits += 1
        }
        self.init(high: halves.0, low: halves.1)
    }

    /// Lower case, with hyphens.
    package var description: String {
        let hex = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 {
                text.append(UInt8(ascii: "-"))
            }
            let half = position < 16 ? high : low
            text.append(hex[Int(half >> UInt64(60 - 4 * (position % 16)) & 0xf)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    package static func < (left: Token, right: Token) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    static func value(ofHexDigit byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
