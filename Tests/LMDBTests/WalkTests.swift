import Chance
import Glibc
import LMDB
import TestSupport
import Testing

/// The walk finds whatever could make a look-up miss an entry, or a write harm one.
@Suite struct WalkTests {
    private static let count = 3_000
    private static let pageBytes = 4_096

    /// Keys long enough for a tree of three levels.
    private func key(_ number: Int) -> [UInt8] {
        Array("a name with more than a few bytes \(100_000 + 7 * number)".utf8)
    }

    /// A store with branches above branches, large values and free pages, closed; its bytes.
    private func written(_ scratch: Scratch) throws -> [UInt8] {
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        let large = try environment.table("large")
        try environment.fill(large, count: 4, bytes: 9_000)
        for first in stride(from: 0, to: Self.count, by: 500) {
            try environment.write { transaction in
                for number in first..<first + 500 {
                    let value = [UInt8](repeating: UInt8(number & 255), count: 100)
                    try transaction.put(value, for: key(number), in: table)
                }
            }
        }
        try environment.fill(large, count: 2, bytes: 5_000)
        #expect(environment.close())
        return try Scratch.bytes(of: scratch.store + "/data.mdb")
    }

    private func inspect(_ scratch: Scratch, _ bytes: [UInt8]) throws -> LMDBFailure? {
        try Scratch.put(bytes, at: scratch.store + "/data.mdb")
        return failure { try Environment.inspect(directory: scratch.store) }
    }

    /// Whether LMDB finds every entry under its key, each with its value, and none between.
    private func everyLookUpIsRight(_ scratch: Scratch) throws -> Bool {
        let environment = try Environment.open(
            directory: scratch.store,
            options: .init(mapSizeBytes: 64 << 20, isReadOnly: true)
        )
        defer { environment.close() }
        guard let table = try environment.existingTable("things") else { return false }
        return try environment.read { transaction in
            guard try transaction.entryCount(of: table) == Self.count else { return false }
            for number in 0..<Self.count {
                let value = try transaction.bytes(of: key(number), in: table)
                guard value == [UInt8](repeating: UInt8(number & 255), count: 100) else {
                    return false
                }
                guard try transaction.get(key(number) + [0], in: table) == nil else {
                    return false
                }
            }
            return true
        }
    }

    /// The pages of the tables that the newest commit reaches, by their places in the file.
    private func pages(_ bytes: [UInt8], flags: UInt16) -> [Int] {
        let meta = [0, Self.pageBytes].max { bytes.u64($0 + 144) < bytes.u64($1 + 144) } ?? 0
        var found: [Int] = []
        var roots = [bytes.u64(meta + 128)]
        while let root = roots.popLast() {
            // A table without entries.
            if root == .max { continue }
            let page = Int(root) * Self.pageBytes
            if bytes.u16(page + 10) == flags { found.append(page) }
            for index in 0..<Int(bytes.u16(page + 12) - 16) / 2 {
                let node = page + Int(bytes.u16(page + 16 + 2 * index))
                if bytes.u16(page + 10) == 1 {
                    roots.append(bytes.u64(node) & 0xFFFF_FFFF_FFFF)
                } else if bytes.u16(node + 4) == 2 {
                    roots.append(bytes.u64(node + 8 + Int(bytes.u16(node + 6)) + 40))
                }
            }
        }
        return found
    }

    @Test func `a bit of a branch that is flipped is found, unless every look-up is still right`()
        throws
    {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        #expect(try inspect(scratch, bytes) == nil)
        let branches = pages(bytes, flags: 1)
        try #require(branches.count >= 3, "or there is no branch below another")
        var chance = SplitMix64(seed: Seed.told())
        var (found, harmless) = (0, 0)
        for page in branches {
            let used =
                Array(0..<Int(bytes.u16(page + 12)))
                + Array(Int(bytes.u16(page + 14))..<Self.pageBytes)
            for _ in 0..<150 {
                let place = page + used[Int(chance.next() % UInt64(used.count))]
                var bad = bytes
                bad[place] ^= 1 << UInt8(chance.next() % 8)
                if isDamage(try inspect(scratch, bad)) {
                    found += 1
                } else {
                    harmless += 1
                    #expect(try everyLookUpIsRight(scratch), "page \(page), byte \(place - page)")
                }
            }
        }
        #expect(found > harmless, "found \(found), harmless \(harmless)")
    }

