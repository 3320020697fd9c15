import Glibc
import LMDB
import TestSupport
import Testing

extension Scratch {
    var store: String { path + "/store" }
}

let options = Environment.Options(mapSizeBytes: 64 << 20)

/// Answers the failure that `body` throws.
func failure(_ body: () throws -> Void) -> LMDBFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? LMDBFailure
    }
}

func isDamage(_ failure: LMDBFailure?) -> Bool {
    if case .damaged = failure { return true }
    return false
}

func isPoisoned(_ failure: LMDBFailure?) -> Bool {
    if case .poisoned = failure { return true }
    return false
}

func key(_ number: Int) -> [UInt8] {
    [UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
}

extension Environment {
    /// Stores `count` entries of `bytes` bytes, from key `first` on.
    func fill(_ table: Table, from first: Int = 0, count: Int, bytes: Int = 100) throws {
        try write { transaction in
            for number in first..<first + count {
                let value = [UInt8](repeating: UInt8(number & 255), count: bytes)
                try transaction.put(value, for: key(number), in: table)
            }
        }
    }

    func value(_ key: [UInt8], in table: Table) throws -> [UInt8]? {
        try read { transaction in try transaction.bytes(of: key, in: table) }
    }
}

extension Transaction where Self: ~Copyable {
    /// A copy of the value under `key`, or nil when there is none.
    func bytes(of key: [UInt8], in table: Table) throws(LMDBFailure) -> [UInt8]? {
        try get(key, in: table).map { [UInt8]($0) }
    }
}
