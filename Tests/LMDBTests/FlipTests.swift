import Chance
import Glibc
import TestSupport
import Testing

@testable import LMDB

/// One flipped bit anywhere in a page that is in use is damage, found before anybody believes it.
@Suite(.serialized) struct FlipTests {
    /// What stands in a page that a look-up, a cursor or a write goes by.
    private struct Place {
        let what: String
        let offset: Int
    }

    private static let entries = 1_500

    /// A store whose trees have branches, large values and free pages; closed.
    private func written(_ scratch: Scratch) throws {
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        let other = try environment.table("others")
        try environment.fill(table, count: Self.entries, bytes: 90)
        try environment.fill(other, count: 20, bytes: 9_000)
        try environment.write { transaction in
            for number in 900..<1_000 { _ = try transaction.delete(key(number), in: table) }
        }
        try environment.fill(table, from: 900, count: 100, bytes: 90)
        #expect(environment.close())
    }

    /// The pages in use: where each starts in the file, and its bytes.
    private func pagesInUse(_ scratch: Scratch) throws -> [(start: Int, page: PageBytes)] {
        let bytes = try Scratch.bytes(of: scratch.store + "/data.mdb")
        guard case .contents(let contents) = try SumsFile.read(scratch.store + "/data.sums") else {
            Issue.record("no sums")
            return []
        }
        return contents.sums.indices.filter { contents.sums[$0] != 0 }
            .map { number in
                let start = number * 4_096
                return (start, PageBytes(bytes: Array(bytes[start..<start + 4_096])))
            }
    }

    /// Every kind of byte in every kind of page in use.
    private func places(_ scratch: Scratch) throws -> [Place] {
        var found: [String: Int] = [:]
        for (start, page) in try pagesInUse(scratch) {
            let kind =
                switch page.u16(10) {
                case 0x01: "branch"
                case 0x02: "leaf"
                case 0x04: "value"
                default: "rest of a value"
                }
            found["\(kind): number"] = start
            found["\(kind): flags"] = start + 10
            found["\(kind): lower, or a count"] = start + 12
            found["\(kind): upper"] = start + 14
            found["\(kind): last byte"] = start + 4_095
            found["\(kind): middle"] = start + 2_500
            guard kind == "branch" || kind == "leaf" else { continue }
            for index in [1, (Int(page.u16(12)) - 16) / 2 - 1] where index > 0 {
                let node = Int(page.u16(16 + 2 * index))
                let size = Int(page.u16(node + 6))
                found["\(kind): offset of node \(min(index, 2))"] = start + 16 + 2 * index
                found["\(kind): child or size \(min(index, 2))"] = start + node
                found["\(kind): child or flags \(min(index, 2))"] = start + node + 4
                found["\(kind): key size \(min(index, 2))"] = start + node + 6
                found["\(kind): key \(min(index, 2))"] = start + node + 8 + size - 1
                found["\(kind): value \(min(index, 2))"] = start + node + 8 + size
            }
        }
        return found.map { Place(what: $0.key, offset: $0.value) }.sorted { $0.what < $1.what }
    }

    /// A key and an offset in a leaf with small values, and a separator above such leaves.
    private func placesOfThings(_ scratch: Scratch) throws -> [Place] {
        var found: [String: Int] = [:]
        for (start, page) in try pagesInUse(scratch) {
            let count = (Int(page.u16(12)) - 16) / 2
            if page.u16(10) == 0x01, count > 10 {
                found["separator"] = start + Int(page.u16(18)) + 8
            } else if page.u16(10) == 0x02, count > 5, page.u32(Int(page.u16(16))) == 90 {
                found["key"] = start + Int(page.u16(18)) + 8 + 2
                found["offset"] = start + 18
            }
        }
        #expect(found.count == 3)
        return found.map { Place(what: $0.key, offset: $0.value) }
    }

