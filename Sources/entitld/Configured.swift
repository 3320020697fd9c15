import AppStore
import DaemonConfiguration
import Entitlements
import Foundation
import Signatures

/// The configuration and the catalog, read and checked.
struct Configured: Sendable {
    let path: String
    let settings: Settings
    let catalog: CatalogSettings
    let policy: Policy.Source

    /// Reads them; any mistake is a `Stop` with exit code 78.
    init(_ options: ConfigurationOptions) throws(Stop) {
        path = options.path ?? ConfigurationOptions.defaultPath
        do throws(ConfigurationFailure) {
            settings = try Settings.load(
                path: path,
                isDefaultPath: options.path == nil,
                environment: ProcessInfo.processInfo.environment
            )
            catalog = try CatalogSettings.load(settings.catalog)
            policy = Policy.Source(catalog, settings)
        } catch {
            throw Stop(error)
        }
    }

    /// The App Store, with its trusted roots; nil where Apple is not configured.
    func storefront() throws(Stop) -> AppStore? {
        guard let apple = settings.apple else { return nil }
        var roots: [[UInt8]] = []
        for path in apple.rootCertificateFiles {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw .configuration("apple.rootCertificateFiles: \(path) cannot be read.")
            }
            roots.append(Array(bytes))
        }
        if roots.isEmpty { roots = [DocumentVerifier.appleRootG3] }
        let verifier: DocumentVerifier
        do {
            verifier = try DocumentVerifier(roots: roots)
        } catch {
            throw .configuration("apple.rootCertificateFiles: \(error).")
        }
        let identity = AppStoreIdentity(
            bundleID: apple.bundleId,
            appAppleID: apple.appAppleId.map { Int64($0) },
            environments: apple.acceptedEnvironments
        )
        return AppStore(verifier: verifier, identity: identity)
    }
}
