extension Settings {
    /// The HTTPS door for callers that are not on this host.
    package struct API: Sendable, Equatable {
        /// Where it listens.
        package let listen: ListenAddress
        /// TLS or plain HTTP.
        package let transport: Transport
        /// Who may ask.
        package let tokens: [AccessToken]
        /// How much each of them may ask.
        package let requestsPerSecond: Int
    }

    static func remoteAPI(
        _ values: ConfigurationValues,
        _ secrets: SecretPlaces
    ) throws(ConfigurationFailure) -> API? {
        guard let listen = try listenAddress(values, "api.listen") else { return nil }
        let transport = try transport(values, secrets, of: "api")
        let path = try values.required("api.tokensFile")
        return API(
            listen: listen,
            transport: transport,
            tokens: try AccessToken.all(in: path, key: "api.tokensFile"),
            requestsPerSecond: values.value("api.requestsPerSecond")
        )
    }
}
