import ArgumentParser
import EntitlementsClient
import JSON

/// Walks `dump` page by page, each page a call of its own, to the end of the last table.
struct DumpPages {
    /// The longest page that the daemon gives.
    static let rowsMax = 1_000

    private var parameters: JSONObject
    private var isDone = false

    init(table: String?, prefix: String?, pageRows: Int) {
        parameters = ["limit": .integer(Int64(pageRows))]
        parameters["table"] = table.map { .string($0) }
        parameters["prefix"] = prefix.map { .string($0) }
    }

    /// The rows of the next page; nil after the last one.
    mutating func next(_ session: inout Session) throws(ClientError) -> [JSONValue]? {
        guard !isDone else { return nil }
        let page = try session.call("dump", parameters)
        guard let entries = page["entries"]?.array, let cursor = page["cursor"] else {
            throw .malformedReply("a page has no entries or no cursor")
        }
        // A cursor that stands still would be walked for ever.
        guard cursor.isNull || cursor != parameters["cursor"] else {
            throw .malformedReply("the cursor does not move")
        }
        isDone = cursor.isNull
        parameters["cursor"] = cursor
        return entries
    }
}
