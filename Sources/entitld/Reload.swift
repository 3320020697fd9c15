import DaemonConfiguration
import Entitlements
import HTTPServer
import Logging
import Sockets
import Webhooks

/// What SIGHUP changes, read and checked before any of it is in force.
///
/// Making it may fail, and so may putting the policy in the ledger; the rest cannot, and comes
/// after.
struct Reload: Sendable {
    /// The catalog, under the settings that the daemon was started with.
    let policy: Policy.Source
    /// Nil where the listener does not speak TLS.
    let identity: PreparedTLS?
    /// Nil where the new file has no webhook section: then who may send stays.
    let allowedSources: [AddressRange]?
    /// What the new file says of it store by store, in their order.
    let ownSources: [RouteSources]
    /// The same of the HTTPS door for callers.
    let doorIdentity: PreparedTLS?
    /// Who may ask there; nil where the new file has no such door: then the tokens stay.
    let tokens: [AccessToken]?
    let access: AccessRules
    let logLevel: Logger.Level

    /// Reads configuration, catalog and TLS files for a daemon that runs with `running`.
    init(
        _ options: ConfigurationOptions,
        running: Settings,
        isSecure: Bool,
        isDoorSecure: Bool
    ) throws(Stop) {
        let configured = try Configured(options)
        // A root file that cannot be read any more is told now, not at the next start.
        ownSources = try configured.stores().map(\.sourcesAfterReload)
        let fresh = configured.settings
        policy = Policy.Source(configured.catalog, running)
        identity = isSecure ? try Configured.identity(fresh.webhook?.transport, "webhook.tls") : nil
        doorIdentity = isDoorSecure ? try Configured.identity(fresh.api?.transport, "api.tls") : nil
        tokens = fresh.api?.tokens
        allowedSources = fresh.webhook?.allowedSources
        access = AccessRules(fresh.rpc)
        logLevel = Logger.Level(rawValue: fresh.log.level.rawValue) ?? .info
    }
}
