import Chance
import Entitlements
import TestSupport
import Testing
import Threads

@testable import Ledger

/// What a search beside the writer finds is what looking through the tables finds.
struct PersonSearchTests {
    /// The rows about `user` now: found by looking at all of them, and by what a search knew.
    private func traces(
        of user: UserID,
        in ledger: Ledger
    ) throws -> (all: Found, searched: Found)? {
        let snapshot = try Snapshot(ledger.views, ledger.memtable)
        try snapshot.renew()
        defer { snapshot.rest() }
        guard let account = try snapshot.account(of: user),
            ledger.searches.finding(about: account) != nil
        else { return nil }
        let all = try found(user, snapshot)
        snapshot.searches = ledger.searches
        return (all, try found(user, snapshot))
    }

    private struct Found: Equatable {
        let traces: PersonTraces
        let alarms: [[UInt8]]
    }

    private func found(_ user: UserID, _ snapshot: Snapshot) throws -> Found {
        var changes = RowChanges()
        try changes.disarm([user], from: snapshot)
        return Found(traces: try snapshot.traces(of: user), alarms: changes.rows.map(\.key))
    }

    @Test(arguments: 0..<4) func `searches under random writes find every row`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var random = SplitMix64.told()
        let stream = Stream(try StreamMaker(random: random, hands: hands), batches: 60, countMax: 8)
        let ledger = try open(scratch.store, clock: hands.clock)
        defer { ledger.stop() }
        var said: [Said] = []
        var searches: [PersonSearch] = []
        var compared = 0
        while let orders = stream.next(said) {
            let answers = BlockingQueue<Said>(countMax: max(1, orders.count))
            for order in orders {
                ledger.queue.submit([WriteOrder(kind: order) { _ = answers.offer($0) }])
            }
            // Beside the writer, who is deciding those.
            let users = try ledger.look { try $0.rows(of: .accounts, count: 100).map(\.key) }
            if !users.isEmpty {
                let names = (0..<3).map { _ in users[random.pick(0..<users.count)] }
                let search = ledger.search(for: try names.map { try Keys.user(of: $0) })
                try search.run(pieceRows: random.pick(1..<5))
                searches.append(search)
            }
            said = []
            while said.count < orders.count {
                let more = try #require(answers.take(orders.count, waiting: 30_000))
                try #require(!more.isEmpty, "no answer in 30 s")
                said += more
            }
            // Several batches old when asked, and nobody writes meanwhile.
            guard searches.count > 6 else { continue }
            let gate = try Gate(ledger)
            defer { gate.open() }
            for search in searches {
                for user in search.users {
                    guard let found = try traces(of: user, in: ledger) else { continue }
                    #expect(found.searched == found.all, "\(user)")
                    compared += 1
                }
            }
            searches.removeFirst(3)
        }
        #expect(compared > 10)
        searches = []
        let account = Account(user: try user("nobody"), opened: Moment(0))
        #expect(ledger.searches.finding(about: account) == nil)
    }

    @Test func `what comes between a search and the erasure goes too`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop())
        defer { ledger.stop() }
        let anna = try user("anna@example.com")
        try ledger.order(try registration(1))
        try ledger.order(.register(Registration(user: anna, token: try token(70))))
        let search = ledger.search(for: [anna])
        try search.run()
        try ledger.order(try WholeStore.credits("anna@example.com"))
        try ledger.order(try WholeStore.lease("anna@example.com", 1))
        try ledger.order(try grant("anna@example.com", key: 1))
        let erasure = ErasureOrder(user: anna, secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(erasure)).outcome == .erased(true))
        try ledger.finishErasures()
        for (table, rows) in try ledger.views.storedRows() {
            for (key, value) in rows { #expect(!(key + value).holds(anna.bytes), "\(table)") }
        }
        withExtendedLifetime(search) {}
    }

    @Test func `a search from before another token counts for nothing`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let anna = try user("anna@example.com")
        try ledger.order(.register(Registration(user: anna, token: try token(70))))
        let search = ledger.search(for: [anna])
        try search.run()
        let before = try #require(try ledger.account(anna))
        #expect(ledger.searches.finding(about: before) != nil)
        try ledger.order(.register(Registration(user: anna, token: try token(71))))
        let after = try #require(try ledger.account(anna))
        #expect(ledger.searches.finding(about: after) == nil)
        withExtendedLifetime(search) {}
    }
}
