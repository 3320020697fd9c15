import Chance
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// data.sums: which page has which sum, commit by commit, and what is made of a file that does not
/// fit.
@Suite struct SumsTests {
    private func sumsPath(_ scratch: Scratch) -> String { scratch.store + "/data.sums" }

    /// Changes of all kinds: new keys, other values, large ones that grow and shrink, deletions, a
    /// table that is emptied, commits that change nothing.
    private func change(
        _ environment: Environment,
        _ tables: [Table],
        _ random: inout SplitMix64
    ) throws {
        try environment.write { transaction in
            for _ in 0..<random.pick(1..<300) {
                let table = tables[random.pick(tables.count)]
                let name = key(random.pick(4_000))
                switch random.pick(10) {
                case 0..<6:
                    let bytes = random.pick(12) == 0 ? random.pick(30_000) : random.pick(200)
                    let value = [UInt8](repeating: UInt8(random.pick(256)), count: bytes)
                    try transaction.put(value, for: name, in: table)
                default: _ = try transaction.delete(name, in: table)
                }
            }
            if random.pick(40) == 0 { try transaction.clear(tables[0]) }
        }
        if random.pick(5) == 0 { try environment.write { _ in } }
    }

    @Test(arguments: 0..<4) func `the sums that are kept are those of a walk, after every commit`(
        _ round: Int
    ) throws {
        var random = SplitMix64(seed: Seed.told(round: round))
        let scratch = try Scratch()
        for _ in 0..<4 {
            let environment = try Environment.open(directory: scratch.store, options: options)
            #expect(environment.warnings.isEmpty)
            let tables = try ["one", "two", "three"].map { try environment.table($0) }
            for _ in 0..<30 {
                try change(environment, tables, &random)
                // A walk finds the same sums, and no page more or less has one.
                try Environment.inspect(directory: scratch.store)
            }
            #expect(environment.close())
        }
    }

    @Test func `a long file is written anew and says the same`() throws {
        var random = SplitMix64.told()
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        var (sizes, isShorter) = ([Int](), false)
        while !isShorter {
            try environment.write { transaction in
                for _ in 0..<400 {
                    let name = key(random.pick(20_000))
                    try transaction.put([UInt8](repeating: 7, count: 900), for: name, in: table)
                }
            }
            sizes.append(try Scratch.bytes(of: sumsPath(scratch)).count)
            isShorter = sizes.count > 2 && sizes[sizes.count - 1] < sizes[sizes.count - 2]
            try #require(sizes.count < 2_000)
        }
        #expect((sizes.max() ?? 0) > Limits.sumsSlackBytes)
        try Environment.inspect(directory: scratch.store)
        #expect(environment.close())
        let again = try Environment.open(directory: scratch.store, options: options)
        #expect(again.warnings.isEmpty)
    }

    @Test func `sums that are one commit behind are brought up to it`() throws {
        var random = SplitMix64.told()
        let scratch = try Scratch()
        for _ in 0..<20 {
            var environment = try Environment.open(directory: scratch.store, options: options)
            let tables = try ["one", "two"].map { try environment.table($0) }
            try change(environment, tables, &random)
            try environment.fill(tables[0], from: random.pick(9_000), count: 1)
            let before = try Scratch.bytes(of: sumsPath(scratch))
            try environment.fill(tables[1], from: random.pick(9_000), count: 20, bytes: 5_000)
            let whole = try Scratch.bytes(of: sumsPath(scratch))
            #expect(environment.close())
            // As a crash leaves it: without the last record, or with a part of it.
            let cut = random.pick(before.count..<whole.count)
            try Scratch.put(Array(whole[..<cut]), at: sumsPath(scratch))
            let reading = Environment.Options(mapSizeBytes: 0, isReadOnly: true)
            let reader = try Environment.open(directory: scratch.store, options: reading)
            #expect(reader.warnings.isEmpty)
            #expect(reader.close())
            #expect(try Scratch.bytes(of: sumsPath(scratch)).count == cut, "who reads writes not")
            environment = try Environment.open(directory: scratch.store, options: options)
            #expect(environment.warnings.isEmpty)
            try Environment.inspect(directory: scratch.store)
            #expect(environment.close())
        }
    }

