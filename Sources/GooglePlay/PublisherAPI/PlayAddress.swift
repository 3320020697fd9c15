import Entitlements

/// A whole address: a server and a path.
package struct PlayAddress: Hashable, Sendable {
    /// The server.
    package let host: StoreHost
    /// The path, with its leading slash.
    package let path: String

    /// The address `text`; nil if it is neither https nor http on this machine, or has a query.
    package init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let slash = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
        guard let host = StoreHost(String(text[..<slash])) else { return nil }
        let path = text[slash...]
        guard path.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x3f && $0 != 0x23 })
        else { return nil }
        self.init(host, path.isEmpty ? "/" : String(path))
    }

    private init(_ host: StoreHost, _ path: String) {
        self.host = host
        self.path = path
    }

    /// Where Google publishes the keys of its tokens, as a JWK set.
    package static let keys = PlayAddress(
        StoreHost(named: "www.googleapis.com"),
        "/oauth2/v3/certs"
    )
    /// Where Google gives access tokens, unless a key's file names another address.
    static let tokens = PlayAddress(StoreHost(named: "oauth2.googleapis.com"), "/token")
}