    @Test func `every separator that sends a look-up elsewhere is found`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        var (found, harmless) = (0, 0)
        for page in pages(bytes, flags: 1) {
            for index in 1..<Int(bytes.u16(page + 12) - 16) / 2 {
                let node = page + Int(bytes.u16(page + 16 + 2 * index))
                let size = Int(bytes.u16(node + 6))
                for change in [4, 0xFC] as [UInt8] {
                    // The last byte but one tells keys apart that are not next to each other.
                    var bad = bytes
                    bad[node + 8 + size - 2] &+= change
                    if isDamage(try inspect(scratch, bad)) {
                        found += 1
                    } else {
                        // It still lies between the same two keys.
                        harmless += 1
                        #expect(try everyLookUpIsRight(scratch), "page \(page), node \(index)")
                    }
                }
            }
        }
        #expect(found > 200 && harmless < found / 10, "found \(found), harmless \(harmless)")
    }

    @Test func `leaves with keys out of order, doubled or of the wrong place are found`() throws {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let leaves = pages(bytes, flags: 2).filter { bytes.u16($0 + 12) > 40 }
        try #require(leaves.count > 100)
        for (place, page) in leaves.enumerated() where place % 7 == 0 {
            let count = Int(bytes.u16(page + 12) - 16) / 2
            var swapped = bytes
            for byte in 0..<2 {
                swapped[page + 16 + byte] = bytes[page + 14 + 2 * count + byte]
                swapped[page + 14 + 2 * count + byte] = bytes[page + 16 + byte]
            }
            #expect(isDamage(try inspect(scratch, swapped)), "page \(page)")
            var doubled = bytes
            for byte in 0..<2 { doubled[page + 18 + byte] = bytes[page + 16 + byte] }
            #expect(isDamage(try inspect(scratch, doubled)), "page \(page)")
            // A leaf of another place in the tree: sound in itself.
            let other = leaves[(place + leaves.count / 2) % leaves.count]
            var moved = bytes
            for byte in 8..<Self.pageBytes { moved[page + byte] = bytes[other + byte] }
            #expect(isDamage(try inspect(scratch, moved)), "page \(page)")
        }
    }

    @Test func `a table that tells wrong of itself, and a page that is used and free, are found`()
        throws
    {
        let scratch = try Scratch()
        let bytes = try written(scratch)
        let name = Array("things".utf8)
        let places = (0..<bytes.count - 60).filter { bytes[$0..<$0 + 6].elementsEqual(name) }
        // One of them is in the newest commit; of the others nothing is read.
        var found: [Int: Int] = [:]
        for place in places {
            for offset in [4, 5, 6, 32, 40] {
                var bad = bytes
                bad[place + name.count + offset] ^= 4
                if isDamage(try inspect(scratch, bad)) { found[place, default: 0] += 1 }
            }
        }
        #expect(found.values.contains(5), "\(found)")
        #expect(found.count == 1, "\(found)")
        // The list of free pages at the end of the free table names one that is in use.
        let commit = [0, Self.pageBytes].max { bytes.u64($0 + 144) < bytes.u64($1 + 144) } ?? 0
        let free = Int(bytes.u64(commit + 80)) * Self.pageBytes
        let branch = UInt64(try #require(pages(bytes, flags: 1).last) / Self.pageBytes)
        var hits = 0
        for index in 0..<Int(bytes.u16(free + 12) - 16) / 2 {
            let node = free + Int(bytes.u16(free + 16 + 2 * index))
            let list = node + 16
            guard bytes.u16(node + 4) == 0, bytes.u64(list) > 0 else { continue }
            for byte in 0..<8 {
                var bad = bytes
                for place in 0..<8 {
                    bad[list + 8 + place] = UInt8(truncatingIfNeeded: branch >> (8 * UInt64(place)))
                }
                bad[node + 8 + byte] = bytes[node + 8 + byte]
                let said = try inspect(scratch, bad)
                #expect(isDamage(said), "list \(index)")
                hits += 1
            }
        }
        #expect(hits > 0)
    }

    @Test func `a large value that became shorter in the commit that made it is sound`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.write { transaction in
            for size in [20_000, 5_000, 300] {
                try transaction.put([UInt8](repeating: 7, count: size), for: [1], in: table)
            }
        }
        #expect(environment.close())
        try Environment.inspect(directory: scratch.store)
        let again = try Environment.open(directory: scratch.store, options: options)
        let same = try again.table("things")
        #expect(try again.value([1], in: same)?.count == 300)
    }

    @Test func `whatever is put and taken away, the walk calls sound`() throws {
        let scratch = try Scratch()
        var chance = SplitMix64(seed: Seed.told())
        for _ in 0..<12 {
            let environment = try Environment.open(directory: scratch.store, options: options)
            let tables = try ["one", "two"].map { try environment.table($0) }
            for _ in 0..<25 {
                try environment.write { transaction in
                    for _ in 0..<Int(chance.next() % 300) {
                        let table = tables[Int(chance.next() % 2)]
                        let key = self.key(Int(chance.next() % 2_000))
                        if chance.next() % 5 < 2 {
                            _ = try transaction.delete(key, in: table)
                        } else {
                            let isLarge = chance.next() % 20 == 0
                            let size = Int(chance.next() % (isLarge ? 20_000 : 400))
                            try transaction.put(
                                [UInt8](repeating: 1, count: size),
                                for: key,
                                in: table
                            )
                        }
                    }
                    if chance.next() % 60 == 0 { try transaction.clear(tables[1]) }
                }
            }
            #expect(environment.close())
            try Environment.inspect(directory: scratch.store)
        }
    }
}

extension [UInt8] {
    fileprivate func u16(_ offset: Int) -> UInt16 {
        UInt16(self[offset]) | UInt16(self[offset + 1]) << 8
    }

    fileprivate func u64(_ offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << (8 * UInt64($1)) }
    }
}