    @Test
    func `a file without sums, with damaged ones or those of another is walked and gets them`()
        throws
    {
        let scratch = try Scratch()
        var environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        for round in 0..<8 { try environment.fill(table, from: 100 * round, count: 100) }
        #expect(environment.close())
        let whole = try Scratch.bytes(of: sumsPath(scratch))
        let older = try Scratch.bytes(of: scratch.store + "/data.mdb")
        func open(expecting warning: StoreWarning) throws {
            environment = try Environment.open(directory: scratch.store, options: options)
            #expect(environment.warnings == [warning])
            try Environment.inspect(directory: scratch.store)
            #expect(environment.close())
        }
        unlink(sumsPath(scratch))
        try open(expecting: .sumsMissing)
        for place in [0, 20, 42] {
            var bad = whole
            bad[place] ^= 4
            try Scratch.put(bad, at: sumsPath(scratch))
            try open(expecting: .sumsUnreadable)
        }
        // Rot in the middle of the records is more than a crash leaves.
        try Scratch.put(whole, at: sumsPath(scratch))
        var bad = whole
        bad[whole.count / 2] ^= 1
        try Scratch.put(bad, at: sumsPath(scratch))
        environment = try Environment.open(directory: scratch.store, options: options)
        #expect(environment.warnings != [])
        try environment.fill(try environment.table("things"), from: 5_000, count: 10)
        try environment.fill(try environment.table("things"), from: 6_000, count: 10)
        try environment.fill(try environment.table("things"), from: 7_000, count: 10)
        #expect(environment.close())
        // An older data.mdb in the place of the present one.
        try Scratch.put(older, at: scratch.store + "/data.mdb")
        try open(expecting: .sumsOfAnother)
    }

    @Test func `a meta page that is not what was written is damage`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        for round in 0..<5 { try environment.fill(table, from: 400 * round, count: 400) }
        #expect(environment.close())
        let path = scratch.store + "/data.mdb"
        let bytes = try Scratch.bytes(of: path)
        let sums = try Scratch.bytes(of: sumsPath(scratch))
        let newest = bytes[144] > bytes[4_096 + 144] ? 0 : 4_096
        for place in 0..<152 {
            for bit in [0, 7] {
                var bad = bytes
                bad[newest + place] ^= 1 << UInt8(bit)
                try Scratch.put(bad, at: path)
                try Scratch.put(sums, at: sumsPath(scratch))
                let found = failure {
                    _ = try Environment.open(directory: scratch.store, options: options)
                }
                #expect(isDamage(found) || found == .versionMismatch, "byte \(place), bit \(bit)")
            }
        }
    }

    @Test func `a full disk while the sums are written refuses the next commit, and loses none`()
        throws
    {
        guard let disk = try SmallDisk(bytes: 4 << 20) else { return }
        let store = disk.path + "/store"
        let environment = try Environment.open(directory: store, options: options)
        let table = try environment.table("things")
        try environment.fill(table, count: 200)
        try disk.fill()
        // LMDB finds free pages within its file, data.sums none.
        var refused = 0
        for round in 0..<12 {
            let found = failure { try environment.fill(table, from: round, count: 1) }
            if found == .diskFull { refused += 1 } else { #expect(found == nil) }
        }
        #expect(refused > 0)
        disk.empty()
        try environment.fill(table, from: 300, count: 5)
        try Environment.inspect(directory: store)
        #expect(environment.close())
        let again = try Environment.open(directory: store, options: options)
        #expect(again.warnings.isEmpty)
        #expect(try again.value(key(304), in: again.table("things"))?.count == 100)
        #expect(again.close())
    }
}
