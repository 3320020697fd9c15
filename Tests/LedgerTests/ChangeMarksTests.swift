import Entitlements
import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

/// The file of marks, as clients read it (docs/shared-answers.md).
struct ChangeMarksTests {
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.file("entitld.sock.marks")
    }

    /// The words of the file, read as a client does.
    private func words() throws -> [UInt64] {
        let bytes = try Scratch.bytes(of: path)
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    }

    private func mark(of user: String) throws -> UInt64 {
        try words()[8 + ChangeMarks.group(of: Array(user.utf8))]
    }

    private func inode() -> UInt64 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private func served(_ source: Policy.Source = tariff()) throws -> Ledger {
        var options = options(scratch.store)
        options.marks = .kept(path: path, mode: 0o660)
        return try Ledger.open(options, source: source) { Issue.record("gave up: \($0)") }
    }

    @Test func `the layout is that of the page`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        let words = try words()
        #expect(Array(try Scratch.bytes(of: path).prefix(8)) == Array("ENTMARK1".utf8))
        #expect(words[1] == 262_144 && words.count == 8 + 262_144)
        #expect(words[2] != 0 && words[3] == 0)
        #expect(words[4...].allSatisfy { $0 == 0 })
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    }

    @Test func `a group is FNV-1a, folded`() {
        // 0xaf63dc4c8601ec8c is the published hash of "a".
        let folded: UInt64 = (0xaf63_dc4c_8601_ec8c ^ 0xaf63_dc4c) & 0x3ffff
        #expect(ChangeMarks.group(of: Array("a".utf8)) == Int(folded))
        let empty: UInt64 = (0xcbf2_9ce4_8422_2325 ^ 0xcbf2_9ce4) & 0x3ffff
        #expect(ChangeMarks.group(of: []) == Int(empty))
    }

    @Test func `a change marks its user with its position, and nobody else`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        try ledger.order(try grant("ann", key: 1, plan: "pro"))
        #expect(try mark(of: "ann") == 1)
        #expect(try mark(of: "bob") == 0)
        try ledger.order(try grant("bob", key: 1, plan: "pro"))
        try ledger.order(try grant("ann", key: 2, plan: "pro"))
        #expect(try mark(of: "ann") == 3)
        #expect(try mark(of: "bob") == 2)
        #expect(try words()[8...].count { $0 != 0 } == 2)
    }

    @Test func `an answer that shows a change is never older than its mark`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        let reader = try LedgerReader(ledger)
        for key in 1...60 {
            try ledger.order(try grant("ann", key: key, plan: "pro"))
            try reader.wake()
            // What was kept before is over, and what is asked now may be kept.
            #expect(try mark(of: "ann") == UInt64(key))
            #expect(reader.seq >= UInt64(key))
            reader.rest()
        }
    }

    @Test func `whoever sees a change finds it marked, at any moment`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        let isOver = Atomic<Bool>(false)
        let early = Atomic<Int>(0)
        let looks = Atomic<Int>(0)
        let descriptor = Glibc.open(path, O_RDONLY)
        defer { close(descriptor) }
        let place = 64 + 8 * ChangeMarks.group(of: Array("ann".utf8))
        let reader = try LedgerReader(ledger)
        let thread = try NamedThread(named: "looking") {
            while !isOver.load(ordering: .acquiring) {
                guard (try? reader.wake()) != nil else { continue }
                let seen = reader.seq
                reader.rest()
                var mark: UInt64 = 0
                // Only ann is written, so her mark is at least the position that readers see.
                if pread(descriptor, &mark, 8, off_t(place)) != 8 || mark < seen {
                    early.add(1, ordering: .relaxed)
                }
                looks.add(1, ordering: .relaxed)
            }
        }
        let ann = try user("ann")
        for number in 1...1_000 {
            let key = IdempotencyKey(user: ann, digest: digest(number))
            let order = CreditOrder(
                user: ann,
                amount: 1,
                key: key,
                fingerprint: digest(1),
                until: nil,
                source: "gift",
                reason: "",
                isAdjustment: false
            )
            try ledger.order(.credit(order))
        }
        isOver.store(true, ordering: .releasing)
        thread.join()
        #expect(early.load(ordering: .relaxed) == 0)
        #expect(looks.load(ordering: .relaxed) > 1_000)
        #expect(try mark(of: "ann") == 1_000)
    }

    @Test func `a new catalog ends what was kept, the same one does not`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        _ = try ledger.putInForce(tariff(), stamp(1)).get()
        #expect(try words()[3] == 1)
        try ledger.order(try grant("ann", key: 1, plan: "pro"))
        _ = try ledger.putInForce(tariff(), stamp(1)).get()
        #expect(try words()[3] == 1)
        _ = try ledger.putInForce(tariff(plan: "max"), stamp(2)).get()
        #expect(try words()[3] == 3)
    }

    @Test func `each life has a generation of its own, in the same file`() throws {
        var seen: Set<UInt64> = []
        var inodes: Set<UInt64> = []
        for _ in 1...3 {
            let ledger = try served()
            inodes.insert(inode())
            #expect(seen.insert(try words()[2]).inserted)
            try ledger.order(try grant("ann", key: seen.count, plan: "pro"))
            ledger.stop()
            #expect(seen.insert(try words()[2]).inserted)
        }
        #expect(inodes.count == 1)
    }

    @Test func `a process that is not the owner of the store touches nothing`() throws {
        let ledger = try served()
        defer { ledger.stop() }
        try ledger.order(try grant("ann", key: 1, plan: "pro"))
        let before = try words()
        #expect(throws: LedgerFailure.self) { try served() }
        #expect(try words() == before)
    }

    @Test func `where nothing is shared any more the file ends, and is gone`() throws {
        try served().stop()
        let descriptor = Glibc.open(path, O_RDONLY)
        defer { close(descriptor) }
        let before = try words()[2]
        var options = options(scratch.store)
        options.marks = .retired(path: path)
        let ledger = try Ledger.open(options, source: tariff()) { _ in }
        defer { ledger.stop() }
        #expect(inode() == 0)
        var after: UInt64 = 0
        #expect(pread(descriptor, &after, 8, 16) == 8 && after != before)
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 64 + 8 * 262_144)])
    func `another file there is replaced or taken over whole`(content: String) throws {
        try scratch.write(content, to: "entitld.sock.marks")
        let ledger = try served()
        defer { ledger.stop() }
        try ledger.order(try grant("ann", key: 1, plan: "pro"))
        #expect(try words().count == 8 + 262_144)
        #expect(try words()[8...].count { $0 != 0 } == 1)
    }

    @Test func `a link is not followed, and a place that cannot be is said`() throws {
        try scratch.write("precious", to: "other")
        symlink(scratch.file("other"), path)
        try served().stop()
        #expect(try Scratch.bytes(of: scratch.file("other")) == Array("precious".utf8))
        var options = options(scratch.file("store2"))
        options.marks = .kept(path: scratch.file("none/x.marks"), mode: 0o660)
        #expect(throws: LedgerFailure.self) {
            try Ledger.open(options, source: tariff()) { _ in }
        }
    }
}
