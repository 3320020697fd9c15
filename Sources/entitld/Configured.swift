import DaemonConfiguration
import Entitlements
import Foundation
import HTTPServer
import Ledger

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

    /// The secret in `file`, as it is now.
    func content(of file: SecretFile) throws(Stop) -> [UInt8] {
        do throws(ConfigurationFailure) {
            return try file.read().revealed
        } catch {
            throw Stop(error)
        }
    }

    /// What the files of `section` hold now; nil where it says nothing of TLS.
    static func identity(
        _ transport: Settings.Transport?,
        _ section: String
    ) throws(Stop) -> PreparedTLS? {
        guard let transport else { return nil }
        do {
            return try PreparedTLS(transport)
        } catch {
            throw .configuration("\(section): \(error)")
        }
    }
}
