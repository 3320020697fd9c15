extension Settings {
    /// Stripe.
    package struct Stripe: Sendable, Equatable {
        /// Which disputes take access away.
        package enum Disputes: String, Sendable, CaseIterable {
            case created
            case lost
            static let names = allCases.map(\.rawValue)
        }

        /// How to ask Stripe's API.
        package struct API: Sendable, Equatable {
            /// The key of live mode.
            package let key: SecretFile?
            /// The key of test mode.
            package let testKey: SecretFile?
            /// What replaces Stripe's host.
            package let baseURL: String?
        }

        /// The signing secrets of endpoints in live mode.
        package let webhookSecrets: [SecretFile]
        /// The same in test mode.
        package let testWebhookSecrets: [SecretFile]
        /// Nil: no API calls.
        package let api: API?
        /// Under which key metadata names the user.
        package let userIdMetadata: String
        /// How long access goes on from the start of a period that is not paid.
        package let pastDueGraceHours: Int
        /// Which disputes take access away.
        package let disputes: Disputes
        /// Whom purchases in test mode let in.
        package let testAccess: Apple.SandboxAccess
        /// The users for `listed`.
        package let testUsers: [String]
        /// Who may send its events; nil: whom the webhook lets in.
        package let allowedSources: [AddressRange]?

        /// Whether anything of test mode is taken in.
        package var hasTestMode: Bool { !testWebhookSecrets.isEmpty || api?.testKey != nil }
    }

    static func stripe(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Stripe? {
        guard values.has(section: "stripe") else { return nil }
        let live = try secretFiles("stripe.webhookSecretFiles", values, secrets)
        let test = try secretFiles("stripe.testWebhookSecretFiles", values, secrets)
        let api = try stripeAPI(values, secrets)
        // With a key alone its events are refused (503), and purchases can still be verified.
        guard !live.isEmpty || !test.isEmpty || api != nil else {
            throw .wrong(
                "stripe.webhookSecretFiles",
                "is missing, and so are stripe.testWebhookSecretFiles and stripe.api"
            )
        }
        let metadata: String = values.value("stripe.userIdMetadata")
        guard (1...ConfigurationLimits.metadataKeyCharactersMax).contains(metadata.count) else {
            throw .wrong("stripe.userIdMetadata", "must have 1 to 40 characters")
        }
        let sources = "stripe.allowedSources"
        return Stripe(
            webhookSecrets: live,
            testWebhookSecrets: test,
            api: api,
            userIdMetadata: metadata,
            pastDueGraceHours: values.value("stripe.pastDueGraceHours"),
            disputes: values.choice("stripe.disputes"),
            testAccess: values.choice("stripe.testAccess"),
            testUsers: values.value("stripe.testUsers"),
            allowedSources: values.gives(sources) ? try ranges(values, sources) : nil
        )
    }

    private static func stripeAPI(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Stripe.API? {
        let live = try secrets.file("stripe.api.keyFile", values)
        let test = try secrets.file("stripe.api.testKeyFile", values)
        let baseURL: String? = values["stripe.api.baseURL"]
        if let baseURL { try checkBaseURL(baseURL, "stripe.api.baseURL") }
        guard live != nil || test != nil else {
            guard !values.has(section: "stripe.api") else {
                throw .wrong("stripe.api.keyFile", "is missing, and so is stripe.api.testKeyFile")
            }
            return nil
        }
        return Stripe.API(key: live, testKey: test, baseURL: baseURL)
    }

    /// The files of a list, each checked by reading it once.
    private static func secretFiles(
        _ key: String,
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> [SecretFile] {
        var files: [SecretFile] = []
        for (index, name) in (values.value(key) as [String]).enumerated() {
            files.append(try secrets.file(named: name, "\(key)[\(index)]"))
        }
        return files
    }
}
