import JSON

/// What carries calls to the daemon and their results back.
protocol CallCarrier: Sendable {
    /// Calls `method`; a call that `isRepeatable` survives lost connections, and a daemon that is
    /// not ready yet, until its `timeout`.
    func call(
        _ method: String,
        _ parameters: JSONObject,
        isRepeatable: Bool,
        timeout: Duration
    ) async throws(ClientError) -> JSONValue

    /// Ends the connections and every waiting call.
    func close()
}
