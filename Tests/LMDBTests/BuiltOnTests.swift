import Glibc
import TestSupport
import Testing

@testable import LMDB

private enum Place {
    /// The offset of the last byte of `part` in `page`, which it is a part of.
    static func end(of part: UnsafeRawBufferPointer, in page: UnsafeRawBufferPointer) -> Int {
        Int(bitPattern: part.baseAddress) - Int(bitPattern: page.baseAddress) + part.count - 1
    }
}

/// What a write goes by beside the paths of its keys: all of it was compared when the file was
/// opened, and rots while it is open.
@Suite(.serialized) struct BuiltOnTests {
    /// A table whose tree is read as it is stored.
    private struct Tree {
        let environment: Environment
        let table: Table
        let path: String

        init(_ scratch: Scratch, count: Int, bytes: Int) throws {
            environment = try Environment.open(directory: scratch.store, options: options)
            table = try environment.table("things")
            path = scratch.store + "/data.mdb"
            try environment.fill(table, count: count, bytes: bytes)
        }

        var map: MappedPages { get throws { try #require(environment.pages.map) } }

        var root: StoreFile.TableRoot {
            get throws {
                let metas = try map.metas(path)
                let main = metas.newest.mainTable
                var found: StoreFile.TableRoot?
                try map.page(main.root) { page throws(LMDBFailure) in
                    for index in 0..<page.count {
                        if case .table(let root) = try page.value(index) { found = root }
                    }
                }
                return try #require(found)
            }
        }

        /// The pages under `number`, from left to right.
        func children(of number: UInt64) throws -> [UInt64] {
            try map.page(number) { page throws(LMDBFailure) in
                var children: [UInt64] = []
                for index in 0..<page.count { children.append(try page.child(index)) }
                return children
            }
        }

        /// The keys of a leaf.
        func keys(of leaf: UInt64) throws -> [[UInt8]] {
            try map.page(leaf) { page throws(LMDBFailure) in
                var keys: [[UInt8]] = []
                for index in 0..<page.count { keys.append(Array(try page.key(index))) }
                return keys
            }
        }

        /// The keys of all leaves under a branch above leaves.
        func keys(under branch: UInt64) throws -> [[UInt8]] {
            try children(of: branch).flatMap { try keys(of: $0) }
        }

        /// Flips the last bit of the last byte of the key of node `index`: nothing that LMDB would
        /// stumble over.
        func rot(_ page: UInt64, keyOf index: Int) throws {
            let offset = try map.page(page) { page throws(LMDBFailure) in
                try Place.end(of: page.key(index), in: page.bytes)
            }
            try flip(Int(page) * 4_096 + offset)
        }

        func flip(_ offset: Int) throws {
            let descriptor = open(path, O_RDWR)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            var byte: UInt8 = 0
            #expect(pread(descriptor, &byte, 1, offset) == 1)
            byte ^= 1
            #expect(pwrite(descriptor, &byte, 1, offset) == 1)
        }

        /// What deleting `keys`, one behind the other and in one transaction, fails with.
        func failureOfDeleting(_ keys: some Sequence<[UInt8]>) -> LMDBFailure? {
            failure {
                try environment.write { transaction in
                    for key in keys { _ = try transaction.delete(key, in: table) }
                }
            }
        }
    }

    @Test(arguments: [0, 7]) func `a leaf that another is merged with`(_ index: Int) throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        let leaves = try tree.children(of: tree.root.root)
        #expect(try tree.root.depth == 2)
        try tree.rot(leaves[index == 0 ? 1 : index - 1], keyOf: 1)
        #expect(isDamage(tree.failureOfDeleting(try tree.keys(of: leaves[index]))))
    }

    @Test func `a leaf that another is merged with when its neighbour was not enough`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        var leaves = try tree.children(of: tree.root.root)
        // Values that become shorter thin a leaf out, and merge nothing.
        try tree.environment.write { transaction in
            for key in try tree.keys(of: leaves[6]) {
                try transaction.put([1], for: key, in: tree.table)
            }
        }
        leaves = try tree.children(of: tree.root.root)
        try tree.rot(leaves[5], keyOf: 1)
        #expect(isDamage(tree.failureOfDeleting(try tree.keys(of: leaves[7]))))
    }

