import Entitlements
import Testing

@testable import Methods

struct ReconciledUsersTests {
    private func user(_ number: Int) throws -> UserID { try #require(UserID("user \(number)")) }

    @Test func `a user is asked about once in a minute, and again where nothing came of it`() throws
    {
        let users = ReconciledUsers()
        let every = MethodLimits.reconcileEveryMilliseconds
        #expect(users.turn(of: try user(1), at: 0) == .now)
        #expect(users.turn(of: try user(2), at: 0) == .now)
        #expect(users.turn(of: try user(1), at: every - 1) == .wasAsked)
        #expect(users.turn(of: try user(1), at: every) == .now)
        #expect(users.turn(of: try user(1), at: every + 1) == .wasAsked)
        users.forget(try user(1))
        #expect(users.turn(of: try user(1), at: every + 1) == .now)
    }

    @Test func `as many as can be remembered are asked about, and more when those are old`() throws
    {
        let users = ReconciledUsers()
        let most = MethodLimits.reconciledUsersMax
        for number in 0..<most { #expect(users.turn(of: try user(number), at: 0) == .now) }
        #expect(users.turn(of: try user(most), at: 1) == .tooMany)
        #expect(users.turn(of: try user(most), at: MethodLimits.reconcileEveryMilliseconds) == .now)
    }
}
