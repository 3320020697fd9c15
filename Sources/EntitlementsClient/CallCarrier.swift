import JSON

/// What carries calls to the daemon and their results back.
protocol CallCarrier: Sendable {
    /// Calls `method`; a call that `isRepeatable` survives lost connections, and a daemon that is
    /// not ready yet, until its `timeout`.
    ///
    /// One that `isSlow` keeps no quick one waiting: over HTTPS it has other connections, and on
    /// the one of a socket replies may overtake each other.
    func call(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration,
        isSlow: Bool
    ) async throws(ClientError) -> JSONValue

    /// Ends the connections and every waiting call.
    func close()
}
