import JSON

// What operators ask, on the admin socket; how a daemon is, and its outboxes, for support too.

extension EntitlementsClient {
    /// How the daemon is.
    public func stats(minSeq: Int64? = nil) async throws(ClientError) -> DaemonStats {
        var result = try await result(
            of: "stats",
            question([:], minSeq),
            timeout: writeTimeout
        )
        result["json"] = .string(String(decoding: JSONValue.object(result).bytes, as: UTF8.self))
        return try JSONValue.object(result).decoded(of: "stats")
    }

    /// A page of the daemon's rows.
    ///
    /// - Parameters:
    ///   - table: One table; all of them where absent.
    ///   - prefix: What keys begin with.
    ///   - cursor: That of the page before.
    ///   - limit: How many rows, at most 1,000.
    ///   - minSeq: What the page must reflect.
    /// - Returns: The rows in the order of their keys; fewer where they would not fit a reply.
    /// - Throws: `invalid_params` for an unknown table.
    public func dump(
        table: String? = nil,
        prefix: String? = nil,
        cursor: String? = nil,
        limit: Int = 100,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> RowPage {
        var parameters = question(["limit": .integer(Int64(limit))], minSeq)
        parameters["table"] = table.map { .string($0) }
        parameters["prefix"] = prefix.map { .string($0) }
        parameters["cursor"] = cursor.map { .string($0) }
        return try RowPage(try await result(of: "dump", parameters, timeout: writeTimeout))
    }

    /// The value of one row, as JSON; its key is text.
    ///
    /// - Throws: `not_found` where there is none.
    public func value(
        of key: String,
        in table: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> String {
        try await value(of: StoredKey.text(key), in: table, minSeq: minSeq)
    }

    /// The value of one row, as JSON; its key is as `dump` shows it.
    ///
    /// - Throws: `not_found` where there is none.
    public func value(
        of key: StoredKey,
        in table: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> String {
        let parameters = question(["table": .string(table), "key": key.value], minSeq)
        let result = try await result(of: "get", parameters, timeout: writeTimeout)
        guard let value = result["value"] else {
            throw .malformedReply("the result of get is not what is documented")
        }
        return String(decoding: value.bytes, as: UTF8.self)
    }

    /// Makes rows as they were dumped; one that is there with other content refuses them all.
    ///
    /// - Returns: How many are now as they were to be; to repeat it changes nothing.
    /// - Throws: `invalid_params` with the index of the row that is wrong.
    public func load(_ rows: [StoredRow]) async throws(ClientError) -> Int64 {
        let result = try await result(
            of: "load",
            ["entries": .array(rows.map(\.value))],
            timeout: storeTimeout,
            isSlow: true
        )
        guard let loaded = result["loaded"]?.int64 else {
            throw .malformedReply("the result of load is not what is documented")
        }
        return loaded
    }

    /// Makes a backup on the daemon's host.
    ///
    /// - Parameters:
    ///   - path: A new folder there.
    ///   - timeout: How long it may take.
    /// - Returns: What was made.
    /// - Throws: `invalid_params` where there is something at `path`.
    public func backup(
        to path: String,
        timeout: Duration = .seconds(3_600)
    ) async throws(ClientError) -> Backup {
        try await write("backup", ["path": .string(path)], timeout: timeout, isSlow: true)
    }

    /// Sets what is logged from now on: trace, debug, info, notice, warning, error or critical.
    public func setLogLevel(_ level: String) async throws(ClientError) {
        _ = try await result(of: "setLogLevel", ["level": .string(level)], timeout: writeTimeout)
    }

    /// A page of who would win or lose what under another catalog, which is not loaded.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, as YAML.
    ///   - cursor: That of the page before.
    ///   - limit: How many changes, at most 1,000.
    /// - Returns: The users whose status would be another.
    /// - Throws: `invalid_params` for a catalog that would not be loaded.
    public func previewCatalog(
        _ catalog: String,
        cursor: String? = nil,
        limit: Int = 100
    ) async throws(ClientError) -> CatalogPreview {
        var parameters: JSONObject = [
            "catalog": .string(catalog), "limit": .integer(Int64(limit)),
        ]
        parameters["cursor"] = cursor.map { .string($0) }
        return try CatalogPreview(
            try await result(of: "previewCatalog", parameters, timeout: storeTimeout, isSlow: true)
        )
    }

    /// How far each outbox is, what fails in it and what is parked.
    public func outboxes(minSeq: Int64? = nil) async throws(ClientError) -> [OutboxStatus] {
        let parameters = question([:], minSeq)
        return try await read("getOutboxes", parameters, member: "outboxes", timeout: writeTimeout)
    }

    /// Tries again what waits in an outbox because of a failure, and what was given up.
    ///
    /// - Parameters:
    ///   - name: The outbox.
    ///   - id: One change by its `webhook-id`; all of them where absent.
    ///   - everything: Tells the state of every user once more.
    /// - Returns: How many that were given up are told again, and how many are not.
    /// - Throws: `not_found` for an outbox or a change that is not there.
    public func retryOutbox(
        _ name: String,
        id: String? = nil,
        everything: Bool = false
    ) async throws(ClientError) -> OutboxRetry {
        var parameters: JSONObject = ["name": .string(name)]
        parameters["id"] = id.map { .string($0) }
        if everything { parameters["everything"] = true }
        return try await write("retryOutbox", parameters, isSlow: true)
    }

    /// Gives up one change of an outbox, so that the next one of its user is told.
    public func skipOutbox(_ name: String, id: String) async throws(ClientError) {
        _ = try await result(
            of: "skipOutbox",
            ["name": .string(name), "id": .string(id)],
            timeout: writeTimeout
        )
    }

    /// Posts a test message to a system, now.
    public func testOutbox(_ name: String) async throws(ClientError) -> OutboxTest {
        try await write("testOutbox", ["name": .string(name)], isSlow: true)
    }
}