    @Test func `a branch that another is merged with, and the lowest key below it`() throws {
        for (index, rotten) in [(1, 0), (0, 1)] {
            for isBelow in [false, true] {
                let scratch = try Scratch()
                let tree = try Tree(scratch, count: 1_500, bytes: 1_300)
                #expect(try tree.root.depth == 3)
                let branches = try tree.children(of: tree.root.root)
                let page =
                    isBelow ? try tree.children(of: branches[rotten])[0] : branches[rotten]
                // The lowest key under the left one is taken from nowhere.
                if isBelow, rotten == 0 { continue }
                try tree.rot(page, keyOf: isBelow ? 0 : 2)
                let keys = try tree.keys(under: branches[index])
                #expect(isDamage(tree.failureOfDeleting(keys)), "\(index), \(isBelow)")
            }
        }
    }

    @Test func `the list of free pages`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        for round in 0..<3 { try tree.environment.fill(tree.table, count: 900, bytes: 91 + round) }
        let free = try tree.map.metas(tree.path).newest.freeTable
        #expect(!free.isEmpty)
        // Its last bytes are the first record that was put there.
        try tree.flip(Int(free.root) * 4_096 + 4_088)
        #expect(isDamage(failure { try tree.environment.fill(tree.table, count: 1) }))
    }

    @Test func `the newest meta page`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 100, bytes: 90)
        let commit = try tree.map.metas(tree.path).newest.commit
        // How many entries the table of the tables has.
        try tree.flip(Int(commit % 2) * 4_096 + 88 + 32)
        #expect(isDamage(failure { try tree.environment.fill(tree.table, count: 1) }))
    }

    @Test func `what LMDB never writes again of a meta page`() throws {
        for page in 0...1 {
            for offset in [0, 2, 7, 8, 10, 12, 15, 16, 19, 24, 31] {
                let scratch = try Scratch()
                let tree = try Tree(scratch, count: 10, bytes: 90)
                try tree.flip(page * 4_096 + offset)
                let found = failure { try tree.environment.fill(tree.table, count: 1) }
                #expect(isDamage(found), "byte \(offset) of page \(page)")
            }
        }
    }

    @Test func `a leaf that a cursor comes to in a write transaction`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        let leaves = try tree.children(of: tree.root.root)
        let rotten = try tree.keys(of: leaves[4])
        try tree.rot(leaves[4], keyOf: 3)
        var seen: [[UInt8]] = []
        let found = failure {
            try tree.environment.write { transaction in
                try transaction.withCursor(in: tree.table) { cursor in
                    while let entry = try cursor.next() { seen.append(Array(entry.key)) }
                }
            }
        }
        #expect(isDamage(found))
        #expect(seen.last.map { $0.lexicographicallyPrecedes(rotten[0]) } == true)
    }

    @Test func `a table that is emptied`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        try tree.rot(try tree.root.root, keyOf: 3)
        #expect(isDamage(failure { try tree.environment.write { try $0.clear(tree.table) } }))
    }

    @Test func `rot between the comparison and the commit: the commit is never believed`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        let leaf = try tree.children(of: tree.root.root)[3]
        let key = try tree.keys(of: leaf)[0]
        let found = failure {
            try tree.environment.write { transaction in
                try transaction.put([1], for: key, in: tree.table)
                try tree.rot(leaf, keyOf: 1)
            }
        }
        #expect(isDamage(found))
        #expect(isDamage(failure { try tree.environment.fill(tree.table, count: 1) }))
        #expect(tree.environment.close())
        // The page is as it was again, but what was made of it stays what it is.
        try tree.flip(Int(leaf) * 4_096 + 4_095)
        let opened = failure {
            _ = try Environment.open(directory: scratch.store, options: options)
        }
        #expect(isDamage(opened))
    }

    @Test func `a list of free pages that gives a page away which is in use`() throws {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        for round in 0..<3 { try tree.environment.fill(tree.table, count: 900, bytes: 91 + round) }
        let free = try tree.map.metas(tree.path).newest.freeTable
        let inUse = try tree.children(of: tree.root.root).dropFirst()
        let found = failure {
            try tree.environment.write { transaction in
                // Behind the comparison: page numbers, greatest first, in the oldest record.
                let (offset, count) = try tree.map.page(free.root) { page throws(LMDBFailure) in
                    guard case .here(let record) = try page.value(0) else {
                        throw .damaged("a long record")
                    }
                    let end = Place.end(of: record, in: page.bytes)
                    return (end + 1 - record.count, record.count / 8 - 1)
                }
                try #require(count > 1)
                // The last one is taken first.
                let descriptor = open(tree.path, O_RDWR)
                defer { close(descriptor) }
                let place = Int(free.root) * 4_096 + offset + 8 * count
                var before: UInt64 = 0
                #expect(pread(descriptor, &before, 8, place - 8) == 8)
                var number = try #require(inUse.first { $0 < before })
                #expect(pwrite(descriptor, &number, 8, place) == 8)
                try transaction.put([1], for: key(1), in: tree.table)
            }
        }
        #expect(isDamage(found))
        #expect(tree.environment.close())
        let opened = failure {
            _ = try Environment.open(directory: scratch.store, options: options)
        }
        #expect(isDamage(opened))
    }

    @Test func `a commit that data.sums does not have yet is compared with what it was built on`()
        throws
    {
        let scratch = try Scratch()
        let tree = try Tree(scratch, count: 1_500, bytes: 90)
        let leaf = try tree.children(of: tree.root.root)[3]
        let key = try tree.keys(of: leaf)[0]
        #expect(tree.environment.close())
        let sums = try Scratch.bytes(of: scratch.store + "/data.sums")
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.write { try $0.put([1], for: key, in: table) }
        #expect(environment.close())
        try Scratch.put(sums, at: scratch.store + "/data.sums")
        try tree.flip(Int(leaf) * 4_096 + 4_095)
        let opened = failure {
            _ = try Environment.open(directory: scratch.store, options: options)
        }
        #expect(isDamage(opened))
        try tree.flip(Int(leaf) * 4_096 + 4_095)
        #expect(try Environment.open(directory: scratch.store, options: options).close())
    }

    /// Opens the store at `directory`, rots it or not, and follows a pointer that leads nowhere.
    static func crash(in directory: String, rotten: Bool) throws -> Never {
        let environment = try Environment.open(directory: directory, options: options)
        try environment.fill(try environment.table("things"), count: 100, bytes: 90)
        if rotten {
            let descriptor = open(directory + "/data.mdb", O_RDWR)
            var byte: UInt8 = 0
            let place = Int(environment.pages.meta.mainTable.root) * 4_096 + 4_000
            guard pread(descriptor, &byte, 1, place) == 1 else { exit(1) }
            byte ^= 1
            guard pwrite(descriptor, &byte, 1, place) == 1 else { exit(1) }
        }
        let nowhere = UnsafePointer<UInt8>(bitPattern: getppid() > 0 ? 8 : 16)
        exit(Int32(nowhere?.pointee ?? 0))
    }

    @Test func `a crash with a rotten page ends as damage, and any other as a crash`() async throws
    {
        let scratch = try Scratch()
        let store = scratch.store
        await #expect(processExitsWith: .signal(SIGSEGV)) { [store = store as String] in
            try BuiltOnTests.crash(in: store, rotten: false)
        }
        let result = await #expect(
            processExitsWith: .exitCode(65),
            observing: [\.standardErrorContent]
        ) { [store = store as String] in
            try BuiltOnTests.crash(in: store, rotten: true)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("\(store)/data.mdb is damaged (page "))
    }
}
