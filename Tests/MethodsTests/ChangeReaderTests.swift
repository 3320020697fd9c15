import Entitlements
import JSON
import Testing

@testable import Methods

/// What tells other systems can find of a user whom it knows by an id alone.
struct ChangeReaderTests {
    private let stage: Stage
    private let reader: ChangeReader
    private let guest: UserID
    private let alice: UserID

    init() throws {
        stage = try Stage(startingAt: 1_750_000_000_000)
        reader = try ChangeReader(stage.ledger)
        (guest, alice) = (YearOfLife.users[0], YearOfLife.users[1])
        for user in [guest, alice] {
            try stage.order(.register(Registration(user: user, token: YearOfLife.token(user))))
        }
    }

    @Test func `a stretch names whom its entries are about`() throws {
        let all = try reader.stretch(after: reader.seq - 2, through: reader.seq)
        #expect(all.users == [guest, alice] && !all.isTorn)
        let last = try reader.stretch(after: reader.seq - 1, through: reader.seq)
        #expect(last.users == [alice] && last.changes.map(\.user) == [alice])
    }

    @Test func `a state is that of an account, at its last position`() throws {
        let state = try #require(try reader.state(of: alice))
        #expect(state.seq == reader.seq && state.params["cause"] == "reconciled")
        let nobody = try #require(UserID("nobody"))
        #expect(try reader.state(of: nobody) == nil)
    }

    @Test func `an account that went into another has a last change, and no state`() throws {
        let digest = Digest256(1, 2, 3, 4)
        let before = reader.seq - 2
        try stage.order(
            .merge(
                MergeOrder(
                    from: guest,
                    into: alice,
                    token: nil,
                    key: IdempotencyKey(user: alice, digest: digest),
                    fingerprint: digest
                )
            )
        )
        #expect(try reader.state(of: guest) == nil)
        let change = try #require(try reader.latest(of: guest, after: before))
        #expect(change.seq == reader.seq)
        #expect(try reader.stretch(after: before, through: before + 1).users == [guest])
    }
}
