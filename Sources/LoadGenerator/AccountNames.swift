/// What accounts are called: the same names in every run, so that one run can use what another
/// has stored.
package enum AccountNames {
    /// Digits of the number in a user id.
    static let digits = 7

    /// `user-0000001`.
    package static func user(_ account: Int) -> String {
        let number = String(account)
        return "user-" + String(repeating: "0", count: max(0, digits - number.count)) + number
    }

    /// The app account token: a UUID of version 8 without a pattern, as real ones have none.
    package static func token(_ account: Int) -> String {
        let high = RandomSource.mixed(UInt64(account)) & ~0xf000 | 0x8000
        let low = RandomSource.mixed(~UInt64(account)) & ~(0b11 << 62) | 0b10 << 62
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
