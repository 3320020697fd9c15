import Chance
import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// A purchase that goes on under another original id, where its owner is erased, and where its rows
/// are loaded elsewhere.
struct MigrationTests {
    private static let ids = ["700000000000001", "700000000000002", "700000000000003"]
    private static let start: Int64 = 1_750_000_000_000
    private let anna: UserID
    private let mine: Token

    init() throws {
        anna = try user("anna.kowalska@example.com")
        mine = try token(4_711)
    }

    private static func key(_ place: Int) -> SubscriptionKey {
        SubscriptionKey(store: .appStore, environment: .production, originalID: ids[place])
    }

    /// A year under the id at `place`; the first one of each names the id before.
    private func year(_ place: Int, _ number: Int = 0, token: Token? = nil) -> Fact {
        let signed = Self.start + Int64(place * 100 + number)
        var transaction = TransactionFact(
            id: Self.ids[place] + (number == 0 ? "" : "\(number)"),
            version: Version(signed: Moment(signed), digest: digest(place * 100 + number)),
            productID: "pro.yearly",
            purchased: Moment(Self.start + Int64(place * 10 + number * 365) * day)
        )
        transaction.expires = transaction.purchased.advanced(byMilliseconds: 365 * day)
        transaction.kind = "Auto-Renewable Subscription"
        transaction.token = token
        if place > 0, number == 0 {
            transaction.terms.previousOriginalID = Self.ids[place - 1]
        }
        return Fact(key: Self.key(place), transaction: transaction)
    }

    private func tell(_ ledger: Ledger, _ number: Int, _ fact: Fact) throws -> Outcome {
        try ledger.order(notification(number, signed: Self.start, [fact])).outcome
    }

    private func live(_ ledger: Ledger) throws {
        try ledger.order(.register(Registration(user: anna, token: mine)))
        #expect(try tell(ledger, 1, year(0, token: mine)) == .recorded(.applied))
        #expect(try tell(ledger, 2, year(1)) == .recorded(.applied))
        #expect(try tell(ledger, 3, year(1, 1)) == .recorded(.applied))
        let account = try #require(try ledger.account(anna))
        #expect(account.subscriptions == [Self.key(0), Self.key(1)])
    }

