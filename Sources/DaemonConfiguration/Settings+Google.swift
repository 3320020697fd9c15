extension Settings {
    /// Google Play.
    package struct Google: Sendable, Equatable {
        /// Whose pushes are taken in.
        package struct Push: Sendable, Equatable {
            /// The audience of their bearer tokens.
            package let audience: String
            /// The account that has signed them.
            package let serviceAccountEmail: String
            /// The one subscription that may send; nil: any.
            package let subscription: String?
            /// What replaces the address of Google's keys.
            package let keysURL: String?
        }

        /// How Google is asked about purchases.
        package struct API: Sendable, Equatable {
            /// The service account, as Google Cloud gives it out.
            package let serviceAccount: SecretFile
            /// What replaces Google's host.
            package let baseURL: String?
        }

        /// The app.
        package let packageName: String
        /// Nil: pushes should come again.
        package let push: Push?
        /// How Google is asked.
        package let api: API
        /// Whom test purchases let in.
        package let testAccess: Apple.SandboxAccess
        /// The users for `listed`.
        package let testUsers: [String]
        /// Whether purchases are acknowledged, and packs of credits consumed.
        package let acknowledge: Bool
        /// Who may push; nil: whom the webhook lets in.
        package let allowedSources: [AddressRange]?
    }

    static func google(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> Google? {
        guard values.has(section: "google") else { return nil }
        let packageName = try values.required("google.packageName")
        var push: Google.Push?
        if values.has(section: "google.push") {
            let keysURL: String? = values["google.push.keysURL"]
            if let keysURL { try checkBaseURL(keysURL, "google.push.keysURL") }
            push = Google.Push(
                audience: try values.required("google.push.audience"),
                serviceAccountEmail: try values.required("google.push.serviceAccountEmail"),
                subscription: values["google.push.subscription"],
                keysURL: keysURL
            )
        }
        let accountKey = "google.api.serviceAccountFile"
        guard let account = try secrets.file(accountKey, values) else {
            throw .wrong(accountKey, "is missing; a push only says that something changed")
        }
        let baseURL: String? = values["google.api.baseURL"]
        if let baseURL { try checkBaseURL(baseURL, "google.api.baseURL") }
        let sources = "google.allowedSources"
        return Google(
            packageName: packageName,
            push: push,
            api: Google.API(serviceAccount: account, baseURL: baseURL),
            testAccess: values.choice("google.testAccess"),
            testUsers: values.value("google.testUsers"),
            acknowledge: values.value("google.acknowledge"),
            allowedSources: values.gives(sources) ? try ranges(values, sources) : nil
        )
    }
}
