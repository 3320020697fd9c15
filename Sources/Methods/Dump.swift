import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `dump`: one page of one table, or of all tables in turn, from one short snapshot.
    func dumping(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        let limit = try params.count("limit", max: MethodLimits.pageRowsMax) ?? 100
        let named = try table(params)
        let prefix = try prefix(params)
        let cursor = try params.optionalText("cursor", bytesMax: MethodLimits.textBytesMax)
        var place = DumpCursor(table: named ?? TableName.allCases[0], after: nil)
        if let cursor {
            guard let found = DumpCursor(cursor), named == nil || named == found.table else {
                throw .invalid("cursor", "is what the page before answered")
            }
            place = found
        }
        let service = service
        let tables = named.map { [$0] } ?? TableName.allCases.filter { $0 >= place.table }
        return .work(.rows) { [place] (reader) throws(RPCFailure) in
            do throws(LedgerFailure) {
                try reader.wake()
                var page = DumpPage(
                    names: try reader.numbering().names,
                    limit: Int(limit),
                    bytesMax: service.settings.frameBytesMax - DumpPage.frameBytes
                )
                for table in tables where page.cursor == nil {
                    let after = table == place.table ? place.after : nil
                    try page.fill(from: table, prefix: prefix, after: after, reader)
                }
                return page.result(seq: reader.seq)
            } catch {
                throw RPCFailure(error)
            }
        }
    }

    /// The prefix of the keys asked for; an empty one is none.
    private func prefix(_ params: ParamsView) throws(RPCFailure) -> [UInt8] {
        if case .value("") = params.string(of: "prefix") { return [] }
        let text = try params.optionalText("prefix", bytesMax: MethodLimits.textBytesMax) ?? ""
        return Array(text.utf8)
    }

    /// `get`: one row.
    func getting(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let table = try table(params) else { throw .invalid("table", "is missing") }
        let key = try key(params)
        return .work(.questions) { (reader) throws(RPCFailure) in
            let found: (row: Row?, names: [String])
            do throws(LedgerFailure) {
                found = (try reader.row(key, of: table), try reader.numbering().names)
            } catch {
                throw RPCFailure(error)
            }
            guard let row = found.row else { throw RPCFailure(.notFound, "There is no such row.") }
            return ["value": RowView.value(of: row, found.names)]
        }
    }

    private func table(_ params: ParamsView) throws(RPCFailure) -> TableName? {
        guard let name = try params.optionalText("table", bytesMax: 64) else { return nil }
        guard let table = TableName(rawValue: name) else {
            let names = TableName.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("table", "is one of \(names)")
        }
        return table
    }

    /// A key as `dump` writes it: text, or `{"base64": …}`.
    private func key(_ params: ParamsView) throws(RPCFailure) -> [UInt8] {
        if let encoded = params.value(of: "key")?["base64"]?.string {
            guard let bytes = Data(base64Encoded: encoded), (1...511).contains(bytes.count) else {
                throw .invalid("key", "is not base64 of a key")
            }
            return Array(bytes)
        }
        return Array(try params.text("key", bytesMax: 511).utf8)
    }
}

/// Where a dump goes on.
private struct DumpCursor {
    let table: TableName
    let after: [UInt8]?

    init(table: TableName, after: [UInt8]?) {
        self.table = table
        self.after = after
    }

    init?(_ text: String) {
        guard let bytes = Data(base64Encoded: text),
            let separator = bytes.firstIndex(of: 0),
            let table = TableName(
                rawValue: String(decoding: bytes[..<separator], as: UTF8.self)
            )
        else { return nil }
        self.table = table
        let key = Array(bytes[(separator + 1)...])
        guard key.count <= 511 else { return nil }
        after = key.isEmpty ? nil : key
    }

    var text: String {
        Data(Array(table.rawValue.utf8) + [0] + (after ?? [])).base64EncodedString()
    }
}

/// The rows of one reply; ends early where the reply would not fit its frame.
private struct DumpPage {
    /// What a reply needs beside its rows: envelope, id, cursor.
    static let frameBytes = 2048

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
        let size = entry.bytes.count + 1
        guard entries.isEmpty || bytes + size <= bytesMax else { return false }
        bytes += size
        entries.append(entry)
        last = DumpCursor(table: row.table, after: row.key)
        return true
    }
}

extension TableName: Comparable {
    /// The order in which a dump of everything walks the tables.
    package static func < (left: TableName, right: TableName) -> Bool {
        let order = TableName.allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