    @Test func `an erased person's purchase does not come back under another id`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, milestones: .quick)
        try live(ledger)
        try ledger.order(try registration(1))
        let erasure = ErasureOrder(user: anna, secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(erasure)).outcome == .erased(true))
        try ledger.finishErasures()
        // More of what is known, and a migration that nobody had heard of before.
        #expect(try tell(ledger, 11, year(1, 2)) == .recorded(.ignored))
        #expect(try tell(ledger, 12, year(2)) == .recorded(.ignored))
        #expect(try ledger.order(.learn([year(2)])).outcome == .learned(applied: false))
        for place in 0..<3 {
            #expect(try ledger.look { try $0.subscription(of: Self.key(place)) } == nil)
        }
        for name in Scratch.names(in: scratch.store + "/journal") {
            let bytes = try Scratch.bytes(of: scratch.store + "/journal/" + name)
            for id in Self.ids { #expect(!bytes.holds(Array(id.utf8)), "\(name) holds \(id)") }
        }
        // Who comes back has it again, as the store tells of it.
        try ledger.order(.register(Registration(user: anna, token: mine)))
        #expect(try tell(ledger, 13, year(0, token: mine)) == .recorded(.applied))
        #expect(try tell(ledger, 14, year(2)) == .recorded(.applied))
        #expect(try tell(ledger, 15, year(1)) == .recorded(.applied))
        let account = try #require(try ledger.account(anna))
        #expect(account.subscriptions == (0..<3).map { Self.key($0) })
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `the id before a migration goes with the person, where nothing else was told of it`()
        throws
    {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, milestones: .quick)
        try ledger.order(.register(Registration(user: anna, token: mine)))
        #expect(try tell(ledger, 1, year(1, token: mine)) == .recorded(.applied))
        let before = try ledger.look { try $0.subscription(of: Self.key(0)) }
        #expect(before?.successors == [Self.key(1)] && before?.owner == nil)
        try ledger.order(try registration(1))
        let erasure = ErasureOrder(user: anna, secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(erasure)).outcome == .erased(true))
        try ledger.finishErasures()
        for name in Scratch.names(in: scratch.store + "/journal") {
            let bytes = try Scratch.bytes(of: scratch.store + "/journal/" + name)
            for id in Self.ids { #expect(!bytes.holds(Array(id.utf8)), "\(name) holds \(id)") }
        }
        #expect(try ledger.storedRows()[.subscriptions] == [:])
        // It is hers under both names.
        #expect(try tell(ledger, 2, year(0)) == .recorded(.ignored))
        #expect(try tell(ledger, 3, year(1, 1)) == .recorded(.ignored))
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    /// How one purchase comes to name another that does not name it back.
    enum OneSided: CaseIterable {
        /// An older version of the document is told of later.
        case olderDocument
        /// The former one was loaded with it.
        case loadedFormer
        /// The later one was loaded with it.
        case loadedHeir
    }

    @Test(arguments: OneSided.allCases, [false, true])
    func `another's purchase does not keep the id of an erased one`(
        _ way: OneSided,
        _ isSearched: Bool
    ) throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, milestones: .quick)
        let (bob, his) = (try user("bob"), try token(4_712))
        try ledger.order(.register(Registration(user: anna, token: mine)))
        try ledger.order(.register(Registration(user: bob, token: his)))
        let (hers, others) = way == .loadedHeir ? (0, 1) : (1, 0)
        switch way {
        case .olderDocument:
            #expect(try tell(ledger, 1, year(others, 1, token: his)) == .recorded(.applied))
            var newer = year(1, token: mine)
            newer.transaction?.terms.previousOriginalID = nil
            newer.transaction?.version = Version(
                signed: Moment(Self.start + 500),
                digest: digest(500)
            )
            #expect(try tell(ledger, 2, newer) == .recorded(.applied))
            #expect(try tell(ledger, 3, year(1, token: mine)) == .recorded(.stale))
        case .loadedFormer, .loadedHeir:
            #expect(try tell(ledger, 2, year(hers, 1, token: mine)) == .recorded(.applied))
            var row = Subscription(key: Self.key(others))
            _ = row.merge(year(others, 1, token: his))
            row = row.dumped(naming: Self.key(hers), owner: bob)
            #expect(try ledger.order(.load([.subscription(row)])).outcome == .loaded(count: 1))
        }
        func kin() throws -> Set<SubscriptionKey>? {
            try ledger.look { try $0.subscription(of: Self.key(others)) }?.kin
        }
        #expect(try kin() == [Self.key(hers)])
        let back = try ledger.look { try $0.subscription(of: Self.key(hers)) }
        #expect(back?.owner == anna && back?.kin == [], "or both name each other")
        let search = ledger.search(for: [anna])
        if isSearched { try search.run(pieceRows: 1) }
        let erasure = ErasureOrder(user: anna, secret: HashKey(3, 4))
        #expect(try ledger.order(.erase(erasure)).outcome == .erased(true))
        withExtendedLifetime(search) {}
        try ledger.finishErasures()
        #expect(try kin() == [])
        ledger.stop()
        for name in Scratch.names(in: scratch.store + "/journal") {
            let bytes = try Scratch.bytes(of: scratch.store + "/journal/" + name)
            #expect(!bytes.holds(Array(Self.ids[hers].utf8)), "\(name)")
        }
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `rows that are loaded in any order go on as they would have here`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        try live(ledger)
        var rows = try loadable(ledger)
        ledger.stop()
        #expect(rows.count == 4)
        var random = SplitMix64.told()
        for round in 0..<6 {
            rows.shuffle(using: &random)
            let other = try open(scratch.path + "/\(round)")
            for row in rows { try other.order(.load([row])) }
            #expect(try other.order(.load(rows)).outcome == .loaded(count: rows.count))
            let before = try other.look { try $0.subscription(of: Self.key(0)) }
            #expect(before?.successors == [Self.key(1)])
            // A renewal, and a second migration.
            #expect(try tell(other, 21, year(1, 2)) == .recorded(.applied))
            #expect(try tell(other, 22, year(2)) == .recorded(.applied))
            let after = try other.look { try $0.subscription(of: Self.key(2)) }
            #expect(after?.owner == anna)
            let account = try #require(try other.account(anna))
            #expect(account.subscriptions == (0..<3).map { Self.key($0) })
            other.stop()
            try expectClean(scratch.path + "/\(round)")
        }
    }

    /// What a dump has of accounts, purchases and tokens.
    private func loadable(_ ledger: Ledger) throws -> [LoadedRow] {
        var rows: [LoadedRow] = []
        try ledger.look { reader in
            let names = try reader.numbering().names
            for table in [TableName.accounts, .subscriptions, .tokens] {
                for row in try reader.rows(of: table, count: 10) {
                    switch row.value {
                    case .account(var account):
                        account.lastSeq = 0
                        account.chain = Chain()
                        rows.append(.account(account, names: names))
                    case .subscription(let one): rows.append(.subscription(one.asDumped))
                    case .token(let token, let user): rows.append(.token(token, user))
                    default: Issue.record("\(row)")
                    }
                }
            }
        }
        return rows
    }
}

extension Subscription {
    /// Without what is of one ledger alone.
    fileprivate var asDumped: Subscription { dumped(transactions, successors, owner) }

    /// The same of `owner`, where it names `other` as what it was, or goes on as; what it was has a
    /// lower id.
    fileprivate func dumped(naming other: SubscriptionKey, owner: UserID) -> Subscription {
        guard other < key else { return dumped(transactions, [other], owner) }
        var transactions = transactions
        transactions[0].terms.previousOriginalID = other.originalID
        return dumped(transactions, [], owner)
    }

    private func dumped(
        _ transactions: [TransactionFact],
        _ successors: [SubscriptionKey],
        _ owner: UserID?
    ) -> Subscription {
        Subscription(
            key: key,
            transactions: transactions,
            renewal: renewal,
            status: status,
            renewalDisabled: renewalDisabled,
            everEntitled: everEntitled,
            bearer: bearer,
            tokens: tokens,
            link: link,
            owner: owner,
            sharers: sharers,
            successors: successors,
            traces: traces,
            claims: claims,
            linkedAt: linkedAt
        )
    }
}
