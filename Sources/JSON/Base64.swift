/// Base64 as strict as signatures need it: one text for every byte string (RFC 4648, section 3.5).
package enum Base64 {
    /// Which digits stand for 62 and 63, and whether the end is filled up.
    package enum Alphabet {
        /// `+/`, padded: certificates in x5c.
        case standard
        /// `-_`, unpadded: the segments of a JWS (RFC 7515, section 2).
        case url
    }

    /// How many digits and padding so many bytes have at most.
    package static func digits(_ bytes: Int) -> Int { (bytes + 2) / 3 * 4 }

    /// `bytes` in the standard alphabet.
    package static func text(_ bytes: [UInt8]) -> String { encoded(bytes, .standard) }

    /// `bytes` in the alphabet of URLs.
    package static func urlText(_ bytes: [UInt8]) -> String { encoded(bytes, .url) }

    /// The bytes of `text` in the standard alphabet, or nil where it is not the canonical form.
    package static func bytes(_ text: String) -> [UInt8]? {
        decoded(Array(text.utf8)[...], .standard)
    }

    /// The bytes of `text` in the alphabet of URLs, or nil where it is not the canonical form.
    package static func urlBytes(_ text: String) -> [UInt8]? {
        decoded(Array(text.utf8)[...], .url)
    }

    /// The bytes of `text`, or nil where it is not the one canonical form.
    package static func decoded(_ text: ArraySlice<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        var digits = text.count
        if alphabet == .standard {
            guard digits % 4 == 0 else { return nil }
            digits -= text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        }
        guard digits % 4 != 1 else { return nil }
        return text.prefix(digits)
            .withUnsafeBufferPointer { text in
                alphabet == .standard
                    ? decoded(text, standardValues) : decoded(text, urlValues)
            }
    }

    /// Four digits make three bytes; two or three at the end make one or two.
    private static func decoded(
        _ text: UnsafeBufferPointer<UInt8>,
        _ values: [UInt8]
    ) -> [UInt8]? {
        let whole = text.count / 4 * 4
        let rest = text.count % 4
        // Every digit's value is or-ed in: one that is none has the highest bit.
        var seen: UInt8 = 0
        var surplus: UInt8 = 0
        let count = text.count * 3 / 4
        // SAFETY: `whole` digits fill three quarters as many bytes, the rest `count` exactly; both
        // buffers are indexed below their counts only, as computed above.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            var place = 0
            for index in stride(from: 0, to: whole, by: 4) {
                let (a, b) = (values[Int(text[index])], values[Int(text[index + 1])])
                let (c, d) = (values[Int(text[index + 2])], values[Int(text[index + 3])])
                seen |= a | b | c | d
                bytes[place] = a << 2 | b >> 4
                bytes[place + 1] = b << 4 | c >> 2
                bytes[place + 2] = c << 6 | d
                place += 3
            }
            if rest >= 2 {
                let (a, b) = (values[Int(text[whole])], values[Int(text[whole + 1])])
                let c = rest == 3 ? values[Int(text[whole + 2])] : 0
                seen |= a | b | c
                bytes[place] = a << 2 | b >> 4
                if rest == 3 { bytes[place + 1] = b << 4 | c >> 2 }
                surplus = rest == 3 ? c & 0x03 : b & 0x0f
            }
            written = count
        }
        // Bits that encode nothing must be zero, or two texts would mean the same bytes.
        return seen < 64 && surplus == 0 ? bytes : nil
    }

    private static func encoded(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
        let digits = alphabet == .standard ? standardDigits : urlDigits
        var text: [UInt8] = []
        text.reserveCapacity(Self.digits(bytes.count))
        var (bits, held) = (0, 0)
        for byte in bytes {
            bits = (bits << 8 | Int(byte)) & 0xffff
            held += 8
            while held >= 6 {
                held -= 6
                text.append(digits[bits >> held & 63])
            }
        }
        if held > 0 { text.append(digits[bits << (6 - held) & 63]) }
        while alphabet == .standard, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standardDigits = Array((letters + "+/").utf8)
    private static let urlDigits = Array((letters + "-_").utf8)
    private static let standardValues = values(standardDigits)
    private static let urlValues = values(urlDigits)

    private static func values(_ digits: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }
}
