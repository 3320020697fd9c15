import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

/// First answers are the most numerous rows by far: what can do without them does not read them.
struct UnreadAnswersTests {
    private static let chargesCount = 300
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A store in which one user was charged many times.
    private func charged() throws -> Ledger {
        let ledger = try open(scratch.store, source: WholeStore.shop())
        try ledger.order(WholeStore.credits("fred"))
        let fred = try user("fred")
        try ledger.orderTogether(
            (0..<Self.chargesCount)
                .map { number in
                    .charge(
                        Charge(
                            user: fred,
                            amount: 1,
                            key: IdempotencyKey(user: fred, digest: digest(1_000 + number)),
                            fingerprint: digest(1)
                        )
                    )
                }
        )
        return ledger
    }

    @Test func `a replay of charges looks up accounts alone`() throws {
        try charged().stop()
        let asked = Asked()
        var desk = AppliedState().desk
        var count = 0
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            try desk.absorb(entry, from: asked)
            count += 1
        }
        #expect(count > Self.chargesCount)
        #expect(asked.counts["accounts"] == 1)
        #expect(asked.counts["settlements"] == nil)
    }

    @Test func `what is looked up in all tables about a person has no first answers`() throws {
        let ledger = try charged()
        defer { ledger.stop() }
        let fred = try user("fred")
        let snapshot = try Snapshot(ledger.views, ledger.memtable)
        try snapshot.renew()
        defer { snapshot.rest() }
        var whole = try snapshot.traces(of: fred)
        #expect(whole.settlements.count >= Self.chargesCount - 4)
        whole.settlements = []
        #expect(try ledger.look { try $0.tracesBesideAnswers(of: fred) } == whole)
    }
}

/// Notes what it is asked for, and has nothing.
private final class Asked: RecordSource {
    private(set) var counts: [String: Int] = [:]

    private func note(_ what: String) { counts[what, default: 0] += 1 }

    func record<T: TableRow>(of type: T.Type, at key: T.Key) -> T.Record? {
        note(T.table.rawValue)
        return nil
    }

    func unclaimed(with token: Token) -> [Unclaimed] {
        note("unclaimed")
        return []
    }

    func traces(of user: UserID) -> PersonTraces {
        note("traces")
        return PersonTraces()
    }
}
