/// The addresses that share a prefix, written in CIDR notation: `17.0.0.0/8`, `2001:db8::/32`.
package struct AddressRange: Sendable, Hashable, CustomStringConvertible {
    private let base: IPAddress
    private let prefixBits: Int

    /// Reads CIDR notation; an address without a prefix length is a range of one.
    ///
    /// Nil where the text is none, and where bits are set behind the prefix, which is a slip.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let literal = IPAddress.literal(String(parts[0])),
            let base = IPAddress(bytes: literal)
        else { return nil }
        var prefixBits = literal.count * 8
        if parts.count == 2 {
            let digits = parts[1]
            guard (1...3).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let bits = Int(digits), bits <= prefixBits
            else { return nil }
            prefixBits = bits
        }
        // A range of mapped addresses is the range of the IPv4 addresses in it.
        prefixBits -= (literal.count - base.bytes.count) * 8
        guard prefixBits >= 0 else { return nil }
        self.base = base
        self.prefixBits = prefixBits
        guard (prefixBits..<base.bytes.count * 8).allSatisfy({ !AddressRange.bit($0, of: base) })
        else { return nil }
    }

    /// Whether `address` has the prefix; never across IPv4 and IPv6.
    package func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == base.bytes.count else { return false }
        let whole = prefixBits / 8
        guard address.bytes[..<whole] == base.bytes[..<whole] else { return false }
        return (whole * 8..<prefixBits)
            .allSatisfy { AddressRange.bit($0, of: address) == AddressRange.bit($0, of: base) }
    }

    /// CIDR notation.
    package var description: String { "\(base)/\(prefixBits)" }

    private static func bit(_ index: Int, of address: IPAddress) -> Bool {
        address.bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0
    }
}
