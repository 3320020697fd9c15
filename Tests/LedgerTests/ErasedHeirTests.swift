import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// One period under several original ids, of two people, of whom one is erased.
///
/// Of two ids with one moment the one that was told of later holds.
struct ErasedHeirTests {
    private static let start: Int64 = 1_750_000_000_000
    private let anna: UserID
    private let bob: UserID
    private let scratch: Scratch
    private let ledger: Ledger

    /// Two people with a token each, told on the first day of a month.
    init() throws {
        anna = try user("anna")
        bob = try user("bob")
        scratch = try Scratch()
        ledger = try open(scratch.store)
        for (user, number) in [(anna, 1), (bob, 2)] {
            let registration = Registration(user: user, token: try token(number))
            try ledger.order(.register(registration))
        }
    }

    /// The month, as it is told on a day under an original id, which names the one before; its
    /// owner's token is 1 or 2.
    private func tell(
        _ original: String,
        from former: String?,
        of number: Int,
        onDay told: Int64,
        revoked: Int64? = nil
    ) throws {
        var month = TransactionFact(
            id: original + (former ?? ""),
            version: Version(signed: moment(told), digest: digest(Int(told))),
            productID: "pro.monthly",
            purchased: moment(0)
        )
        month.expires = moment(30)
        month.kind = "Auto-Renewable Subscription"
        month.reason = "PURCHASE"
        month.token = try token(number)
        month.revoked = revoked.map(moment)
        month.terms.previousOriginalID = former
        let key = SubscriptionKey(store: .appStore, environment: .production, originalID: original)
        let facts = [Fact(key: key, transaction: month)]
        let command = notification(Int(told), signed: moment(told).milliseconds, facts)
        #expect(try ledger.order(command).outcome == .recorded(.applied))
    }

    /// Anna's month went on as Bob's, and came back.
    private func tellOfReturn() throws {
        try tell("1", from: nil, of: 1, onDay: 1)
        try tell("50", from: "1", of: 2, onDay: 4)
        try tell("1", from: "50", of: 1, onDay: 9)
    }

    private func moment(_ onDay: Int64) -> Moment { Moment(Self.start + onDay * day) }

    private func erase(_ user: UserID) throws {
        let order = ErasureOrder(user: user, secret: HashKey(1, 2))
        #expect(try ledger.order(.erase(order)).outcome == .erased(true))
        try ledger.finishErasures()
    }

    private func hasAccess(_ user: UserID) throws -> Bool {
        let policy = try ledger.look { Policy(tariff(), numbering: try $0.numbering()) }
        return try ledger.account(user)?.answer
            .decision(
                ofCost: 1,
                at: moment(12),
                under: policy,
                sandboxes: policy.sandboxes(of: user)
            )
            .hasAccess ?? false
    }

    private func expectRebuilt() throws {
        ledger.stop()
        try expectClean(scratch.store)
        let rebuilt = try rebuiltRows(scratch.store, in: scratch.path + "/rebuilt")
        #expect(differences(try storedRows(scratch.store), rebuilt) == [])
    }

    @Test func `a period that came back stays when the other id's person is erased`() throws {
        try tellOfReturn()
        #expect(try hasAccess(anna) && !hasAccess(bob))
        try erase(bob)
        #expect(try hasAccess(anna))
        try expectRebuilt()
    }

    @Test func `a period that went back gives nothing when its new owner is erased`() throws {
        try tellOfReturn()
        try erase(anna)
        #expect(try !hasAccess(bob))
        try expectRebuilt()
    }

    @Test func `a period that went on twice is refunded where it is, also behind an erasure`()
        throws
    {
        try tell("1", from: nil, of: 1, onDay: 1)
        try tell("50", from: "1", of: 2, onDay: 4)
        try tell("70", from: "50", of: 2, onDay: 9)
        #expect(try hasAccess(bob) && !hasAccess(anna))
        try erase(anna)
        #expect(try hasAccess(bob))
        try tell("70", from: "50", of: 2, onDay: 11, revoked: 10)
        #expect(try !hasAccess(bob))
        try expectRebuilt()
    }
}
