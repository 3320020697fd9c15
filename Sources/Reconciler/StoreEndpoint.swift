import Entitlements

/// Where one environment of the App Store answers.
package struct StoreEndpoint: Hashable, Sendable {
    /// Which environment.
    package let environment: StoreEnvironment
    /// What stands before a request's path; no slash at its end.
    package let base: String

    /// Apple's own host for `environment`.
    package init(_ environment: StoreEnvironment) {
        self.environment = environment
        base =
            switch environment {
            case .production: "https://api.storekit.apple.com"
            case .sandbox: "https://api.storekit-sandbox.apple.com"
            }
    }

    /// Another host; nil where it is not https, nor http on this machine, or holds more than a
    /// path.
    package init?(_ environment: StoreEnvironment, base: String) {
        let trimmed = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard let scheme = ["https://", "http://"].first(where: { trimmed.hasPrefix($0) }) else {
            return nil
        }
        let rest = trimmed.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let isPlain = rest.utf8
            .allSatisfy { byte in
                StoreName.isPlain(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":")
                    || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            }
        guard !authority.isEmpty, isPlain else { return nil }
        if scheme == "http://", !Self.isLoopback(authority) { return nil }
        self.environment = environment
        self.base = trimmed
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        ["127.0.0.1", "localhost", "[::1]"]
            .contains { host in
                guard authority.hasPrefix(host) else { return false }
                let port = authority.dropFirst(host.count)
                return port.isEmpty || port.first == ":" && UInt16(port.dropFirst()) != nil
            }
    }
}
