import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// An erasure reaches names that no row about the person says any more.
struct ErasedTraceTests {
    private let scratch: Scratch
    private let hands = HandClock()

    init() throws { scratch = try Scratch() }

    /// The files of journal and base that hold `bytes`.
    private func files(holding bytes: [UInt8]) throws -> [String] {
        try ["journal", "base"]
            .flatMap { place in
                try Scratch.names(in: "\(scratch.store)/\(place)")
                    .filter {
                        try Scratch.bytes(of: "\(scratch.store)/\(place)/\($0)").holds(bytes)
                    }
            }
    }

    private func files(holding text: String) throws -> [String] {
        try files(holding: Array(text.utf8))
    }

    @Test(arguments: [0, 100])
    func `periods that ended long ago have left no id, though their rows are swept`(
        days: Int64
    ) throws {
        var source = tariff()
        source.plans?[0].creditsPerPeriod = 5
        let ledger = try open(scratch.store, clock: hands.clock, source: source)
        try ledger.order(try registration(1))
        let now = hands.wall
        let bought = purchase(1, from: now, token: try token(1))
        try ledger.order(notification(1, signed: now, [bought]))
        #expect(try ledger.storedRows()[.packs]?.count == 1)
        hands.advance(days * day)
        for number in 2...3 {
            try ledger.order(try registration(number))
            try ledger.checkpointer.settle()
        }
        #expect(try ledger.storedRows()[.packs]?.count ?? 0 == (days == 0 ? 1 : 0))
        #expect(try !files(holding: "2001@").isEmpty)
        #expect(try ledger.erase("user 1").get().outcome == .erased(true))
        #expect(try files(holding: "2001@") == [] && files(holding: "2001") == [])
        ledger.stop()
        #expect(try Ledger.verify(options(scratch.store, clock: hands.clock)).differences == [])
    }

    /// A purchase of another store, as that states it.
    private func stated(_ store: Store, _ id: String) throws -> Fact {
        let bought = purchase(1, from: hands.wall, token: try token(1))
        let version = try #require(bought.transaction?.version)
        return Fact(
            key: SubscriptionKey(store: store, environment: .production, originalID: id),
            transaction: bought.transaction,
            status: StatusFact(version: version, code: 1)
        )
    }

    private func notice(_ number: Int) -> Notification {
        Notification(
            id: NotificationID(signed: Moment(hands.wall), digest: digest(number)),
            type: "changed",
            subtype: "",
            document: digest(number),
            facts: []
        )
    }

    @Test
    func `what led to a purchase of another name is gone, but while its store is to be asked`()
        throws
    {
        let ledger = try open(scratch.store, clock: hands.clock)
        try ledger.order(try registration(1))
        func announce(_ number: Int, _ id: String) throws -> Outcome {
            let told = StoreAnnouncement(.stripe, .checkoutSession(id))
            return try ledger.order(.record(notice(number).awaiting(told))).outcome
        }
        #expect(try announce(7, "cs_of_anna") == .recorded(.accepted))
        #expect(try announce(8, "cs_waits") == .recorded(.accepted))
        let answered = notice(7).stating([try stated(.stripe, "sub_of_anna")])
        #expect(try ledger.order(.record(answered)).outcome == .recorded(.applied))
        #expect(try ledger.erase("user 1").get().outcome == .erased(true))
        for name in ["cs_of_anna", "sub_of_anna"] { #expect(try files(holding: name) == []) }
        #expect(try !files(holding: "cs_waits").isEmpty)
        ledger.stop()
        // Once more from the journal, and the one that waits is still to be asked about.
        let again = try open(scratch.store, clock: hands.clock)
        let reader = try LedgerReader(again)
        let waiting = try reader.announcements(after: nil).waiting
            .compactMap(\.waiting.notification.announcement)
        #expect(waiting == [StoreAnnouncement(.stripe, .checkoutSession("cs_waits"))])
        again.stop()
    }

    @Test func `a message about an erased person's purchase is not kept until its store answers`()
        throws
    {
        let ledger = try open(scratch.store, clock: hands.clock)
        let fact = try stated(.googlePlay, "token-of-anna")
        try ledger.order(try registration(1))
        try ledger.order(notification(1, signed: hands.wall, [fact]))
        let before = notice(4).awaiting(StoreAnnouncement(.googlePlay, .purchaseToken("other")))
        #expect(try ledger.order(.record(before)).outcome == .recorded(.accepted))
        #expect(try ledger.erase("user 1").get().outcome == .erased(true))
        let push = notice(5)
        let hint = PurchaseHint.purchaseToken("token-of-anna")
        let announced = push.awaiting(StoreAnnouncement(.googlePlay, hint))
        #expect(try ledger.order(.record(announced)).outcome == .unkept)
        #expect(try files(holding: "token-of-anna") == [])
        // The store answers: the person is gone all the same.
        #expect(try ledger.order(.record(push.stating([fact]))).outcome == .recorded(.ignored))
        #expect(try files(holding: "token-of-anna") == [])
        // Who comes back is heard of again.
        try ledger.order(try registration(1))
        let later = notice(6).awaiting(StoreAnnouncement(.googlePlay, hint))
        #expect(try ledger.order(.record(later)).outcome == .recorded(.accepted))
        ledger.stop()
    }

    @Test func `tokens that a purchase has forgotten go with the rows in which it waited for them`()
        throws
    {
        let ledger = try open(scratch.store, clock: hands.clock)
        for number in 0..<60 {
            let from = hands.wall
            var month = TransactionFact(
                id: number == 0 ? "2001" : "\(900_000 + number)",
                version: Version(signed: Moment(from), digest: digest(number)),
                productID: "pro.monthly",
                purchased: Moment(from)
            )
            month.expires = Moment(from + 7 * day)
            month.kind = "Auto-Renewable Subscription"
            month.token = try token(1_000 + number)
            month.reason = "PURCHASE"
            let fact = Fact(key: key(1), transaction: month)
            try ledger.order(notification(number, signed: from, [fact]))
            hands.advance(8 * day)
        }
        // Somebody else's waits for one of the tokens, too.
        let other = purchase(2, from: hands.wall, token: try token(1_003))
        try ledger.order(notification(100, signed: hands.wall, [other]))
        let anna = Registration(user: try user("anna"), token: try token(1_059))
        try ledger.order(.register(anna))
        #expect(try ledger.storedRows()[.unclaimed]?.count ?? 0 > 50)
        #expect(try ledger.erase("anna").get().outcome == .erased(true))
        let left = try ledger.storedRows()[.unclaimed] ?? [:]
        #expect(left.count == 1)
        let kept = try (0..<60)
            .filter { try !files(holding: try token(1_000 + $0).storedBytes).isEmpty }
        #expect(kept == [3])
        ledger.stop()
        #expect(try Ledger.verify(options(scratch.store, clock: hands.clock)).differences == [])
    }
}
