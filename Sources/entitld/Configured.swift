import AppStore
import DaemonConfiguration
import Entitlements
import Foundation
import Ledger
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

    /// Where the ledger lives; a `Stop` with exit code 78 where the address space is too small.
    func ledgerOptions() throws(Stop) -> Ledger.Options {
        let storage = settings.storage
        try AddressSpace.check(storage)
        var options = Ledger.Options(directory: storage.directory, mapSizeGiB: storage.mapSizeGiB)
        options.isEnding = { EarlyEnd.isAsked }
        return options
    }

    /// The App Store, with its trusted roots; nil where Apple is not configured.
    func storefront() throws(Stop) -> AppStore? {
        guard let apple = settings.apple else { return nil }
        let blocked = Set(apple.blockedSerials.map(\.bytes))
        let verifier: DocumentVerifier
        do {
            verifier = try DocumentVerifier(
                roots: try roots(
                    apple.rootCertificateFiles,
                    "apple.rootCertificateFiles",
                    otherwise: DocumentVerifier.appleRootG3
                ),
                blockedSerials: blocked
            )
        } catch let stop as Stop {
            throw stop
        } catch {
            throw .configuration("apple.rootCertificateFiles: \(error).")
        }
        let receipts: ReceiptVerifier
        do {
            receipts = try ReceiptVerifier(
                roots: try roots(
                    apple.receiptRootCertificateFiles,
                    "apple.receiptRootCertificateFiles",
                    otherwise: DocumentVerifier.appleIncRoot
                ),
                blockedSerials: blocked
            )
        } catch let stop as Stop {
            throw stop
        } catch {
            throw .configuration("apple.receiptRootCertificateFiles: \(error).")
        }
        let identity = AppStoreIdentity(
            apps: [.init(bundleID: apple.bundleId, appAppleID: apple.appAppleId.map(Int64.init))]
                + apple.apps.map {
                    .init(bundleID: $0.bundleId, appAppleID: $0.appAppleId.map(Int64.init))
                },
            environments: apple.acceptedEnvironments
        )
        return AppStore(verifier: verifier, identity: identity, receipts: receipts)
    }

    /// The roots in these files; the built-in one where none is named.
    private func roots(
        _ paths: [String],
        _ key: String,
        otherwise builtIn: [UInt8]
    ) throws(Stop) -> [[UInt8]] {
        guard !paths.isEmpty else { return [builtIn] }
        var roots: [[UInt8]] = []
        for path in paths {
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw .configuration("\(key): \(path) cannot be read.")
            }
            roots.append(Array(bytes))
        }
        return roots
    }
}
