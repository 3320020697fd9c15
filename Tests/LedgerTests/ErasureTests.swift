import Chance
import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// Erasures are rewritten out of the journal, which makes the same rows as before.
struct ErasureTests {
    @Test(arguments: 0..<6) func `random lives with erasures, rewritten, make equal rows`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var maker = try StreamMaker(random: .told(round: round), hands: hands)
        maker.erases = true
        maker.migrates = true
        let stream = Stream(maker, batches: 60, countMax: 8)
        var bench: WriterBench? = try WriterBench(scratch.store, clock: hands.clock)
        let gaveUp = bench?.run { stream.next($0) }
        #expect(gaveUp == nil)
        // As `finishErasures` does: what is rewritten must be in the views.
        try bench?.checkpointer.settle()
        let stored = try #require(try bench?.views.storedRows())
        #expect(try rebuilt(scratch, scratch.store, stored) == [])
        let book = try #require(bench?.erasures)
        let count = book.waiting.count
        var crashes = 0
        let base = try baseIn(scratch.store)
        try bench?
            .finishErasures(base) { step in
                crashes += 1
                do {
                    try lookAfterCrash(scratch, "\(step) \(crashes)", stored)
                } catch {
                    Issue.record("\(step): \(error)")
                }
            }
        #expect(count == 0 || crashes > 1)
        #expect(book.waiting.isEmpty && !book.isMarked)
        bench = nil
        try expectClean(scratch.store)
        #expect(try rebuilt(scratch, scratch.store, stored) == [])
        #expect(try waiting(scratch.store) == [])
    }

    /// What a machine would find that stopped in the middle of it.
    private func lookAfterCrash(
        _ scratch: Scratch,
        _ step: String,
        _ stored: StoredRows
    ) throws {
        let copy = scratch.path + "/crashed"
        try Scratch.copyStore(scratch.store, to: copy)
        try Scratch.put([], at: copy + "/erasing")
        try expectClean(copy)
        #expect(try rebuilt(scratch, copy, stored) == [], "\(step)")
        let ledger = try open(copy, source: .init())
        ledger.stop()
        #expect(access(copy + "/erasing", F_OK) != 0)
        #expect(try waiting(copy) == [], "\(step)")
        #expect(!Scratch.names(in: copy + "/journal").contains { $0.hasPrefix("cop") })
        try expectClean(copy)
    }

    /// What differs between `stored` and what the journal of `store` makes.
    private func rebuilt(
        _ scratch: Scratch,
        _ store: String,
        _ stored: StoredRows
    ) throws -> [String] {
        let path = scratch.path + "/rebuilt"
        return differences(stored, try rebuiltRows(store, in: path)).prefix(5).map { $0 }
    }

    /// The erasures in the journal whose names still stand there.
    private func waiting(_ store: String) throws -> [UInt64] {
        var found: [UInt64] = []
        _ = try Segments.readEach(directory: store + "/journal", afterSeq: 0) { entry, _ in
            let events = try EntryBody.events(of: entry)
            for case .erased(let erasure) in events where !erasure.isRewritten {
                found.append(entry.seq)
            }
        }
        return found
    }

    @Test(arguments: [StoreEnvironment.production, .sandbox])
    func `a message that waited keeps no name of the purchase it was about`(
        _ environment: StoreEnvironment
    ) throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let (anna, mine) = (try user("anna"), try token(1))
        let name = String(repeating: "long-purchase-token.", count: 12) + "fifteen letters"
        #expect(name.utf8.count == 255, "as many as a key has at most")
        let order = "GPA.3345-2081-4321-54321"
        let moment = Moment(1_750_000_000_000)
        let hints: [PurchaseHint] = [
            .purchaseToken(name), .withdrawal(purchaseToken: name, orderID: order, at: moment),
        ]
        for (number, hint) in hints.enumerated() {
            let waiting = Notification(
                id: NotificationID(signed: moment, digest: digest(number)),
                type: "",
                subtype: "",
                document: digest(10 + number),
                facts: [],
                announcement: StoreAnnouncement(.googlePlay, hint)
            )
            #expect(try ledger.order(.record(waiting)).outcome == .recorded(.accepted))
        }
        try ledger.order(.register(Registration(user: anna, token: mine)))
        let version = Version(signed: moment, digest: digest(20))
        var bought = TransactionFact(
            id: order,
            version: version,
            productID: "pro.monthly",
            purchased: moment
        )
        bought.token = mine
        bought.expires = moment.advanced(byMilliseconds: 30 * day)
        let key = SubscriptionKey(store: .googlePlay, environment: environment, originalID: name)
        let fact = Fact(
            key: key,
            transaction: bought,
            status: StatusFact(version: version, code: 1)
        )
        try ledger.order(.learn([fact]))
        #expect(try ledger.account(anna)?.subscriptions == [key])
        let names = [Array(name.utf8), Array(order.utf8)]
        func isKept(_ name: [UInt8]) throws -> Bool {
            try journalFiles(scratch.store).values.contains { $0.holds(name) }
        }
        for name in names { #expect(try isKept(name)) }
        try ledger.order(.erase(ErasureOrder(user: anna, secret: HashKey(3, 4))))
        try ledger.finishErasures()
        for name in names { #expect(try !isKept(name)) }
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `of two equal transactions the same one decides once their ids are pseudonyms`()
        throws
    {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let (anna, bob) = (try user("anna"), try user("bob"))
        try ledger.order(.register(Registration(user: anna, token: try token(1))))
        try ledger.order(.register(Registration(user: bob, token: try token(2))))
        let moment = Moment(1_750_000_000_000)
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: "1000")
        func renewal(_ id: String, _ number: Int, of token: Token) -> Fact {
            var renewal = TransactionFact(
                id: id,
                version: Version(signed: moment, digest: digest(number)),
                productID: "pro.monthly",
                purchased: moment
            )
            renewal.expires = moment.advanced(byMilliseconds: 30 * day)
            renewal.kind = TransactionFact.renewingKind
            renewal.reason = "RENEWAL"
            renewal.token = token
            return Fact(key: key, transaction: renewal)
        }
        let facts = [renewal("1001", 1, of: try token(2)), renewal("1002", 2, of: try token(1))]
        let erasure = try ledger.order(.learn(facts)).seq + 1
        #expect(try ledger.account(anna)?.subscriptions == [key])
        // With such a secret the pseudonyms sort the other way round.
        let secret = (1...64).map { HashKey(1, $0) }
            .first { secret in
                let names = ["1001", "1002"]
                    .map { id in
                        let bytes = secret.ofErasure(at: erasure)
                            .pseudonym(ofStoreID: Array(id.utf8))
                        return String(decoding: bytes, as: UTF8.self)
                    }
                return TransactionFact.precedes(names[1], names[0])
            }
        let order = ErasureOrder(user: anna, secret: try #require(secret))
        #expect(try ledger.order(.erase(order)).seq == erasure)
        try ledger.finishErasures()
        #expect(try ledger.account(bob)?.subscriptions == [])
        ledger.stop()
        try expectClean(scratch.store)
    }
}
