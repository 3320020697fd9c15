import LMDB
import TestSupport
import Testing

@Suite struct TransactionTests {
    private struct Refusal: Error {}

    private func opened(_ scratch: Scratch) throws -> (Environment, Table) {
        let environment = try Environment.open(directory: scratch.store, options: options)
        return (environment, try environment.table("things"))
    }

    @Test func `what was stored is found, after a reopening too`() throws {
        let scratch = try Scratch()
        do {
            let (environment, table) = try opened(scratch)
            try environment.write { transaction in
                try transaction.put([1, 2, 3], for: [9], in: table)
                try transaction.put([], for: [8], in: table)
                #expect(try transaction.bytes(of: [9], in: table) == [1, 2, 3])
            }
            #expect(environment.close())
        }
        let (environment, table) = try opened(scratch)
        #expect(try environment.value([9], in: table) == [1, 2, 3])
        #expect(try environment.value([8], in: table) == [])
        #expect(try environment.value([7], in: table) == nil)
        let count = try environment.read { transaction in
            try transaction.get([9], in: table)?.count
        }
        #expect(count == 3)
    }

    @Test func `a write that throws leaves nothing`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        #expect(throws: Refusal.self) {
            try environment.write { transaction in
                try transaction.put([1], for: [1], in: table)
                throw Refusal()
            }
        }
        #expect(try environment.value([1], in: table) == nil)
    }

    @Test func `delete says whether it was there, clear empties`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        try environment.write { transaction in
            try transaction.put([1], for: [1], in: table)
            #expect(try transaction.delete([1], in: table))
            #expect(try !transaction.delete([1], in: table))
            try transaction.append([3], for: [5], in: table)
            try transaction.append([3], for: [6], in: table)
            #expect(try transaction.entryCount(of: table) == 2)
            try transaction.clear(table)
            #expect(try transaction.entryCount(of: table) == 0)
        }
    }

    @Test func `a key is 1 to 511 bytes`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        let longest = [UInt8](repeating: 7, count: Limits.keyBytesMax)
        try environment.write { try $0.put([1], for: longest, in: table) }
        #expect(try environment.value(longest, in: table) == [1])
        for wrong in [[], longest + [7]] {
            let refused = failure {
                try environment.write { try $0.put([1], for: wrong, in: table) }
            }
            #expect(refused == .keySize)
        }
        #expect(failure { _ = try environment.value([], in: table) } == .keySize)
        #expect(try environment.value(longest + [7], in: table) == nil)
    }

    @Test func `large values come back whole`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        for count in [1, 2_000, 4_096, 100_000, 3_000_000] {
            let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try environment.write { try $0.put(value, for: [1], in: table) }
            #expect(try environment.value([1], in: table) == value)
        }
        environment.close()
        try Environment.inspect(directory: scratch.store)
    }

    @Test func `a reader keeps its view while others write`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        try environment.write { try $0.put([1], for: [1], in: table) }
        try environment.read { before in
            try environment.write { try $0.put([2], for: [1], in: table) }
            #expect(try before.bytes(of: [1], in: table) == [1])
            // Nested: another reader on the same thread sees the newer state.
            try environment.read { after in
                let newer = try after.bytes(of: [1], in: table)
                #expect(newer == [2])
                #expect(after.commit == before.commit + 1)
            }
            #expect(try environment.info().oldestReaderLag == 1)
            #expect(try environment.info().readersActive == 1)
        }
        #expect(try environment.info().oldestReaderLag == 0)
    }

    @Test func `a pooled reader sees the state of its renewal`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        let reader = try PooledReader(environment)
        func look() throws -> UInt8? {
            try [UInt8(1)].withUnsafeBytes { try reader.get($0, in: table)?.first }
        }
        try reader.renew()
        #expect(try look() == nil)
        try environment.write { try $0.put([1], for: [1], in: table) }
        #expect(try look() == nil)
        try reader.renew()
        #expect(try look() == 1)
        reader.reset()
        reader.reset()
        #expect(try environment.info().readersActive == 0)
        try environment.write { try $0.put([2], for: [1], in: table) }
        try reader.renew()
        #expect(try look() == 2)
    }

    @Test func `the reader table has an end, and slots come back`() throws {
        let scratch = try Scratch()
        var few = options
        few.readersMax = 4
        let environment = try Environment.open(directory: scratch.store, options: few)
        #expect(environment.warnings.isEmpty)
        // The lock file may have room for more than was asked for: it is allocated by the page.
        let slots = try environment.info().readersMax
        #expect(slots >= 4 && slots <= 128)
        var readers: [PooledReader] = []
        for _ in 0..<slots { readers.append(try PooledReader(environment)) }
        #expect(failure { _ = try PooledReader(environment) } == .readersFull)
        #expect(failure { try environment.read { _ in } } == .readersFull)
        readers.removeLast()
        try environment.read { _ in }
        #expect(readers.count == slots - 1)
    }

    @Test func `an environment with a transaction open is not closed under it`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch)
        try environment.write { try $0.put([1], for: [1], in: table) }
        try environment.read { transaction in
            #expect(!environment.close())
            let kept = try transaction.bytes(of: [1], in: table)
            #expect(kept == [1])
            #expect(failure { try environment.read { _ in } } == .closed)
        }
        #expect(environment.close())
        #expect(environment.close())
        #expect(failure { try environment.write { _ in } } == .closed)
    }

    @Test func `a full map refuses the write and keeps the rest`() throws {
        let scratch = try Scratch()
        let tiny = Environment.Options(mapSizeBytes: 1 << 20)
        let environment = try Environment.open(directory: scratch.store, options: tiny)
        let table = try environment.table("things")
        try environment.fill(table, count: 100)
        let full = failure { try environment.fill(table, from: 1_000, count: 30_000) }
        #expect(full == .mapFull)
        #expect(try environment.value(key(99), in: table)?.count == 100)
        #expect(try environment.value(key(1_000), in: table) == nil)
        try environment.fill(table, from: 200, count: 10)
        #expect(try environment.value(key(205), in: table)?.count == 100)
    }
}
