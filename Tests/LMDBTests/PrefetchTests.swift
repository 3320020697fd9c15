import TestSupport
import Testing

@testable import LMDB

struct PrefetchTests {
    @Test(arguments: [1, 40, 5_000, 400_000]) func `a walk ends where a look-up does`(
        _ rows: Int
    ) throws {
        let scratch = try Scratch()
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 1 << 30)
        )
        let table = try environment.table("rows")
        try environment.write { transaction in
            for row in 0..<rows {
                // One in 200 lies on pages of its own.
                let count = row % 200 == 199 ? 5_000 : row % 200
                let value = [UInt8](repeating: UInt8(row & 0xFF), count: count)
                try transaction.put(value, for: key(2 * row), in: table)
            }
        }
        let reader = try PooledReader(environment)
        var prefetch = try TablePrefetch(reader, table: "rows")
        #expect(prefetch.run() == 0, "without a view there is nothing to walk through")
        try reader.renew()
        for first in stride(from: 0, to: 2 * rows, by: max(2, rows / 7)) {
            let keys = (first..<first + TablePrefetch.keysMax).map { key($0) }
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: 16 * keys.count,
                alignment: 8
            )
            defer { memory.deallocate() }
            var there = 0
            var windows: [UnsafeRawBufferPointer] = []
            for (index, key) in keys.enumerated() {
                let window = UnsafeMutableRawBufferPointer(
                    rebasing: memory[16 * index..<16 * index + key.count]
                )
                window.copyBytes(from: key)
                #expect(prefetch.add(UnsafeRawBufferPointer(window)) == (index < keys.count - 1))
                windows.append(UnsafeRawBufferPointer(window))
                if try reader.get(UnsafeRawBufferPointer(window), in: table) != nil { there += 1 }
            }
            #expect(there > 0)
            #expect(windows.allSatisfy { prefetch.value(of: $0) == nil }, "nobody has looked")
            #expect(prefetch.run() == there)
            var remembered = 0
            for window in windows {
                guard let value = prefetch.value(of: window) else { continue }
                let asked = try reader.get(window, in: table)
                #expect(value.baseAddress == asked?.baseAddress)
                #expect(value.count == asked?.count)
                remembered += 1
            }
            // Some may share a place, and who has pages of its own is left to LMDB.
            #expect(remembered > 0 && remembered <= there && remembered * 2 >= there)
            reader.reset()
            #expect(windows.allSatisfy { prefetch.value(of: $0) == nil }, "the view is gone")
            try reader.renew()
            #expect(windows.allSatisfy { prefetch.value(of: $0) == nil }, "it is another view")
        }
        reader.reset()
    }

    @Test func `what a view remembers is not what the next one has`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 1 << 20)
        )
        let table = try environment.table("rows")
        let reader = try PooledReader(environment)
        var prefetch = try TablePrefetch(reader, table: "rows")
        for round in UInt8(0)..<9 {
            try environment.write { transaction in
                try transaction.put([round], for: key(1), in: table)
                try transaction.put([round, round], for: key(2), in: table)
                _ = try transaction.delete(key(3 + Int(round) % 2), in: table)
                try transaction.put([round], for: key(4 - Int(round) % 2), in: table)
            }
            try reader.renew()
            let keys = (1...5).map { key($0) }
            // A key stays where it is for as long as its closure runs.
            func add(_ rest: ArraySlice<[UInt8]>, _ body: () -> Void) {
                guard let first = rest.first else { return body() }
                first.withUnsafeBytes {
                    _ = prefetch.add($0)
                    add(rest.dropFirst(), body)
                }
            }
            add(keys[...]) { #expect(prefetch.run() == 3) }
            var remembered = 0
            for (index, key) in keys.enumerated() {
                let found = key.withUnsafeBytes { prefetch.value(of: $0).map { Array($0) } }
                guard let found else { continue }
                let asked = try reader.get(key, in: table).map { Array($0) }
                #expect(found == asked)
                #expect(index != 4, "nobody has the fifth")
                remembered += 1
            }
            #expect(remembered > 0)
            reader.reset()
        }
    }

    private func key(_ number: Int) -> [UInt8] { Array("key \(1_000_000 + number)".utf8) }
}
