import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `load`: rows as `dump` wrote them; one call is one entry of the journal, all or nothing.
    ///
    /// Rows of the tables that every ledger keeps for itself (meta, alarms, ticks, tombstones) are
    /// passed over.
    static let load = writing("load", for: .admin, taking: ["entries"]) {
        (_, params, _) throws(RPCFailure) in
        // A long list is taken apart in a lane, not here.
        let text = params.raw(of: "entries").map { Array($0) } ?? []
        return PendingWrite(
            of: .anybody,
            preparing: .work(.rows) { (_) throws(RPCFailure) in
                .load(try LoadedRow.rows(of: try LoadedRow.entries(in: text)))
            },
            reply: { (receipt, _) throws(RPCFailure) in
                if case .loadRefused(let index) = receipt.outcome {
                    let entries = try LoadedRow.entries(in: text)
                    let places = entries.indices.filter { !RowReading.isPassedOver(entries[$0]) }
                    let why = "it is here with another value, or was here and is gone"
                    throw .unloadable(places[index], entries, why)
                }
                guard case .loaded(let count) = receipt.outcome else {
                    throw RPCFailure(receipt.outcome)
                }
                return ["loaded": .integer(Int64(count))]
            }
        )
    }
}

extension LoadedRow {
    fileprivate static func entries(in text: [UInt8]) throws(RPCFailure) -> [JSONValue] {
        guard let entries = (try? JSONValue.parse(text))?.array,
            (1...MethodLimits.loadedRowsMax).contains(entries.count)
        else {
            throw .invalid("entries", "is a list of 1 to \(MethodLimits.loadedRowsMax) rows")
        }
        return entries
    }

    fileprivate static func rows(of entries: [JSONValue]) throws(RPCFailure) -> [LoadedRow] {
        var rows: [LoadedRow] = []
        var keys: Set<RowKey> = []
        for (index, entry) in entries.enumerated() where !RowReading.isPassedOver(entry) {
            let key: RowKey
            let row: LoadedRow
            do throws(RowReading) {
                (key, row) = try RowReading.row(entry)
            } catch {
                throw .unloadable(index, entries, error.sentence)
            }
            guard keys.insert(key).inserted else {
                throw .unloadable(index, entries, "it stands in the list twice")
            }
            rows.append(row)
        }
        return rows
    }
}

extension RPCFailure {
    /// An entry that cannot be loaded, named by its place, table and key.
    fileprivate static func unloadable(
        _ index: Int,
        _ entries: [JSONValue],
        _ sentence: String
    ) -> RPCFailure {
        RPCFailure(
            .invalidParams,
            "The parameter entries has a row that cannot be loaded: \(sentence).",
            extra: [
                ("field", "entries"),
                ("index", .integer(Int64(index))),
                ("table", entries[index]["table"] ?? .null),
                ("key", entries[index]["key"] ?? .null),
            ]
        )
    }
}
