/// Where a listener binds: `0.0.0.0:8443`, `[::]:8443`, `localhost:9464`.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// An address literal without brackets, or a name.
    package let host: String
    /// 0 lets the kernel choose.
    package let port: Int

    /// Takes the two parts as they are.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; an IPv6 literal stands in brackets.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":"), IPAddress(host) != nil else { return nil }
        } else {
            guard !host.isEmpty, host.utf8.allSatisfy(ListenAddress.isHostByte) else { return nil }
        }
        self.host = host
        self.port = port
    }

    /// The text it was read from.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._".utf8.contains(byte)
    }
}

extension UInt8 {
    /// Whether it is a letter or a digit of ASCII.
    package var isLetterOrDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
