import DaemonConfiguration
import Entitlements
import Stripe

extension Configured {
    /// Stripe, with the secrets of its endpoints and, where the configuration has a key, its API.
    func stripe() throws(Stop) -> ConfiguredStore {
        guard let section = settings.stripe else { return ConfiguredStore(absent: Stripe.profile) }
        let secrets = WebhookSignatures(
            live: try secrets(section.webhookSecrets),
            test: try secrets(section.testWebhookSecrets)
        )
        var keys: [StoreEnvironment: StripeKey] = [:]
        keys[.production] = try key(section.api?.key, of: .production)
        keys[.sandbox] = try key(section.api?.testKey, of: .sandbox)
        let store = Stripe(
            signatures: secrets,
            keys: keys,
            rules: StripeRules(
                userIDMetadata: section.userIdMetadata,
                pastDueGraceMilliseconds: Int64(section.pastDueGraceHours) * 3_600_000,
                disputes: .init(rawValue: section.disputes.rawValue) ?? .lost
            ),
            host: try section.api?.baseURL
                .map { (url) throws(Stop) in
                    guard let host = StoreHost(url) else {
                        throw .configuration("stripe.api.baseURL: \(url) is no host to ask.")
                    }
                    return host
                }
        )
        var configured = ConfiguredStore(store, keys.isEmpty ? nil : store)
        configured.allowedSources = section.allowedSources
        return configured
    }

    private func secrets(_ files: [SecretFile]) throws(Stop) -> [EndpointSecret] {
        var secrets: [EndpointSecret] = []
        for file in files {
            guard let secret = EndpointSecret(file: try content(of: file)), !secret.isAPIKey else {
                throw .configuration(
                    "\(file.key): \(file.path) holds no signing secret (whsec_…)."
                )
            }
            secrets.append(secret)
        }
        return secrets
    }

    private func key(
        _ file: SecretFile?,
        of environment: StoreEnvironment
    ) throws(Stop) -> StripeKey? {
        guard let file else { return nil }
        let content = try content(of: file)
        do throws(StripeKey.Fault) {
            return try StripeKey(file: content, of: environment)
        } catch {
            throw .configuration("\(file.key): \(file.path) \(error.sentence).")
        }
    }
}
