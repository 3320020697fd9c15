import Entitlements
import Ledger
import Wire

extension Call {
    /// `dump`: one page of one table, or of all tables in turn, from one short snapshot.
    static let dump = reading("dump", for: .admin) { (worker, params, _) throws(RPCFailure) in
        let limit = try params.count("limit", max: MethodLimits.pageRowsMax) ?? 100
        let named = try params.table()
        let prefix = try params.prefix()
        let cursor = try params.optionalText("cursor", bytesMax: MethodLimits.textBytesMax)
        var place = DumpCursor(table: named ?? TableName.allCases[0], after: nil)
        if let cursor {
            guard let found = DumpCursor(cursor), named == nil || named == found.table else {
                throw .invalid("cursor", "must be the cursor of the previous page")
            }
            place = found
        }
        let service = worker.service
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
}

extension ParamsView {
    /// The table asked for, if one is named.
    func table() throws(RPCFailure) -> TableName? {
        guard let name = try optionalText("table", bytesMax: 64) else { return nil }
        guard let table = TableName(rawValue: name) else {
            let names = TableName.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("table", "is one of \(names)")
        }
        return table
    }

    /// The prefix of the keys asked for; an empty one is none.
    fileprivate func prefix() throws(RPCFailure) -> [UInt8] {
        if case .value("") = string(of: "prefix") { return [] }
        let text = try optionalText("prefix", bytesMax: MethodLimits.textBytesMax) ?? ""
        return Array(text.utf8)
    }
}