    private func flip(_ offset: Int, in path: String, bit: UInt8 = 0) throws {
        let descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var byte: UInt8 = 0
        #expect(pread(descriptor, &byte, 1, offset) == 1)
        byte ^= 1 << bit
        #expect(pwrite(descriptor, &byte, 1, offset) == 1)
    }

    @Test func `in a small file it is found at opening`() throws {
        let scratch = try Scratch()
        try written(scratch)
        let places = try places(scratch)
        #expect(places.count > 30)
        for place in places {
            let path = scratch.store + "/data.mdb"
            try flip(place.offset, in: path)
            let found = failure {
                _ = try Environment.open(directory: scratch.store, options: options)
            }
            #expect(isDamage(found), "\(place.what)")
            try flip(place.offset, in: path)
        }
        let environment = try Environment.open(directory: scratch.store, options: options)
        #expect(environment.warnings.isEmpty)
        #expect(environment.close())
    }

    /// Reads and writes everything in the store at `directory`, as entitld would end: 0 where every
    /// answer is right, 65 where damage was found, 1 where an answer is wrong.
    static func use(_ directory: String, writesFirst: Bool) -> Never {
        var options = options
        options.comparedBytesMax = 0
        do {
            let environment = try Environment.open(directory: directory, options: options)
            let (table, other) = (try environment.table("things"), try environment.table("others"))
            if writesFirst {
                for first in stride(from: 0, to: entries, by: 100) {
                    try environment.fill(table, from: first, count: 50, bytes: 90)
                    try environment.fill(other, from: first / 100, count: 1, bytes: 9_000)
                }
            }
            for number in 0..<entries {
                let value = try environment.value(key(number), in: table)
                guard value == [UInt8](repeating: UInt8(number & 255), count: 90) else { exit(1) }
            }
            for number in 0..<20 {
                let value = try environment.value(key(number), in: other)
                guard value == [UInt8](repeating: UInt8(number & 255), count: 9_000) else {
                    exit(1)
                }
            }
            let count = try environment.read { transaction in
                try transaction.withCursor(in: table) { cursor in
                    var count = 0
                    while try cursor.next() != nil { count += 1 }
                    return count
                }
            }
            guard count == entries else { exit(1) }
            for round in 0..<4 {
                try environment.fill(table, from: round * 300, count: 300, bytes: 91 + round)
            }
            try environment.write { try $0.clear(other) }
            exit(0)
        } catch LMDBFailure.damaged {
            exit(65)
        } catch {
            exit(1)
        }
    }

