import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `previewCatalog`: whose status would be another one under a catalog, page by page.
    static let previewCatalog = reading(
        "previewCatalog",
        for: .admin,
        taking: ["catalog", "cursor", "limit"]
    ) { (worker, params, _) throws(RPCFailure) in
        let service = worker.service
        let text = try params.text("catalog", bytesMax: MethodLimits.catalogBytesMax)
        guard let readCatalog = service.readCatalog else {
            throw .invalid("catalog", "is not read")
        }
        let cursor = try params.optionalText("cursor", bytesMax: MethodLimits.textBytesMax)
        let limit = try params.count("limit", max: MethodLimits.pageRowsMax) ?? 100
        return .work(.rows) { (reader) throws(RPCFailure) in
            // Here, because a long text takes a while.
            let source = try readCatalog(text)
            do throws(LedgerFailure) {
                try reader.wake()
                let policy = Policy(source, numbering: try reader.numbering())
                return try service.preview(policy, reader, after: cursor, limit: Int(limit))
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

extension MethodService {
    /// Looks at the next accounts under both catalogs.
    fileprivate func preview(
        _ policy: Policy,
        _ reader: LedgerReader,
        after cursor: String?,
        limit: Int
    ) throws(LedgerFailure) -> JSONObject {
        let rows = try reader.rows(
            of: .accounts,
            after: cursor.map { Array($0.utf8) },
            count: limit
        )
        var changes: [JSONValue] = []
        var (last, looked, bytes) = (String?.none, 0, 0)
        // The page ends where one more would not fit its frame.
        for row in rows where bytes < settings.frameBytesMax / 2 {
            let name = String(decoding: row.key, as: UTF8.self)
            last = name
            looked += 1
            guard let user = UserID(name) else { continue }
            let view = try StatusView(of: user, reader, at: now())
            let (before, after) = (view.status, view.under(policy, reader).status)
            let keys = before.keys.filter { $0 != "seq" && before[$0] != after[$0] }
            guard !keys.isEmpty else { continue }
            let change: JSONValue = [
                "userId": .string(name),
                "before": .object(before.having(keys)), "after": .object(after.having(keys)),
            ]
            bytes += change.byteCount + 1
            changes.append(change)
        }
        let isLast = rows.count < limit && looked == rows.count
        return [
            "looked": .integer(Int64(looked)),
            "changes": .array(changes),
            "cursor": isLast ? .null : last.map { .string($0) } ?? .null,
        ]
    }
}

extension JSONObject {
    /// These members of it.
    fileprivate func having(_ keys: [String]) -> JSONObject {
        JSONObject(members.filter { keys.contains($0.key) })
    }
}
