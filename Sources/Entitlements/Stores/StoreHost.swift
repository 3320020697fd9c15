/// What stands before a request's path: a scheme and a host, with a port or a path where there is
/// one; no slash at its end.
package struct StoreHost: Hashable, Sendable {
    /// As it is written.
    package let base: String

    /// The store's own host of this name, over https.
    package init(named name: StaticString) { base = "https://\(name)" }

    /// Another host; nil where it is not https, nor http on this machine, or holds more than a
    /// path.
    package init?(_ base: String) {
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
