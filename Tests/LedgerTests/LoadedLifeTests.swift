import Chance
import Entitlements
import TestSupport
import Testing

@testable import Ledger

/// Random lives, with mergers, migrations and erasures, dumped and loaded elsewhere.
struct LoadedLifeTests {
    /// An account as anybody could see it, whatever numbers products have.
    private struct Seen: Hashable {
        let user: UserID
        let flags: AccountFlags
        let slots: [[String]]
        let plans: [String]
        let purse: Purse
        let tokens: [Token]
        let formers: [UserID]
        let subscriptions: [SubscriptionKey]
        let answers: [FirstAnswer]

        init(_ account: Account, _ names: [String]) {
            user = account.user
            flags = account.answer.flags
            slots = account.answer.slots.map { slot in
                [
                    "\(account.subscriptions[Int(slot.ordinal)])", names[Int(slot.product)],
                    "\(slot.from) \(slot.paidUntil) \(slot.graceUntil) \(slot.marks)",
                ]
            }
            plans = account.answer.grants.map { "\(names[Int($0.plan)]) \($0.id) \($0.until)" }
            purse = account.purse
            tokens = account.tokens
            formers = account.formers
            subscriptions = account.subscriptions
            answers = account.firstAnswers
        }
    }

    /// What a dump has of everybody.
    private struct Dump {
        var rows: [LoadedRow] = []
        var accounts: Set<Seen> = []
        var others: Set<LoadedRow> = []

        init(_ ledger: Ledger) throws {
            let reader = try LedgerReader(ledger)
            try reader.wake()
            defer { reader.rest() }
            let names = try reader.numbering().names
            for table in TableName.allCases {
                for row in try reader.rows(of: table, count: 10_000) {
                    switch row.value {
                    case .account(var account):
                        account.lastSeq = 0
                        account.chain = Chain()
                        rows.append(.account(account, names: names))
                        accounts.insert(Seen(account, names))
                    case .subscription(let one): note(.subscription(Self.bare(one)))
                    case .token(let token, let user): note(.token(token, user))
                    case .unclaimed(let waiting): note(.unclaimed(waiting))
                    case .notification(let id, let first): note(.notification(id, first))
                    case .settlement(let key, let first): note(.settlement(key, first))
                    case .reservation(let id, let one): note(.reservation(id, one))
                    case .lease(let id, let user): note(.lease(id, user))
                    case .pack(let key, let pack): note(.pack(key, pack))
                    case .appTransaction(let mark, let shown): note(.appTransaction(mark, shown))
                    case .merger(let user, let one):
                        let bare = MergedAccount(
                            into: one.into,
                            leftFreeCredits: one.leftFreeCredits
                        )
                        note(.merger(user, bare))
                    case .alarm, .tick, .applied, .numbering, .catalog, .installed, .idFloor,
                        .tombstone, .secret, .datedProducts, .rules:
                        break
                    }
                }
            }
        }

        private mutating func note(_ row: LoadedRow) {
            rows.append(row)
            others.insert(row)
        }

        /// Without what is of one ledger alone.
        private static func bare(_ one: Subscription) -> Subscription {
            var bare = Subscription(
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
                successors: one.successors,
                traces: one.traces,
                claims: one.claims,
                linkedAt: one.linkedAt
            )
            bare.isDated = one.isDated
            return bare
        }
    }

    @Test(arguments: 0..<4)
    func `loaded in any order they are the same, and the journal makes them`(_ round: Int) throws {
        let scratch = try Scratch()
        let hands = HandClock()
        var random = SplitMix64.told(round: round)
        var maker = try StreamMaker(random: random, hands: hands)
        maker.migrates = true
        maker.erases = round % 2 == 1
        let stream = Stream(maker, batches: 80, countMax: 8)
        do {
            let bench = try WriterBench(scratch.store, clock: hands.clock)
            #expect(bench.run { stream.next($0) } == nil)
        }
        // Leases end with a start: what is dumped is what stays.
        try open(scratch.store, clock: hands.clock).stop()
        let ledger = try open(scratch.store, clock: hands.clock)
        let dump = try Dump(ledger)
        ledger.stop()
        #expect(dump.others.contains { if case .merger = $0 { true } else { false } })
        let path = scratch.path + "/other"
        let other = try open(path, clock: hands.clock)
        var rows = dump.rows.shuffled(using: &random)[...]
        while !rows.isEmpty {
            let some = Array(rows.prefix(random.pick(1..<40)))
            rows.removeFirst(some.count)
            let outcome = try other.order(.load(some)).outcome
            guard case .loaded = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        let again = try Dump(other)
        #expect(again.accounts == dump.accounts)
        #expect(again.others == dump.others)
        other.stop()
        try expectClean(path)
    }
}
