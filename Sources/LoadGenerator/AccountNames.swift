import Randomness

/// What accounts are called: the same names in every run, so that one run can use what another
/// has stored.
package enum AccountNames {
    /// Digits of the number in a user id.
    static let digits = 7

    /// What a user id looks like.
    package enum Form: String, CaseIterable, Sendable {
        /// `user-0000001`.
        case numbered
        /// A UUID, for daemons in which a user id is its own token:
        /// `5eed5eed-0000-4000-8000-000000000001`.
        case uuid

        /// What stands before the number.
        var prefix: StaticString {
            switch self {
            case .numbered: "user-"
            case .uuid: "5eed5eed-0000-4000-8000-"
            }
        }

        /// How many digits the number has at least.
        var digits: Int {
            switch self {
            case .numbered: AccountNames.digits
            case .uuid: 12
            }
        }
    }

    /// The user id of an account.
    package static func user(_ account: Int, _ form: Form = .numbered) -> String {
        let number = String(account)
        let zeros = String(repeating: "0", count: max(0, form.digits - number.count))
        return "\(form.prefix)\(zeros)\(number)"
    }

    /// The app account token: a UUID of version 8 without a pattern, as real ones have none.
    package static func token(_ account: Int) -> String {
        let high = SplitMix64.mixed(UInt64(account)) & ~0xf000 | 0x8000
        let low = SplitMix64.mixed(~UInt64(account)) & ~(0b11 << 62) | 0b10 << 62
        return uuid(high, low)
    }

    /// The number of the first transaction of an account's subscription.
    package static func originalTransaction(_ account: Int) -> String {
        String(2_000_000_000_000 + account)
    }

    static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        func hexadecimal(_ value: UInt64) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let digits = Array(hexadecimal(high) + hexadecimal(low))
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }
}
