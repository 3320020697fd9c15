import FoundationEssentials
import Ledger

/// Where a dump goes on.
struct DumpCursor {
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

extension TableName: Comparable {
    /// The order in which a dump of everything walks the tables.
    package static func < (left: TableName, right: TableName) -> Bool {
        let order = TableName.allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
