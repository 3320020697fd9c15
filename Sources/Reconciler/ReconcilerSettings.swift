import Entitlements
import Signatures

/// What the reconciler needs to know of the configuration.
package struct ReconcilerSettings: Sendable {
    /// The app, as the API's tokens name it.
    package var bundleID: String
    /// More apps of the same developer account, under the same key.
    package var otherBundleIDs: [String] = []
    /// The environments that count.
    package var environments: [StoreEnvironment]
    /// The issuer of the API's key.
    package var issuerID: String
    /// The name of the API's key.
    package var keyID: String
    /// The API's private key: the contents of the .p8 file.
    package var privateKeyPEM: [UInt8]
    /// What replaces Apple's hosts; nil: Apple's own.
    package var baseURL: String?
    /// How often failed deliveries are walked through.
    package var failuresEverySeconds: Int
    /// How long before its end a renewal that was not heard is asked about; 0: not.
    package var askBeforeEndSeconds: Int
    /// How long a due renewal may be silent.
    package var askAfterSilenceSeconds: Int
    /// How often every active subscription is asked about.
    package var sweepEverySeconds: Int
    /// Requests a second to each environment; 0: half of Apple's limit.
    package var requestsPerSecond: Int
    /// Where the marks are kept.
    package var directory: String
    /// This program's version.
    package var version: String
    /// How long one attempt may take.
    package var attemptMilliseconds = ReconcilerLimits.attemptMilliseconds

    /// The settings of a daemon.
    package init(
        bundleID: String,
        environments: [StoreEnvironment],
        issuerID: String,
        keyID: String,
        privateKeyPEM: [UInt8],
        baseURL: String?,
        failuresEverySeconds: Int = 3_600,
        askBeforeEndSeconds: Int = 600,
        askAfterSilenceSeconds: Int = 60,
        sweepEverySeconds: Int = 86_400,
        requestsPerSecond: Int = 0,
        directory: String,
        version: String
    ) {
        self.bundleID = bundleID
        self.environments = environments
        self.issuerID = issuerID
        self.keyID = keyID
        self.privateKeyPEM = privateKeyPEM
        self.baseURL = baseURL
        self.failuresEverySeconds = failuresEverySeconds
        self.askBeforeEndSeconds = askBeforeEndSeconds
        self.askAfterSilenceSeconds = askAfterSilenceSeconds
        self.sweepEverySeconds = sweepEverySeconds
        self.requestsPerSecond = requestsPerSecond
        self.directory = directory
        self.version = version
    }

    /// Why these settings do not work: one sentence that names the key of the configuration.
    package enum Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// `apple.api.privateKeyFile` is no key for ES256.
        case privateKey(SigningKeyFault)
        /// `apple.api.baseURL` is not https, nor http on this machine.
        case baseURL

        /// The sentence.
        package var description: String {
            switch self {
            case .privateKey(let fault): "apple.api.privateKeyFile \(fault)."
            case .baseURL: "apple.api.baseURL must be https, or http on this machine's loopback."
            }
        }
    }

    /// Whether these settings would work.
    package func check() throws(Fault) { _ = try checked() }

    /// What signs with the API's key.
    package func signer() throws(Fault) -> TokenSigner {
        do throws(SigningKeyFault) {
            return try TokenSigner(privateKeyPEM: privateKeyPEM)
        } catch {
            throw .privateKey(error)
        }
    }

    /// The signer and the endpoints that these settings name, Production first.
    func checked() throws(Fault) -> (TokenSigner, [StoreEndpoint]) {
        let signer = try signer()
        var endpoints: [StoreEndpoint] = []
        for environment in Set(environments).sorted() {
            guard let baseURL else {
                endpoints.append(StoreEndpoint(environment))
                continue
            }
            guard let endpoint = StoreEndpoint(environment, base: baseURL) else { throw .baseURL }
            endpoints.append(endpoint)
        }
        return (signer, endpoints)
    }

    /// A client for each app at each of `endpoints`: what Apple counts, it counts for an app.
    func clients(
        of endpoints: [StoreEndpoint],
        _ signer: TokenSigner,
        over connection: StoreConnection,
        _ clock: ReconcilerClock
    ) -> [AppStoreServerAPI] {
        endpoints.flatMap { endpoint in
            [client(of: endpoint, nil, signer, over: connection, clock)]
                + otherBundleIDs.map {
                    client(of: endpoint, $0, signer, over: connection, clock)
                }
        }
    }

    private func client(
        of endpoint: StoreEndpoint,
        _ other: String?,
        _ signer: TokenSigner,
        over connection: StoreConnection,
        _ clock: ReconcilerClock
    ) -> AppStoreServerAPI {
        AppStoreServerAPI(
            endpoint,
            connection,
            BearerTokens(
                signer,
                keyID: keyID,
                issuerID: issuerID,
                bundleID: other ?? bundleID
            ),
            scope: StoreScope(endpoint.environment, bundleID: other),
            rates: StoreRates(of: endpoint.environment, requestsPerSecond: requestsPerSecond),
            clock: clock,
            attemptMilliseconds: attemptMilliseconds
        )
    }
}
