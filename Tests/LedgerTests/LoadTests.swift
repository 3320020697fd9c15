import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// Rows of another ledger's dump: the journal's first word about them.
struct LoadTests {
    /// Every row that can be loaded, as a dump would bring it.
    private func rows(of ledger: Ledger) throws -> [LoadedRow] {
        let reader = try LedgerReader(ledger)
        try reader.wake()
        defer { reader.rest() }
        let names = try reader.numbering().names
        var rows: [LoadedRow] = []
        for table in TableName.allCases {
            for row in try reader.rows(of: table, count: 1_000) {
                switch row.value {
                case .account(var account):
                    account.lastSeq = 0
                    account.chain = Chain()
                    rows.append(.account(account, names: names))
                case .subscription(let one):
                    rows.append(
                        .subscription(
                            Subscription(
                                key: one.key,
                                transactions: one.transactions,
                                renewal: one.renewal,
                                status: one.status,
                                renewalDisabled: one.renewalDisabled,
                                everEntitled: one.everEntitled,
                                bearer: one.bearer,
                                tokens: one.tokens,
                                link: one.link,
                                owner: one.owner,
                                sharers: one.sharers,
                                traces: one.traces,
                                claims: one.claims,
                                linkedAt: one.linkedAt
                            )
                        )
                    )
                case .token(let token, let user): rows.append(.token(token, user))
                case .unclaimed(let waiting): rows.append(.unclaimed(waiting))
                case .notification(let id, let first): rows.append(.notification(id, first))
                case .settlement(let key, let first): rows.append(.settlement(key, first))
                case .reservation(let id, let one): rows.append(.reservation(id, one))
                case .lease(let id, let user): rows.append(.lease(id, user))
                case .pack(let key, let pack): rows.append(.pack(key, pack))
                case .appTransaction(let mark, let shown):
                    rows.append(.appTransaction(mark, shown))
                case .merger(let user, let one):
                    let bare = MergedAccount(
                        into: one.into,
                        leftFreeCredits: one.leftFreeCredits
                    )
                    rows.append(.merger(user, bare))
                case .alarm, .tick, .applied, .numbering, .catalog, .installed, .idFloor,
                    .tombstone, .secret, .datedProducts, .rules:
                    break
                }
            }
        }
        return rows
    }

    private func whole(_ scratch: Scratch) throws -> [LoadedRow] {
        try WholeStore.make(scratch.store)
        let ledger = try open(scratch.store, source: WholeStore.shop())
        defer { ledger.stop() }
        return try rows(of: ledger)
    }

    @Test func `what is loaded is there, survives a restart, and is what the journal makes`()
        throws
    {
        let scratch = try Scratch()
        let loaded = try whole(scratch)
        let other = scratch.path + "/other"
        var ledger = try open(other, source: WholeStore.shop())
        // Numbers of products are given anew here, and differ.
        try ledger.order(try grant("zoe", key: 1))
        let receipt = try ledger.order(.load(loaded))
        #expect(receipt.outcome == .loaded(count: loaded.count))
        let mine = Set(loaded)
        var found = try rows(of: ledger)
        #expect(found.count == loaded.count + 1, "and zoe, with the key of her grant")
        for case .account(let account, let names) in found {
            #expect(account.answer.slots.allSatisfy { names[Int($0.product)].contains(".") })
        }
        let others = loaded.filter { if case .account = $0 { false } else { true } }
        #expect(mine.subtracting(others).count == loaded.count - others.count)
        #expect(Set(others).isSubset(of: Set(found)))
        ledger.stop()
        try expectClean(other)
        // Leases end when a daemon starts: nobody holds them.
        ledger = try open(other, source: WholeStore.shop())
        found = try rows(of: ledger)
        #expect(found.contains { if case .pack = $0 { true } else { false } })
        ledger.stop()
        try expectClean(other)
    }

