import AppStore
import DaemonConfiguration
import Entitlements
import Foundation
import Signatures

extension Configured {
    /// The App Store, with its trusted roots and, where the configuration has an access to it, its
    /// server.
    func appStore() throws(Stop) -> ConfiguredStore {
        guard let apple = settings.apple else { return ConfiguredStore(UnconfiguredAppStore()) }
        let storefront = try storefront(apple)
        guard let api = apple.api else { return ConfiguredStore(storefront) }
        return ConfiguredStore(storefront, try questions(api, storefront))
    }

    /// What the App Store's server can be asked.
    private func questions(
        _ api: Settings.Apple.API,
        _ storefront: AppStore
    ) throws(Stop) -> AppStoreQuestions {
        let key = try content(of: api.privateKey)
        do throws(AppStoreQuestions.Fault) {
            return try AppStoreQuestions(
                storefront,
                AppStoreQuestions.Access(
                    issuerID: api.issuerId,
                    keyID: api.keyId,
                    privateKeyPEM: key,
                    baseURL: api.baseURL,
                    requestsPerSecond: settings.reconcile?.requestsPerSecond ?? 0
                )
            )
        } catch {
            throw .configuration("\(error)")
        }
    }

    private func storefront(_ apple: Settings.Apple) throws(Stop) -> AppStore {
        let blocked = Set(apple.blockedSerials.map(\.bytes))
        let documentRoots = try roots(
            apple.rootCertificateFiles,
            "apple.rootCertificateFiles",
            otherwise: DocumentVerifier.appleRootG3
        )
        let verifier: DocumentVerifier
        do {
            verifier = try DocumentVerifier(roots: documentRoots, blockedSerials: blocked)
        } catch {
            throw .configuration("apple.rootCertificateFiles: \(error).")
        }
        let receiptRoots = try roots(
            apple.receiptRootCertificateFiles,
            "apple.receiptRootCertificateFiles",
            otherwise: DocumentVerifier.appleIncRoot
        )
        let receipts: ReceiptVerifier
        do {
            receipts = try ReceiptVerifier(roots: receiptRoots, blockedSerials: blocked)
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
