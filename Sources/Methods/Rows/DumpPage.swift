import Entitlements
import JSON
import Ledger
import Wire

/// The rows of one reply; ends early where the reply would not fit its frame.
struct DumpPage {
    /// What a reply needs beside its rows: the caller's id, envelope, cursor.
    static let frameBytes = WireLimits.idBytesMax + 2_048

    private(set) var entries: [JSONValue] = []
    private(set) var cursor: DumpCursor?
    private var last: DumpCursor?
    private var bytes = 0
    private let names: [String]
    private let limit: Int
    private let bytesMax: Int

    init(names: [String], limit: Int, bytesMax: Int) {
        self.names = names
        self.limit = limit
        self.bytesMax = bytesMax
    }

    /// Adds rows of `table` until there are no more, or the page is full and has a cursor.
    mutating func fill(
        from table: TableName,
        prefix: [UInt8],
        after: [UInt8]?,
        _ reader: LedgerReader
    ) throws(LedgerFailure) {
        let count = limit - entries.count + 1
        // Rows behind the end of the page are not read.
        _ = try reader.rows(of: table, prefix: prefix, after: after, count: count) { row in
            if entries.count == limit || !add(row) { cursor = last }
            return cursor != nil
        }
    }

    func result(seq: UInt64) -> JSONObject {
        [
            "seq": .integer(Int64(seq)),
            "entries": .array(entries),
            "cursor": cursor.map { .string($0.text) } ?? .null,
        ]
    }

    /// Answers false where the row no longer fits.
    private mutating func add(_ row: Row) -> Bool {
        let entry: JSONValue = [
            "table": .string(row.table.rawValue),
            "key": RowView.key(row.key),
            "value": RowView.value(of: row, names),
        ]
        let size = entry.byteCount + 1
        guard entries.isEmpty || bytes + size <= bytesMax else { return false }
        bytes += size
        entries.append(entry)
        last = DumpCursor(table: row.table, after: row.key)
        return true
    }
}
