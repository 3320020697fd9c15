import Entitlements
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Ledger

struct WritingTests {
    private let now: Int64 = 1_750_000_000_000

    @Test func `every command gets its receipt, and a second time the answer for that`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let (ann, mine) = (try user("user 0"), try token(0))

        let first = try ledger.order(try registration(0))
        #expect(first.outcome == .registered(token: mine, created: true, credits: 3))
        #expect(first.seq == 1)
        let again = try ledger.order(try registration(0))
        #expect(again.outcome == .registered(token: mine, created: false, credits: 3))
        #expect(again.seq == 1)
        let thief = Command.Kind.register(Registration(user: try user("thief"), token: mine))
        #expect(try ledger.order(thief).outcome == .tokenTaken)
        #expect(try ledger.account(try user("thief")) == nil)

        let fact = purchase(1, from: now, token: mine)
        #expect(
            try ledger.order(notification(1, signed: now, [fact])).outcome == .recorded(.applied)
        )
        #expect(
            try ledger.order(notification(1, signed: now, [fact])).outcome == .recorded(.duplicate)
        )
        #expect(
            try ledger.order(notification(2, signed: now, [fact])).outcome == .recorded(.stale)
        )
        #expect(try ledger.order(notification(3, signed: now, [])).outcome == .recorded(.ignored))
        #expect(try ledger.account(ann)?.subscriptions == [key(1)])

        let theirs = Command.Kind.link(
            Purchase(user: try user("thief"), facts: [fact], claimed: [])
        )
        #expect(try ledger.order(theirs).outcome == .conflict(.owned))
        let bare = purchase(7, from: now, token: nil)
        let shown = Command.Kind.link(Purchase(user: ann, facts: [bare], claimed: []))
        #expect(try ledger.order(shown).outcome == .linked(applied: true))
        #expect(try ledger.order(shown).outcome == .linked(applied: false))
        #expect(try ledger.look { try $0.subscription(of: key(7)) }?.owner == ann)
        #expect(try ledger.look { try $0.user(of: mine) } == ann)
        #expect(ledger.figures.seq == 5)
        #expect(try ledger.look { $0.seq } == 5)
    }

    @Test func `a grant is given once for a key, and taken back once`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let ann = try user("ann")
        let given = try ledger.order(try grant("ann", key: 1))
        #expect(given.outcome == .granted(id: 1, replayed: false))
        #expect(given.seq == 1)
        #expect(
            try ledger.order(try grant("ann", key: 1)).outcome == .granted(id: 1, replayed: true)
        )
        #expect(try ledger.order(try grant("ann", key: 1, fingerprint: 2)).outcome == .keyReused)
        #expect(
            try ledger.order(try grant("bob", key: 1)).outcome == .granted(id: 2, replayed: false)
        )
        #expect(try ledger.order(try grant("ann", key: 3, plan: "none")).outcome == .planUnknown)
        let decision = try ledger.look { reader in
            let answer = try #require(try reader.answer(of: ann))
            return answer.decision(
                ofCost: 100,
                at: Moment(.max - 1),
                under: reader.policy,
                sandboxes: []
            )
        }
        #expect(decision.via == .grant)
        let back = Command.Kind.revokeGrant(GrantRevocation(user: ann, grant: 1, reason: "x"))
        #expect(try ledger.order(back).outcome == .grantRevoked)
        #expect(try ledger.order(back).outcome == .grantUnknown)
        #expect(try ledger.account(ann)?.answer.grants == [])
        #expect(
            try ledger.order(try grant("ann", key: 1)).outcome == .granted(id: 1, replayed: true)
        )
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `commands of one group see each other`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let (mine, late) = (try token(0), try token(5))
        let fact = purchase(1, from: now, token: late)
        let said =
            try ledger.orderTogether([
                try registration(0), try registration(0),
                notification(1, signed: now, [fact]), notification(1, signed: now, [fact]),
                notification(2, signed: now, [fact]),
                try registration(5),
                try grant("ann", key: 1), try grant("ann", key: 1),
                try grant("ann", key: 1, fingerprint: 2),
            ])
            .map { try $0.get().outcome }
        #expect(
            said == [
                .registered(token: mine, created: true, credits: 3),
                .registered(token: mine, created: false, credits: 3),
                .recorded(.applied), .recorded(.duplicate), .recorded(.stale),
                .registered(token: late, created: true, credits: 3),
                .granted(id: 5, replayed: false), .granted(id: 5, replayed: true), .keyReused,
            ]
        )
        #expect(try ledger.account(try user("user 5"))?.subscriptions == [key(1)])
        #expect(ledger.figures.groups <= 2)
        ledger.stop()
        let report = try expectClean(scratch.store)
        #expect(report.rows.first { $0.table == .unclaimed }?.count == 0)
    }

    @Test func `many long commands are several groups, and one too long is refused alone`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, segmentBytesMax: 32 << 10)
        let ann = try user("ann")
        func credit(_ number: Int, reason bytes: Int) -> Command.Kind {
            let order = CreditOrder(
                user: ann,
                amount: 1,
                key: IdempotencyKey(user: ann, digest: digest(number)),
                fingerprint: digest(number),
                until: nil,
                source: "promo",
                reason: String(repeating: "x", count: bytes),
                isAdjustment: false
            )
            return .credit(order)
        }
        let before = ledger.figures.groups
        let kinds = (0..<200).map { credit($0, reason: 1024) } + [credit(200, reason: 40_000)]
        let said = try ledger.orderTogether(kinds + [credit(201, reason: 1)])
        for (index, answer) in said.enumerated() where index != 200 {
            #expect(try answer.get().seq == UInt64(index < 200 ? index + 1 : index))
        }
        #expect(throws: LedgerFailure.tooLarge) { try said[200].get() }
        #expect(ledger.figures.groups - before > 10)
        #expect(try ledger.account(ann)?.purse.balance(at: Moment(now)) == 201)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `what nobody had is claimed by a later registration`() throws {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        let late = try token(5)
        try ledger.order(notification(1, signed: now, [purchase(1, from: now, token: late)]))
        try ledger.order(notification(2, signed: now, [purchase(2, from: now, token: late)]))
        #expect(try ledger.look { try $0.subscription(of: key(1)) }?.owner == nil)
        let waiting = try ledger.look { try $0.rows(of: .unclaimed, count: 10) }
        #expect(waiting.count == 2)
        ledger.stop()
        ledger = try open(scratch.store)
        try ledger.order(try registration(5))
        let account = try #require(try ledger.account(try user("user 5")))
        #expect(account.subscriptions == [key(1), key(2)])
        #expect(account.answer.slots.count == 2)
        #expect(account.answer.flags.contains(.hadSubscription))
        #expect(try ledger.look { try $0.rows(of: .unclaimed, count: 10) }.isEmpty)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `many commands share few groups, and each finds its write when it is told`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let before = ledger.figures
        let seen = Notebook<Bool>()
        let reader = Mutex<ReaderBox?>(try ReaderBox(ledger))
        let gate = try Gate(ledger)
        let count = 1_000
        for number in 0..<count {
            let name = try user("user \(number)")
            ledger.submit(try registration(number)) { said in
                reader.withLock { box in
                    guard let box else { return }
                    box.reader.rest()
                    let account = try? box.reader.account(of: name)
                    guard case .success(let receipt) = said, let account else { return }
                    let isSeen = account.lastSeq == receipt.seq && box.reader.seq >= receipt.seq
                    seen.note(isSeen)
                    box.reader.rest()
                }
            }
        }
        gate.open()
        ledger.finish()
        #expect(seen.notes.count == count)
        #expect(seen.notes.allSatisfy { $0 })
        let figures = ledger.figures
        #expect(figures.commands - before.commands == UInt64(count) + 1)
        #expect(figures.groups - before.groups <= 5)
        #expect(figures.seq == UInt64(count))
        #expect(figures.queueDepth == 0)
        reader.withLock { $0 = nil }
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `products that no plan names are told once`() throws {
        let scratch = try Scratch()
        let notices = Notebook<LedgerNotice>()
        let ledger = try open(scratch.store, notices: notices)
        for number in 0..<3 {
            var fact = purchase(number, from: now, token: nil)
            fact.transaction?.productID = "strange"
            try ledger.order(notification(number, signed: now, [fact]))
        }
        ledger.stop()
        #expect(notices.notes.filter { $0 == .unknownProduct("strange") }.count == 1)
        #expect(ledger.figures.unknownProducts == 3)
    }
}

/// A reader that a test passes from thread to thread under a lock.
private struct ReaderBox: @unchecked Sendable {
    let reader: LedgerReader

    init(_ ledger: Ledger) throws { reader = try LedgerReader(ledger) }
}
