import DaemonConfiguration
import Entitlements

/// Something that the configuration allows and that lets in more than its author may mean.
///
/// Not a mistake: the daemon starts, and says so in the log, in `check-config` and in
/// `/readyz?verbose`.
struct Caution: Equatable {
    /// One word for the line of `/readyz?verbose`.
    let name: String
    /// The key that allows it.
    let key: String
    /// What it lets in, and what to write instead.
    let sentence: String

    /// All that hold for these settings and this catalog.
    static func all(_ settings: Settings, _ policy: Policy.Source) -> [Caution] {
        [
            sandbox(settings), plaintext(settings), plainAPI(settings), catalog(settings, policy),
        ]
        .compactMap { $0 }
    }

    /// Anybody who has a sandbox account, which costs nothing, is let in where money is made.
    private static func sandbox(_ settings: Settings) -> Caution? {
        guard let apple = settings.apple, apple.sandboxAccess == .all,
            apple.environments.contains(.production), apple.environments.contains(.sandbox)
        else { return nil }
        return Caution(
            name: "sandbox",
            key: "apple.sandboxAccess",
            sentence: "everybody's sandbox purchases, which cost nothing, give access beside"
                + " Production; name the testers in apple.sandboxUsers with sandboxAccess: listed"
        )
    }

    /// Notifications and the path secret travel in the open.
    private static func plaintext(_ settings: Settings) -> Caution? {
        guard let webhook = settings.webhook, webhook.transport == .plaintext,
            isReachable(webhook.listen)
        else { return nil }
        return Caution(
            name: "plaintext",
            key: "webhook.plaintext",
            sentence: "plain HTTP at \(webhook.listen), which other hosts may reach; listen on"
                + " loopback behind the TLS proxy, or name a certificate in webhook.tls"
        )
    }

    /// Tokens, and all that is asked with them, travel in the open.
    private static func plainAPI(_ settings: Settings) -> Caution? {
        guard let api = settings.api, api.transport == .plaintext, isReachable(api.listen) else {
            return nil
        }
        return Caution(
            name: "api_plaintext",
            key: "api.plaintext",
            sentence: "plain HTTP at \(api.listen), which other hosts may reach; listen on"
                + " loopback behind the TLS proxy, or name a certificate in api.tls"
        )
    }

    /// Whether other hosts may connect to an address.
    private static func isReachable(_ listen: ListenAddress) -> Bool {
        listen.host != "localhost" && IPAddress(listen.host)?.isLoopback != true
    }

    /// The cheapest product gives what the dearest does.
    private static func catalog(_ settings: Settings, _ policy: Policy.Source) -> Caution? {
        let hasStore = settings.apple != nil || settings.google != nil || settings.stripe != nil
        guard hasStore, policy.plans == nil else { return nil }
        return Caution(
            name: "catalog",
            key: "catalog",
            sentence: "the catalog names no plans, so every subscription product, whatever it"
                + " costs, gives unlimited rendering; name the products in plans"
        )
    }
}