    @Test func `what is loaded twice changes nothing, and other content is refused`() throws {
        let scratch = try Scratch()
        let loaded = try whole(scratch)
        let ledger = try open(scratch.path + "/other", source: WholeStore.shop())
        try ledger.order(.load(loaded))
        let kept = loaded.filter {
            switch $0 {
            case .unclaimed, .lease: false
            default: true
            }
        }
        let before = ledger.figures.seq
        #expect(try ledger.order(.load(kept)).outcome == .loaded(count: kept.count))
        #expect(ledger.figures.seq == before)
        let strange = try [
            LoadedRow.token(try token(500), try user("new")),
            .token(try token(0), try user("somebody else")),
        ]
        #expect(try ledger.order(.load(strange)).outcome == .loadRefused(index: 1))
        #expect(ledger.figures.seq == before)
        #expect(try ledger.look { try $0.user(of: try token(500)) } == nil)
        ledger.stop()
    }

    @Test func `what is made after a load has ids of its own`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store, source: WholeStore.shop())
        let held = Reservation(user: try user("ann"), until: Moment(.max), isLease: false)
        try ledger.order(.load([.reservation(4, held)]))
        try ledger.order(try WholeStore.credits("fred"))
        var ids: [UInt64] = []
        for number in 0..<4 {
            let outcome = try ledger.order(try WholeStore.lease("fred", number)).outcome
            guard case .reserved(.reserved, let id?, _, nil) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            ids.append(id)
            let again = try ledger.order(try WholeStore.lease("fred", number)).outcome
            guard case .reserved(.reserved, id, _, .some) = again else {
                Issue.record("\(again)")
                continue
            }
        }
        #expect(Set(ids).count == 4)
        #expect(ids.allSatisfy { $0 > 4 })
        #expect(try ledger.look { try $0.row(Array("r4".utf8), of: .reservations) } != nil)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a history begins with the load`() throws {
        let scratch = try Scratch()
        let loaded = try whole(scratch)
        let ledger = try open(scratch.path + "/other", source: WholeStore.shop())
        try ledger.order(.load(loaded))
        try ledger.order(try grant("fred", key: 77))
        for (name, seqs) in [("fred", [1, 2] as [UInt64]), ("user 0", [1])] {
            let user = try user(name)
            let reader = try LedgerReader(ledger)
            let (past, steps) = try reader.history(of: user)
            #expect(steps.map(\.seq) == seqs)
            #expect(try past.account == reader.account(of: user))
            #expect(past.account != nil)
            reader.rest()
        }
        ledger.stop()
    }

    @Test(arguments: [false, true])
    func `a purchase that was loaded beside its account is seen from then on`(
        _ isAfter: Bool
    ) throws {
        let scratch = try Scratch()
        let loaded = try whole(scratch)
        var pair: (account: LoadedRow, purchase: LoadedRow, user: UserID, key: SubscriptionKey)?
        for row in loaded {
            guard case .account(let account, _) = row, let key = account.subscriptions.first else {
                continue
            }
            let purchase = loaded.first { row in
                if case .subscription(let one) = row { one.key == key } else { false }
            }
            if let purchase { pair = (row, purchase, account.user, key) }
        }
        let (account, purchase, user, key) = try #require(pair)
        let ledger = try open(scratch.path + "/other", source: WholeStore.shop())
        try ledger.order(.load([isAfter ? account : purchase]))
        try ledger.order(.load([isAfter ? purchase : account]))
        try ledger.order(try grant(user.description, key: 77))
        let (past, steps) = try ledger.history(of: user)
        #expect(steps.map(\.seq) == (isAfter ? [1, 2, 3] : [2, 3]))
        let now = try ledger.look { try $0.subscription(of: key) }
        #expect(past.subscription(of: key) == now)
        try ledger.look { reader in
            var past = try reader.past(of: user)
            while let step = try past.next(), step.seq <= 2 { try past.takeStep() }
            #expect(past.subscription(of: key) == now)
        }
        ledger.stop()
    }
}
