import Entitlements
import Glibc
import Journal
import TestSupport
import Testing
import Threads

@testable import Ledger

/// Many who are to be erased cost one look through the journal and one through the tables.
struct ErasingManyTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func order(_ name: String) throws -> ErasureOrder {
        ErasureOrder(user: try user(name), secret: HashKey(3, 4))
    }

    /// The segments, each with its inode: another inode is another file under the same name.
    private func segments() -> [String: UInt] {
        var found: [String: UInt] = [:]
        for name in Scratch.names(in: scratch.store + "/journal") where name.hasSuffix(".segment") {
            var status = stat()
            guard stat("\(scratch.store)/journal/\(name)", &status) == 0 else { continue }
            found[name] = UInt(status.st_ino)
        }
        return found
    }

    private func isNamed(_ name: String, in segment: String) throws -> Bool {
        try Scratch.bytes(of: "\(scratch.store)/journal/\(segment)").holds(Array(name.utf8))
    }

    private func eventually(_ isSo: () -> Bool) throws {
        for _ in 0..<30_000 where !isSo() { usleep(1_000) }
        try #require(isSo(), "not within half a minute")
    }

    @Test func `all who wait are erased in one pass, and segments without them stay as they are`()
        throws
    {
        let ledger = try open(
            scratch.store,
            source: WholeStore.shop(),
            segmentBytesMax: 16 << 10
        )
        let names = (0..<40).map { "person-\($0)@example.com" }
        for (number, name) in names.enumerated() {
            let person = Registration(user: try user(name), token: try token(5_000 + number))
            try ledger.order(.register(person))
            try ledger.order(try WholeStore.credits(name))
            try ledger.order(try grant(name, key: number))
        }
        for number in 0..<400 { try ledger.order(try registration(number)) }
        let before = segments()
        let others = try before.keys.filter { segment in
            try !names.contains { try isNamed($0, in: segment) }
        }
        try #require(others.count > 4 && before.count - others.count > 1)

        let answers = BlockingQueue<Said>(countMax: names.count)
        let gate = try Gate(ledger)
        // The first is alone; the others come while it waits for the writer.
        ledger.erase(try order(names[0])) { _ = answers.offer($0) }
        try eventually { ledger.queue.depth == 1 }
        for name in names.dropFirst() {
            ledger.erase(try order(name)) { _ = answers.offer($0) }
        }
        gate.open()
        var said: [Receipt] = []
        while said.count < names.count {
            let more = try #require(answers.take(names.count, waiting: 60_000))
            try #require(!more.isEmpty, "no answer in a minute")
            said += try more.map { try $0.get() }
        }
        #expect(said.allSatisfy { $0.outcome == .erased(true) })
        #expect(Set(said.map(\.seq)).count == names.count, "each has a position of its own")
        #expect(ledger.erasures.passes == 2)
        let after = segments()
        #expect(after.count <= before.count + 2, "the journal is sealed once for each pass")
        for segment in others where segment != before.keys.max() {
            #expect(after[segment] == before[segment], "\(segment) names nobody")
        }
        for name in names {
            for segment in after.keys { #expect(try !isNamed(name, in: segment), "\(segment)") }
        }
        let rows = try ledger.views.storedRows()
        for (table, rows) in rows {
            for (key, value) in rows {
                for name in names { #expect(!(key + value).holds(Array(name.utf8)), "\(table)") }
            }
        }
        ledger.stop()
        #expect(access(scratch.store + "/erasing", F_OK) != 0)
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `what was asked of a user behind an erasure comes after it`() throws {
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let anna = "anna@example.com"
        try ledger.order(.register(Registration(user: try user(anna), token: try token(70))))
        let decided = BlockingQueue<Receipt?>(countMax: 1)
        let answers = BlockingQueue<Said>(countMax: 1)
        let onDecided = { @Sendable (receipt: Receipt?) in _ = decided.offer(receipt) }
        ledger.erase(try order(anna), onDecided: onDecided) { _ = answers.offer($0) }
        // With its position, before the files are without the name.
        let decision = try #require(decided.take(1, waiting: 30_000)?.first)
        #expect(decision?.outcome == .erased(true))
        let again = try ledger.order(
            .register(Registration(user: try user(anna), token: try token(70)))
        )
        let erased = try #require(answers.take(1, waiting: 30_000)?.first).get()
        #expect(erased.seq == decision?.seq && erased.seq < again.seq)
        #expect(try ledger.account(try user(anna)) != nil)
    }

    @Test func `a stop finishes what was journalled, and refuses those who wait`() throws {
        let ledger = try open(scratch.store)
        let names = ["anna@example.com", "bert@example.com"]
        for (number, name) in names.enumerated() {
            let person = Registration(user: try user(name), token: try token(70 + number))
            try ledger.order(.register(person))
        }
        let first = BlockingQueue<Said>(countMax: 1)
        let second = BlockingQueue<Said>(countMax: 1)
        let gate = try Gate(ledger)
        ledger.erase(try order(names[0])) { _ = first.offer($0) }
        try eventually { ledger.queue.depth == 1 }
        ledger.erase(try order(names[1])) { _ = second.offer($0) }
        let stopping = try NamedThread(named: "stopping") { ledger.stop() }
        try eventually { ledger.isErasingEnded }
        gate.open()
        stopping.join()
        #expect(try #require(first.take(1, waiting: 30_000)?.first).get().outcome == .erased(true))
        #expect(second.take(1, waiting: 30_000)?.first == .failure(.shuttingDown))
        let late = BlockingQueue<Said>(countMax: 1)
        ledger.erase(try order(names[1])) { _ = late.offer($0) }
        #expect(late.take(1, waiting: 30_000)?.first == .failure(.shuttingDown))
        #expect(access(scratch.store + "/erasing", F_OK) != 0)
        let journal = Scratch.names(in: scratch.store + "/journal")
            .filter { $0.hasSuffix(".segment") }
        for segment in journal { #expect(try !isNamed(names[0], in: segment)) }
        #expect(try journal.contains { try isNamed(names[1], in: $0) })
        try expectClean(scratch.store)
    }

    @Test func `more than may wait are refused, and the others answered`() throws {
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let count = LedgerLimits.erasuresWaitingMax + LedgerLimits.erasedTogetherMax + 1
        let answers = BlockingQueue<Said>(countMax: count)
        let gate = try Gate(ledger)
        for _ in 0..<count { ledger.erase(try order("nobody")) { _ = answers.offer($0) } }
        gate.open()
        var refused = 0
        var answered = 0
        while refused + answered < count {
            let more = try #require(answers.take(count, waiting: 60_000))
            try #require(!more.isEmpty, "no answer in a minute")
            for said in more {
                switch said {
                case .success(let receipt):
                    #expect(receipt.outcome == .erased(false))
                    answered += 1
                case .failure(let failure):
                    #expect(failure == .overloaded)
                    refused += 1
                }
            }
        }
        #expect(refused >= 1)
        #expect(answered >= LedgerLimits.erasuresWaitingMax)
    }

    @Test func `a person who came again and was erased again has two pseudonyms in one pass`()
        throws
    {
        let bench = try WriterBench(scratch.store, source: WholeStore.shop())
        let anna = "anna@example.com"
        let person = Registration(user: try user(anna), token: try token(70))
        let batches: [[WriteOrder.Kind]] = [
            [.command(.register(person))],
            [.command(.erase(try order(anna)))],
            [.command(.register(person))], [.command(try WholeStore.credits(anna))],
            [.command(.erase(try order(anna)))],
        ]
        #expect(bench.run(batches).gaveUp == nil)
        try bench.checkpointer.settle()
        #expect(bench.erasures.waiting.count == 2)
        let base = try baseIn(scratch.store)
        try bench.finishErasures(base)
        base.close()
        var users: [Set<UserID>] = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            let content = try EntryBody.content(of: entry)
            users.append(Set(content.events.flatMap(\.needs.users)))
        }
        try #require(users.count == 5)
        #expect(!users.contains([try user(anna)]))
        #expect(users[0] == users[1] && users[2] == users[3] && users[3] == users[4])
        #expect(users[0] != users[2], "two lives have nothing in common")
    }
}
