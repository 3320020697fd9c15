import Entitlements
import LMDB

/// The views: what the journal amounts to, in LMDB tables.
///
/// Every row is sealed with a CRC32C over key and value, which every read checks.
struct Views: Sendable {
    let environment: Environment
    private let tables: [Table]
    /// Tables that are not there yet, where nothing may be written.
    let absent: Set<TableName>

    init(_ environment: Environment) throws(LMDBFailure) {
        self.environment = environment
        var tables: [Table] = []
        for name in TableName.allCases { tables.append(try environment.table(name.rawValue)) }
        self.tables = tables
        absent = []
    }

    /// The views as they are, none of them created.
    init(reading environment: Environment) throws(LMDBFailure) {
        self.environment = environment
        var tables: [Table] = []
        var absent: Set<TableName> = []
        for name in TableName.allCases {
            let table = try environment.existingTable(name.rawValue)
            if table == nil { absent.insert(name) }
            tables.append(table ?? .absent)
        }
        self.tables = tables
        self.absent = absent
    }

    func table(_ name: TableName) -> Table { tables[Int(name.number)] }

    /// Writes every row that is there, and no byte of one that was, to a new file at `path`.
    func copy(to path: String) throws(LMDBFailure) {
        let there = TableName.allCases.filter { !absent.contains($0) }
        let tables = there.map { ($0.rawValue, table($0)) }
        try environment.copy(Dictionary(uniqueKeysWithValues: tables), to: path)
    }

    /// The unsealed value under `key`, copied; nil when there is none.
    func value<Source: Transaction & ~Copyable>(
        _ key: [UInt8],
        in name: TableName,
        _ transaction: borrowing Source
    ) throws -> [UInt8]? {
        guard let row = try transaction.get(key, in: table(name)) else { return nil }
        return try key.withUnsafeBytes { key in
            guard let value = Seal.opened(row, key) else { throw Damage(table: name) }
            return Array(value)
        }
    }

    /// The record of `key`, as it is stored.
    func record<T: TableRow, Source: Transaction & ~Copyable>(
        of type: T.Type,
        at key: T.Key,
        _ transaction: borrowing Source
    ) throws -> T.Record? {
        guard let bytes = try value(T.bytes(of: key), in: T.table, transaction) else { return nil }
        do {
            return try T.record(of: key, bytes)
        } catch {
            throw Damage(table: T.table)
        }
    }
}
