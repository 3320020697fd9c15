import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `dump`: one page of one table, or of all tables in turn, from one short snapshot.
    func dump(_ params: ParamsView) throws(RPCFailure) -> JSONObject {
        let reader = try awake()
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
        var page = DumpPage(
            names: try names(reader),
            bytesMax: service.settings.frameBytesMax - DumpPage.frameBytes
        )
        let tables = named.map { [$0] } ?? TableName.allCases.filter { $0 >= place.table }
        for table in tables {
            let count = Int(limit) - page.entries.count
            let after = table == place.table ? place.after : nil
            let rows = try rows(reader, table, Array(prefix.utf8), after, count + 1)
            for row in rows where page.cursor == nil {
                if page.entries.count == Int(limit) || !page.add(row) { page.end() }
            }
            if page.cursor != nil { break }
        }
        return [
            "seq": .integer(Int64(reader.seq)),
            "entries": .array(page.entries),
            "cursor": page.cursor.map { .string($0.text) } ?? .null,
        ]
    }

    /// The prefix of the keys asked for; an empty one is none.
    private func prefix(_ params: ParamsView) throws(RPCFailure) -> String {
        if case .value("") = params.string(of: "prefix") { return "" }
        return try params.optionalText("prefix", bytesMax: MethodLimits.textBytesMax) ?? ""
    }

    /// `get`: one row.
    func get(_ params: ParamsView) throws(RPCFailure) -> JSONObject {
        let reader = try awake()
        guard let table = try table(params) else { throw .invalid("table", "is missing") }
        let row: Row?
        do {
            row = try reader.row(try key(params), of: table)
        } catch let failure as LedgerFailure {
            throw RPCFailure(failure)
        } catch let failure as RPCFailure {
            throw failure
        } catch {
            throw RPCFailure(.internalError, "The row could not be read.")
        }
        guard let row else { throw RPCFailure(.notFound, "There is no such row.") }
        return ["value": RowView.value(of: row, try names(reader))]
    }

    /// The names of the numbers in accounts.
    private func names(_ reader: LedgerReader) throws(RPCFailure) -> [String] {
        do {
            return try reader.numbering().names
        } catch {
            throw RPCFailure(error)
        }
    }

    private func rows(
        _ reader: LedgerReader,
        _ table: TableName,
        _ prefix: [UInt8],
        _ after: [UInt8]?,
        _ count: Int
    ) throws(RPCFailure) -> [Row] {
        do {
            return try reader.rows(of: table, prefix: prefix, after: after, count: count)
        } catch {
            throw RPCFailure(error)
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
    private let bytesMax: Int

    init(names: [String], bytesMax: Int) {
        self.names = names
        self.bytesMax = bytesMax
    }

    /// Answers false where the row no longer fits.
    mutating func add(_ row: Row) -> Bool {
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

    /// More rows follow the last one.
    mutating func end() { cursor = last }
}

extension TableName: Comparable {
    /// The order in which a dump of everything walks the tables.
    package static func < (left: TableName, right: TableName) -> Bool {
        let order = TableName.allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
