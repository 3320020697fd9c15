import Foundation
import LoadGenerator
import Testing

struct AccountNamesTests {
    @Test func `user ids have seven digits, or as many as they need`() {
        #expect(AccountNames.user(1) == "user-0000001")
        #expect(AccountNames.user(9_999_999) == "user-9999999")
        #expect(AccountNames.user(10_000_000) == "user-10000000")
    }

    @Test func `user ids may be UUIDs in lower case, told apart by their last digits`() {
        #expect(AccountNames.user(1, .uuid) == "5eed5eed-0000-4000-8000-000000000001")
        #expect(AccountNames.user(10_000_000, .uuid) == "5eed5eed-0000-4000-8000-000010000000")
        for account in [1, 999_999, 1_000_000_000] {
            #expect(UUID(uuidString: AccountNames.user(account, .uuid)) != nil)
        }
    }

    @Test func `tokens are UUIDs of version 8, and no two accounts share one`() {
        let tokens = (1...10_000).map(AccountNames.token)
        #expect(Set(tokens).count == tokens.count)
        for token in tokens.prefix(200) {
            let groups = token.split(separator: "-").map(Array.init)
            #expect(groups.map(\.count) == [8, 4, 4, 4, 12])
            #expect(groups[2][0] == "8")
            #expect("89ab".contains(groups[3][0]))
            #expect(token.allSatisfy { $0 == "-" || $0.isHexDigit && !$0.isUppercase })
        }
    }
}
