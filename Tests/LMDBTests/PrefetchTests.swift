import Testing

@testable import LMDB

struct PrefetchTests {
    @Test(arguments: [1, 40, 5_000, 60_000]) func `a walk ends where a look-up does`(
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
                let value = [UInt8](repeating: UInt8(row & 0xFF), count: 1 + row % 200)
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
            for (index, key) in keys.enumerated() {
                let window = UnsafeMutableRawBufferPointer(
                    rebasing: memory[16 * index..<16 * index + key.count]
                )
                window.copyBytes(from: key)
                #expect(prefetch.add(UnsafeRawBufferPointer(window)) == (index < keys.count - 1))
                if try reader.get(UnsafeRawBufferPointer(window), in: table) != nil { there += 1 }
            }
            #expect(there > 0)
            #expect(prefetch.run() == there)
        }
        reader.reset()
    }

    private func key(_ number: Int) -> [UInt8] { Array("key \(1_000_000 + number)".utf8) }
}
