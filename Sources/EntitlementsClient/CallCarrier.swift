import JSON

/// What carries calls to the daemon and their results back.
protocol CallCarrier: Sendable {
    /// Calls `method`; until its `timeout` a call waits for a daemon that is not ready yet, and one
    /// that `isRepeatable` survives lost connections.
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
