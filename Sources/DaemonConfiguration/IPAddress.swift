import Glibc

/// An address of IPv4 or IPv6; an IPv4 address mapped into IPv6 becomes the IPv4 address.
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four bytes or sixteen, the most significant first.
    package let bytes: [UInt8]

    /// Takes four bytes or sixteen; nil for any other count.
    package init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4:
            self.bytes = bytes
        case 16:
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...11] == [0xFF, 0xFF]
            self.bytes = isMapped ? Array(bytes[12...]) : bytes
        default:
            return nil
        }
    }

    /// Reads a literal such as `17.1.2.3` or `2001:db8::1`, without brackets, port or zone.
    package init?(_ text: String) {
        guard let bytes = IPAddress.literal(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// Whether only this host can be reached by it.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The literal; IPv6 in eight groups without shortening.
    package var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// The four or sixteen bytes of a literal, a mapped address not yet folded.
    static func literal(_ text: String) -> [UInt8]? {
        // NUL ends a C string: what follows it must not be overlooked.
        guard !text.utf8.contains(0), text.utf8.count < Int(INET6_ADDRSTRLEN) else { return nil }
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            let word = UInt32(bigEndian: four.s_addr)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        var sixteen = in6_addr()
        guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
        return withUnsafeBytes(of: &sixteen) { Array($0) }
    }
}
