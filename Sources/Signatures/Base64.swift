/// Base64 as strict as signatures need it: one text for every byte string (RFC 4648, section 3.5).
enum Base64 {
    enum Alphabet {
        /// `+/`, padded: certificates in x5c.
        case standard
        /// `-_`, unpadded: the segments of a JWS.
        case url
    }

    /// The bytes of `text`, or nil where it is not the one canonical form.
    static func decoded(_ text: some RandomAccessCollection<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        let values = alphabet == .standard ? standardValues : urlValues
        var digits = text.count
        if alphabet == .standard {
            guard digits % 4 == 0 else { return nil }
            let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
            digits -= padding
        }
        guard digits % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for character in text.prefix(digits) {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        // Bits that encode nothing must be zero, or two texts would mean the same bytes.
        guard buffer & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }

    private static let standardValues = values(UInt8(ascii: "+"), UInt8(ascii: "/"))
    private static let urlValues = values(UInt8(ascii: "-"), UInt8(ascii: "_"))

    private static func values(_ plus: UInt8, _ slash: UInt8) -> [UInt8] {
        var values = [UInt8](repeating: 0xff, count: 256)
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for (value, letter) in (letters + [plus, slash]).enumerated() {
            values[Int(letter)] = UInt8(value)
        }
        return values
    }
}
