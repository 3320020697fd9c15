import Glibc
import LMDB
import TestSupport
import Testing

/// A copy of an environment: its rows and nothing else.
@Suite struct CopyTests {
    @Test func `a copy is whole, private, and never half there`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.fill(table, count: 500)
        mkdir(scratch.path + "/backup", 0o700)
        let path = scratch.path + "/backup/data.mdb"
        try environment.copy(["things": table], to: path)
        #expect(failure { try environment.copy(["things": table], to: path) } != nil)
        #expect(Scratch.names(in: scratch.path + "/backup") == ["data.mdb", "data.sums"])
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let copy = try Environment.open(directory: scratch.path + "/backup", options: options)
        #expect(try copy.value(key(499), in: copy.table("things"))?.count == 100)
    }

    @Test func `every row of every table is in a copy, and no byte of one that was deleted`() throws
    {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let tables = ["empty", "large", "small"]
        let (large, small) = (try environment.table("large"), try environment.table("small"))
        _ = try environment.table("empty")
        let secret = Array("nobody may read this any more".utf8)
        try environment.fill(small, count: 3_000, bytes: 90)
        try environment.write { transaction in
            for number in 0..<3_000 {
                let bytes = number % 100 == 0 ? 9_000 : 40
                let value = [UInt8](repeating: UInt8(number & 255), count: bytes)
                try transaction.put(value, for: key(number), in: large)
                try transaction.put(secret, for: secret + key(number), in: small)
                try transaction.put(secret + value, for: key(5_000 + number), in: large)
            }
        }
        try environment.write { transaction in
            for number in 0..<3_000 {
                _ = try transaction.delete(secret + key(number), in: small)
                _ = try transaction.delete(key(5_000 + number), in: large)
            }
        }
        #expect(try contains(secret, scratch.store + "/data.mdb"), "or the test shows nothing")
        let path = scratch.path + "/copy"
        mkdir(path, 0o700)
        let opened = try tables.map { ($0, try environment.table($0)) }
        try environment.copy(Dictionary(uniqueKeysWithValues: opened), to: path + "/data.mdb")
        #expect(try !contains(secret, path + "/data.mdb"))
        let copy = try Environment.open(directory: path, options: options)
        for name in tables {
            let rows = try rows(of: name, in: environment)
            #expect(rows.count == (name == "empty" ? 0 : 3_000))
            #expect(try self.rows(of: name, in: copy) == rows, "\(name)")
        }
    }

    @Test func `a copy larger than one piece is whole, and smaller than what it was made of`()
        throws
    {
        let scratch = try Scratch()
        var wide = options
        wide.mapSizeBytes = 256 << 20
        let environment = try Environment.open(directory: scratch.store, options: wide)
        let table = try environment.table("things")
        try environment.fill(table, count: 40_000, bytes: 1_500)
        try environment.write { transaction in
            for number in 0..<40_000 where number % 3 != 0 {
                _ = try transaction.delete(key(number), in: table)
            }
        }
        let path = scratch.path + "/copy"
        mkdir(path, 0o700)
        try environment.copy(["things": table], to: path + "/data.mdb")
        let (before, after) = (size(of: scratch.store), size(of: path))
        #expect(after * 2 < before, "\(before) bytes became \(after)")
        let copy = try Environment.open(directory: path, options: wide)
        #expect(try rows(of: "things", in: copy) == rows(of: "things", in: environment))
    }

    @Test func `a table that would be left out is refused`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        _ = try environment.table("others")
        let path = scratch.path + "/data.mdb"
        #expect(isDamage(failure { try environment.copy(["things": table], to: path) }))
        #expect(Scratch.names(in: scratch.path) == ["store"])
    }

    private func rows(of name: String, in environment: Environment) throws -> [[UInt8]] {
        let table = try environment.table(name)
        return try environment.read { transaction in
            try transaction.withCursor(in: table) { cursor in
                var rows: [[UInt8]] = []
                var entry = try cursor.first()
                while let (key, value) = entry {
                    rows.append([UInt8](key) + [UInt8](value))
                    entry = try cursor.next()
                }
                return rows
            }
        }
    }

    private func size(of store: String) -> Int {
        var status = stat()
        #expect(stat(store + "/data.mdb", &status) == 0)
        return status.st_size
    }

    private func contains(_ needle: [UInt8], _ path: String) throws -> Bool {
        try Scratch.bytes(of: path)
            .withUnsafeBytes { bytes in
                bytes.indices.contains { start in
                    bytes[start] == needle.first && bytes[start...].starts(with: needle)
                }
            }
    }
}
