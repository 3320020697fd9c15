import Entitlements
import Testing

@testable import Methods

struct ReconciledUsersTests {
    private func user(_ number: Int) throws -> UserID { try #require(UserID("user \(number)")) }

    @Test func `a user is asked about once in a minute, and again where nothing came of it`() throws
    {
        let users = ReconciledUsers()
        let every = MethodLimits.reconcileEveryMilliseconds
        #expect(users.begin(try user(1), at: 0))
        #expect(users.begin(try user(2), at: 0))
        #expect(!users.begin(try user(1), at: every - 1))
        #expect(users.begin(try user(1), at: every))
        #expect(!users.begin(try user(1), at: every + 1))
        users.forget(try user(1))
        #expect(users.begin(try user(1), at: every + 1))
    }

    @Test func `as many as can be remembered are asked about, and more when those are old`() throws
    {
        let users = ReconciledUsers()
        let most = MethodLimits.reconciledUsersMax
        for number in 0..<most { #expect(users.begin(try user(number), at: 0)) }
        #expect(!users.begin(try user(most), at: 1))
        #expect(users.begin(try user(most), at: MethodLimits.reconcileEveryMilliseconds))
    }
}