    @Test(arguments: [false, true]) func `in a large file it is found by whoever touches it first`(
        _ writesFirst: Bool
    ) async throws {
        let scratch = try Scratch()
        try written(scratch)
        let (store, path) = (scratch.store, scratch.store + "/data.mdb")
        let copy = scratch.path + "/whole"
        try Scratch.copy(store, to: copy)
        await #expect(processExitsWith: .exitCode(0)) {
            [copy = copy as String, writesFirst = writesFirst as Bool] in
            FlipTests.use(copy, writesFirst: writesFirst)
        }
        for place in try places(scratch) {
            try flip(place.offset, in: path, bit: 1)
            try Scratch.copy(store, to: copy)
            await #expect(processExitsWith: .exitCode(65), "\(place.what)") {
                [copy = copy as String, writesFirst = writesFirst as Bool] in
                FlipTests.use(copy, writesFirst: writesFirst)
            }
            try flip(place.offset, in: path, bit: 1)
        }
    }

    @Test func `above the size that is compared at opening, a page ends the process by its name`()
        async throws
    {
        let scratch = try Scratch()
        let store = scratch.store
        let environment = try Environment.open(
            directory: store,
            options: .init(mapSizeBytes: 256 << 20)
        )
        let table = try environment.table("things")
        try environment.fill(table, count: 24_000, bytes: 1_900)
        #expect(environment.close())
        var status = stat()
        #expect(stat(store + "/data.mdb", &status) == 0)
        try #require(status.st_size > Limits.comparedBytesMax)
        try flip(30 << 20, in: store + "/data.mdb")
        let result = await #expect(
            processExitsWith: .exitCode(65),
            observing: [\.standardErrorContent]
        ) { [store = store as String] in
            let environment = try Environment.open(
                directory: store,
                options: .init(mapSizeBytes: 256 << 20)
            )
            let table = try environment.table("things")
            for number in 0..<24_000 { _ = try environment.value(key(number), in: table) }
            exit(0)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("\(store)/data.mdb is damaged (page 7680 is not what was written)"))
    }

    @Test func `after it was compared, it is found where something is absent or written`() throws {
        let scratch = try Scratch()
        try written(scratch)
        let path = scratch.store + "/data.mdb"
        for place in try placesOfThings(scratch) {
            let environment = try Environment.open(directory: scratch.store, options: options)
            let table = try environment.table("things")
            let reader = try PooledReader(environment)
            try reader.renew()
            func prove() throws {
                for number in Self.entries..<Self.entries + 200 {
                    try key(number).withUnsafeBytes { try reader.proveAbsence(of: $0, in: table) }
                }
                for number in 0..<Self.entries {
                    try key(number).withUnsafeBytes { try reader.provePath(to: $0, in: table) }
                }
            }
            try prove()
            try flip(place.offset, in: path)
            // A new view: what was compared for the one before is compared again.
            try reader.renew()
            #expect(isDamage(failure { try prove() }), "\(place.what)")
            let written = failure {
                try environment.fill(table, count: Self.entries + 100, bytes: 90)
            }
            #expect(isDamage(written), "\(place.what)")
            reader.reset()
            try flip(place.offset, in: path)
            try reader.renew()
            try prove()
            #expect(try key(1).withUnsafeBytes { try reader.get($0, in: table)?.count } == 90)
            let denied = failure {
                try key(1).withUnsafeBytes { try reader.proveAbsence(of: $0, in: table) }
            }
            #expect(isDamage(denied), "a key that is there is not called absent")
        }
    }

    @Test func `rows that are out of order are damage to a copy, and nothing is kept of it`() throws
    {
        let scratch = try Scratch()
        try written(scratch)
        let environment = try Environment.open(directory: scratch.store, options: options)
        let names = ["things", "others"]
        let tables = try names.map { ($0, try environment.table($0)) }
        let place = try #require(try placesOfThings(scratch).first { $0.what == "key" })
        try flip(place.offset, in: scratch.store + "/data.mdb", bit: 7)
        let copy = scratch.path + "/data.mdb"
        let refused = failure {
            try environment.copy(Dictionary(uniqueKeysWithValues: tables), to: copy)
        }
        #expect(isDamage(refused))
        #expect(!Scratch.names(in: scratch.path).contains("data.mdb"))
    }

    @Test func `a row that a page lost without a trace is damage to a copy`() throws {
        let scratch = try Scratch()
        try written(scratch)
        let environment = try Environment.open(directory: scratch.store, options: options)
        let names = ["things", "others"]
        let tables = try names.map { ($0, try environment.table($0)) }
        // `lower` is twice the count of a leaf's nodes, and 16: with its lowest bit off there are
        // fewer.
        let leaf = try #require(
            try pagesInUse(scratch).first { $0.page.u16(10) == 0x02 && $0.page.u16(12) > 40 }
        )
        let before = try environment.read { try $0.entryCount(of: tables[0].1) }
        let bit = UInt8(leaf.page.u16(12).trailingZeroBitCount)
        try flip(leaf.start + 12, in: scratch.store + "/data.mdb", bit: bit)
        let copy = scratch.path + "/data.mdb"
        let refused = failure {
            try environment.copy(Dictionary(uniqueKeysWithValues: tables), to: copy)
        }
        #expect(isDamage(refused))
        #expect(before == Self.entries)
        #expect(!Scratch.names(in: scratch.path).contains("data.mdb"))
    }
}
