import Entitlements
import JSON
import Signatures

/// The questions to Apple's App Store Server API, for each app and environment.
package struct AppStoreQuestions: StoreQuestions {
    /// Why it cannot be asked: one sentence that names the key of the configuration.
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

    /// What the configuration says of the API.
    package struct Access: Sendable {
        /// The issuer of the key.
        package var issuerID: String
        /// The key's name.
        package var keyID: String
        /// The private key: the contents of the .p8 file.
        package var privateKeyPEM: [UInt8]
        /// What replaces Apple's hosts; nil: Apple's own.
        package var baseURL: String?
        /// Requests a second to each environment; 0: half of Apple's limit.
        package var requestsPerSecond: Int

        /// Creates an access.
        package init(
            issuerID: String,
            keyID: String,
            privateKeyPEM: [UInt8],
            baseURL: String?,
            requestsPerSecond: Int
        ) {
            self.issuerID = issuerID
            self.keyID = keyID
            self.privateKeyPEM = privateKeyPEM
            self.baseURL = baseURL
            self.requestsPerSecond = requestsPerSecond
        }
    }

    /// The bundle ids of the apps, the default one first.
    package let apps: [String]
    /// Each app in Production, then each in the sandbox, as far as these are admitted.
    ///
    /// Apple advises asking Production first. Apple's rate limits apply to each app.
    package let scopes: [StoreScope]
    let storefront: AppStore
    private let base: StoreHost?
    private let tokens: AppStoreTokens
    private let offers: OfferSigner
    private let requestsPerSecond: Int

    /// Creates the questions about the apps of `storefront`.
    package init(_ storefront: AppStore, _ access: Access) throws(Fault) {
        let signer: TokenSigner
        do throws(SigningKeyFault) {
            signer = try TokenSigner(privateKeyPEM: access.privateKeyPEM)
        } catch {
            throw .privateKey(error)
        }
        base = access.baseURL.flatMap { StoreHost($0) }
        guard access.baseURL == nil || base != nil else { throw .baseURL }
        let identity = storefront.identity
        let apps = identity.apps.map(\.bundleID)
        self.apps = apps
        scopes = identity.environments.sorted()
            .flatMap { environment in
                [StoreScope(environment)]
                    + apps.dropFirst().map { StoreScope(environment, bundleID: $0) }
            }
        self.storefront = storefront
        tokens = AppStoreTokens(signer, keyID: access.keyID, issuerID: access.issuerID)
        offers = OfferSigner(signer, keyID: access.keyID, issuerID: access.issuerID)
        requestsPerSecond = access.requestsPerSecond
    }

    package var store: Store { .appStore }

    /// Half of Apple's limits, which are 50 a second, 20 for extensions, and a tenth of that in the
    /// sandbox; or the number a second that the configuration states.
    ///
    /// Test notifications get Apple's whole limit of 1 a second: people request them, and Apple
    /// enforces the limit hourly.
    package func budgets(of scope: StoreScope) -> [StoreBudget: Int64] {
        let share: Int64 = scope.environment == .production ? 1 : 10
        let ordinary =
            requestsPerSecond > 0 ? Int64(requestsPerSecond) * 1_000 : 25_000 / share
        return [
            .ordinary: ordinary, .extensions: min(ordinary, 10_000 / share),
            .tests: 1_000 / share,
        ]
    }

    package func access(to scope: StoreScope, at now: Moment) -> StoreAccess {
        .authorization("Bearer " + tokens.token(for: scope.bundleID ?? apps[0], at: now))
    }

    package func failure(of reply: StoreReply, at now: Moment) -> StoreAPIFailure {
        AppStoreReplies.failure(in: reply, at: now)
    }

    package func reach(of scope: StoreScope) -> StoreReach? {
        StoreReach(
            milliseconds: scope.environment == .production
                ? Limits.productionHistoryMilliseconds : Limits.sandboxHistoryMilliseconds,
            overlapMilliseconds: Limits.repeatsMilliseconds,
            marginMilliseconds: Limits.historyMarginMilliseconds
        )
    }

    package func signed(_ wish: OfferWish, nonce: Token, at now: Moment) -> SignedOffer? {
        SignedOffer(
            keyID: offers.keyID,
            signature: offers.signature(of: wish, nonce: nonce, at: now),
            token: offers.token(of: wish, nonce: nonce, at: now)
        )
    }

    package func signed(_ wish: EligibilityWish, nonce: Token, at now: Moment) -> String? {
        offers.eligibility(wish, nonce: nonce, at: now)
    }

    /// The host of an environment.
    func host(of scope: StoreScope) -> StoreHost {
        if let base { return base }
        return switch scope.environment {
        case .production: StoreHost(named: "api.storekit.apple.com")
        case .sandbox: StoreHost(named: "api.storekit-sandbox.apple.com")
        }
    }
}

extension StoreBudget {
    /// The budget for extensions of renewals, of which Apple allows fewer.
    static let extensions = StoreBudget("extensions")
    /// The budget for test notifications.
    static let tests = StoreBudget("tests")
}
