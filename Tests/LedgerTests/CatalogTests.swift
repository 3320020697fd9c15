import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

struct CatalogTests {
    @Test func `a new catalog has a new version; the same one does not`() throws {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        let first = try ledger.putInForce(tariff(), stamp(1)).get()
        #expect(first.outcome == .installed)
        #expect(first.seq == 1)
        #expect(ledger.policy.source.version == 1)
        #expect(try ledger.putInForce(tariff(), stamp(1)).get().seq == 1)
        #expect(ledger.policy.source.version == 1)
        #expect(try ledger.putInForce(tariff(plan: "max"), stamp(2)).get().seq == 2)
        #expect(ledger.policy.source.version == 2)
        try ledger.order(try grant("ann", key: 1, plan: "max"))
        ledger.stop()

        ledger = try open(scratch.store, source: tariff(plan: "max"))
        #expect(try ledger.putInForce(tariff(plan: "max"), stamp(2)).get().seq == 3)
        #expect(ledger.policy.source.version == 2)
        #expect(try ledger.putInForce(tariff(), stamp(1)).get().seq == 4)
        #expect(ledger.policy.source.version == 3)
        let row = try ledger.look { try $0.row(MetaRow.bytes(of: "catalog"), of: .meta) }
        let installed = CatalogStamp(version: 3, digest: stamp(1).digest, text: stamp(1).text)
        #expect(row?.value == .catalog(installed))
        ledger.stop()
        try expectClean(scratch.store)
        var versions: [UInt32] = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { _, group in
            versions.append(group.catalogVersion)
        }
        #expect(versions == [1, 2, 2, 3])
    }

    @Test func `what a product means changes for readers without touching accounts`() throws {
        let scratch = try Scratch()
        let hands = HandClock()
        let ledger = try open(scratch.store, clock: hands.clock)
        _ = try ledger.putInForce(tariff(), stamp(1)).get()
        let ann = try user("user 0")
        try ledger.order(try registration(0))
        let fact = purchase(1, from: hands.wall, token: try token(0))
        try ledger.order(notification(1, signed: hands.wall, [fact]))
        var pooled: LedgerReader? = try LedgerReader(ledger)
        func decision() throws -> Decision {
            let reader = try #require(pooled)
            try reader.wake()
            defer { reader.rest() }
            let answer = try #require(try reader.answer(of: ann))
            return answer.decision(
                ofCost: 1_000,
                at: Moment(hands.wall + day),
                under: reader.policy,
                sandboxes: []
            )
        }
        #expect(try decision().via == .subscription)
        let before = try raw(ledger, .accounts, ann.bytes)
        var other = tariff()
        other.plans?[0].products = ["pro.yearly"]
        _ = try ledger.putInForce(other, stamp(2)).get()
        #expect(try decision().canRender == false)
        _ = try ledger.putInForce(tariff(), stamp(1)).get()
        #expect(try decision().canRender)
        #expect(try raw(ledger, .accounts, ann.bytes) == before)
        pooled = nil
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a catalog waits its turn among the commands`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let said = Notebook<Said>()
        let gate = try Gate(ledger)
        ledger.submit(try grant("ann", key: 1, plan: "max")) { said.note($0) }
        ledger.install(tariff(plan: "max"), stamp(2)) { said.note($0) }
        ledger.submit(try grant("ann", key: 2, plan: "max")) { said.note($0) }
        ledger.submit(try grant("ann", key: 3, plan: "pro")) { said.note($0) }
        gate.open()
        ledger.finish()
        let outcomes = try said.notes.map { try $0.get().outcome }
        #expect(
            outcomes == [.planUnknown, .installed, .granted(id: 2, replayed: false), .planUnknown]
        )
        ledger.stop()
        try expectClean(scratch.store)
    }
}
