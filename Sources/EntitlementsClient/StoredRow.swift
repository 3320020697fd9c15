import JSON

/// A row of the daemon's tables, as `dump` writes it and `load` takes it.
public struct StoredRow: Equatable, Sendable {
    /// Its table.
    public let table: String
    /// Its key in that table.
    public let key: StoredKey
    /// All of it, as one JSON object: `table`, `key` and `value`.
    public let json: String

    /// Reads a row as `dump` wrote it.
    ///
    /// - Throws: `invalid_params` for text that is no JSON object with table, key and value.
    public init(json: String) throws(ClientError) {
        guard let value = Self.parsed(json), let name = Self.name(of: value) else {
            throw .invalid("a row is a JSON object with table, key and value")
        }
        (table, key) = name
        self.json = json
    }

    init(_ value: JSONValue) throws(ClientError) {
        guard let name = Self.name(of: value) else {
            throw .malformedReply("a row is not what is documented")
        }
        (table, key) = name
        json = String(decoding: value.bytes, as: UTF8.self)
    }

    /// As `load` takes it.
    var value: JSONValue { Self.parsed(json) ?? .null }

    private static func name(of row: JSONValue) -> (table: String, key: StoredKey)? {
        guard let table = row["table"]?.string, let key = StoredKey(row["key"]), row["value"] != nil
        else { return nil }
        return (table, key)
    }

    private static func parsed(_ json: String) -> JSONValue? {
        try? JSONValue.parse(Array(json.utf8), depthMax: ClientLimits.replyDepthMax)
    }
}
