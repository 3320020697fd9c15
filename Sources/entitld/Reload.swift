import DaemonConfiguration
import Entitlements
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
    /// Those of each store that has its own, in the order of the stores.
    let ownSources: [[AddressRange]?]
    let access: AccessRules
    let logLevel: Logger.Level

    /// Reads configuration, catalog and TLS files for a daemon that runs with `running`.
    init(
        _ options: ConfigurationOptions,
        running: Settings,
        isSecure: Bool
    ) throws(Stop) {
        let configured = try Configured(options)
        // A root file that cannot be read any more is told now, not at the next start.
        ownSources = try configured.stores().map(\.allowedSources)
        let fresh = configured.settings
        policy = Policy.Source(configured.catalog, running)
        if isSecure, case .tls(let certificatePath, let key) = fresh.webhook?.transport {
            do {
                identity = try PreparedTLS(
                    certificatePath: certificatePath,
                    privateKeyPath: key.path
                )
            } catch {
                throw .configuration("webhook.tls: \(error)")
            }
        } else {
            identity = nil
        }
        allowedSources = fresh.webhook?.allowedSources
        access = AccessRules(fresh.rpc)
        logLevel = Logger.Level(rawValue: fresh.log.level.rawValue) ?? .info
    }
}
