import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

extension Call {
    /// `get`: one row.
    static let get = reading("get", for: .admin) { (_, params, _) throws(RPCFailure) in
        guard let table = try params.table() else { throw .invalid("table", "is missing") }
        let key = try params.key()
        return .work(.questions) { (reader) throws(RPCFailure) in
            let found = try fromLedger(reader.row(key, of: table))
            let names = try fromLedger(reader.numbering()).names
            guard let row = found else { throw RPCFailure(.notFound, "There is no such row.") }
            return ["value": RowView.value(of: row, names)]
        }
    }
}

extension ParamsView {
    /// A key as `dump` writes it: text, or `{"base64": …}`.
    fileprivate func key() throws(RPCFailure) -> [UInt8] {
        if let encoded = value(of: "key")?["base64"]?.string {
            guard let bytes = Data(base64Encoded: encoded), (1...511).contains(bytes.count) else {
                throw .invalid("key", "is not base64 of a key")
            }
            return Array(bytes)
        }
        return Array(try text("key", bytesMax: 511).utf8)
    }
}
