import JSON

/// A page of rows.
public struct RowPage: Equatable, Sendable {
    /// The rows.
    public let entries: [StoredRow]
    /// For the next page; nil after the last row.
    public let cursor: String?
    /// The journal position that the page reflects.
    public let seq: Int64

    package init(_ result: JSONObject) throws(ClientError) {
        guard let entries = result["entries"]?.array, let seq = result["seq"]?.int64 else {
            throw .malformedReply("the result of dump is not what is documented")
        }
        var rows: [StoredRow] = []
        for entry in entries { rows.append(try StoredRow(entry)) }
        self.entries = rows
        self.seq = seq
        cursor = result["cursor"]?.string
    }
}
