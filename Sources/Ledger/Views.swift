import CLinux
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
}

/// A row that is not what was stored.
struct Damage: Error {
    let table: TableName
}

/// The checksum at the end of every row.
enum Seal {
    static let bytes = 4

    /// The row of `key` with this value.
    static func closed(_ value: [UInt8], _ key: [UInt8]) -> [UInt8] {
        ByteWriter.row(key) { $0.raw(value) }
    }

    /// The value of a row, or nil when its checksum is wrong.
    @inline(__always)
    static func opened(
        _ row: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer? {
        guard row.count >= bytes else { return nil }
        let value = UnsafeRawBufferPointer(rebasing: row[..<(row.count - bytes)])
        let sum = row.loadUnaligned(fromByteOffset: value.count, as: UInt32.self)
        return UInt32(littleEndian: sum) == self.sum(of: value, key) ? value : nil
    }

    /// What stands behind the value of the row of `key`.
    @inline(__always)
    static func sum(
        of value: UnsafeRawBufferPointer,
        _ key: UnsafeRawBufferPointer
    ) -> UInt32 {
        let start = linux_crc32c(0, key.baseAddress, key.count)
        let sum = linux_crc32c(start, value.baseAddress, value.count)
        // Masked, as LevelDB does it: the sum over bytes that end with their own sum is the same
        // for all of them, and the front of an account ends with its own.
        return (sum >> 15 | sum << 17) &+ 0xa282_ead8
    }
}
