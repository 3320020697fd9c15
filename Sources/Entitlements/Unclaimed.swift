/// A subscription that carried a token when it was nobody's.
package struct Unclaimed: Hashable, Comparable, Sendable {
    /// The token.
    package let token: Token
    /// The subscription.
    package let key: SubscriptionKey

    /// The pair.
    package init(token: Token, key: SubscriptionKey) {
        self.token = token
        self.key = key
    }

    package static func < (left: Unclaimed, right: Unclaimed) -> Bool {
        (left.token, left.key) < (right.token, right.key)
    }
}
