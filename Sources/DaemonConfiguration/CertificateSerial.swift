/// The serial number of a certificate, however it is written.
package struct CertificateSerial: Hashable, Sendable {
    /// The number, most significant byte first, without leading zeros; 1 to 20 bytes, as many as
    /// RFC 5280, section 4.1.2.2, allows.
    package let bytes: [UInt8]

    /// Reads hexadecimal digits in any case, with leading zeros, with `0x` or with colons between
    /// the bytes, as the tools of certificates print them; nil for anything else, and for zero.
    package init?(_ text: String) {
        var text = text[...]
        if text.hasPrefix("0x") || text.hasPrefix("0X") { text = text.dropFirst(2) }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        // Colons stand between bytes; a group of its own may lack its leading zero.
        guard groups.count == 1 || groups.allSatisfy({ (1...2).contains($0.utf8.count) }) else {
            return nil
        }
        var digits: [UInt8] = []
        for group in groups {
            if groups.count > 1, group.utf8.count == 1 { digits.append(0) }
            for character in group.utf8 {
                guard let digit = Self.digit(character) else { return nil }
                digits.append(digit)
            }
        }
        digits = Array(digits.drop { $0 == 0 })
        if digits.count % 2 == 1 { digits.insert(0, at: 0) }
        guard (1...ConfigurationLimits.serialBytesMax).contains(digits.count / 2) else {
            return nil
        }
        bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
