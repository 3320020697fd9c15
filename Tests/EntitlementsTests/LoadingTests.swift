import Entitlements
import Fixtures
import Testing

/// Rows of another ledger's dump, page by page.
@Suite struct LoadingTests {
    private let policy = Policy(Policy.Source())

    private func charge(_ print: UInt64) -> Command.Kind {
        .charge(
            Charge(
                user: Sample.alice,
                amount: 10,
                key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(7)),
                fingerprint: Sample.digest(print)
            )
        )
    }

    @Test func `a key that was used again after its time loads with both of its answers`() throws {
        var dumped = MemoryLedger()
        func submit(_ kind: Command.Kind, onDay day: Int64) {
            _ = dumped.submit(kind, at: Sample.after(day), under: policy)
        }
        submit(Sample.register(Sample.alice, Sample.token(1)), onDay: 0)
        let order = CreditOrder(
            user: Sample.alice,
            amount: 10,
            key: IdempotencyKey(user: Sample.alice, digest: Sample.digest(1)),
            fingerprint: Sample.digest(1),
            until: nil,
            source: "gift",
            reason: "",
            isAdjustment: false
        )
        submit(.credit(order), onDay: 0)
        // The first answer stands with the account; the other one changes none, and is a row.
        submit(charge(7), onDay: 0)
        submit(charge(7), onDay: 31)
        let account = try #require(dumped.accounts[Sample.alice])
        let (key, row) = try #require(dumped.settlements.first { $0.value.at == Sample.after(31) })
        #expect(account.firstAnswers.contains { $0.key == key.digest })
        var ledger = MemoryLedger()
        func load(_ rows: [LoadedRow]) -> Outcome {
            ledger.submit(.load(rows), at: Sample.after(32), under: policy)
        }
        #expect(load([.account(account, names: [])]) == .loaded(count: 1))
        #expect(load([.settlement(key, row)]) == .loaded(count: 1))
        #expect(load([.settlement(key, row)]) == .loaded(count: 1))
        #expect(ledger.settlements[key] == row)
        // Another answer of the same time is another ledger's.
        let near = try #require(account.firstAnswers.first { $0.key == key.digest }).settlement
        let other = Settlement(
            fingerprint: near.fingerprint,
            seq: near.seq + 1,
            at: near.at,
            answer: .granted
        )
        var apart = MemoryLedger()
        func loadApart(_ row: LoadedRow) -> Outcome {
            apart.submit(.load([row]), at: Sample.after(32), under: policy)
        }
        #expect(loadApart(.account(account, names: [])) == .loaded(count: 1))
        #expect(loadApart(.settlement(key, other)) == .loadRefused(index: 0))
    }
}
