import Entitlements
import Testing

/// Records on a desk are changed in their place, and a desk is a value all the same.
struct SheetTests {
    private func desk(with user: UserID) -> Desk {
        var desk = Desk()
        desk.accounts.lay(Account(user: user, opened: Moment(1)), at: user)
        return desk
    }

    @Test func `a desk that was copied is a desk of its own`() throws {
        let user = try #require(UserID("ann"))
        let one = desk(with: user)
        var other = one
        other.accounts[user]?.lastSeq = 7
        #expect(one.accounts[user]?.lastSeq == 0 && other.accounts[user]?.lastSeq == 7)
        #expect(one.accounts.changed.isEmpty && other.accounts.changed == [user])
        let third = other
        other.accounts[user] = nil
        #expect(other.accounts[user] == nil && other.accounts.isLaid(user))
        #expect(one.accounts[user]?.lastSeq == 0 && third.accounts[user]?.lastSeq == 7)
    }

    @Test func `what is laid stays, also that there is nothing`() throws {
        let (ann, bob) = (try #require(UserID("ann")), try #require(UserID("bob")))
        var desk = desk(with: ann)
        desk.accounts.lay(nil, at: ann)
        #expect(desk.accounts[ann]?.opened == Moment(1))
        desk.accounts.lay(nil, at: bob)
        desk.accounts.lay(Account(user: bob, opened: Moment(2)), at: bob)
        #expect(desk.accounts[bob] == nil && desk.accounts.changed.isEmpty)
        desk.accounts[bob] = Account(user: bob, opened: Moment(3))
        #expect(desk.accounts[bob]?.opened == Moment(3) && desk.accounts.changed == [bob])
    }
}
