/// One step of a story about credits, in plain words: what a caller asks, or what the store says.
///
/// Nothing here knows the core, so that a model of it shares nothing with what it judges.
package enum CreditStep: Hashable, Sendable, CustomStringConvertible {
    /// `registerAccount` with the user's own token.
    case register(user: Int)
    /// `grantCredits`; `until` in ms since 1970, nil for never.
    case grant(user: Int, amount: Int64, until: Int64?, source: String, key: String)
    /// `adjustCredits`.
    case adjust(user: Int, amount: Int64, key: String)
    /// `consumeCredit`.
    case consume(user: Int, amount: Int64, key: String)
    /// `reserveCredits`.
    case reserve(user: Int, amount: Int64, milliseconds: Int64, isLease: Bool, key: String)
    /// `commitReservation` of the reservation with this number, counted from 1.
    case commit(reservation: Int, amount: Int64?)
    /// `releaseReservation`.
    case release(reservation: Int)
    /// The connection of a lease ends.
    case disconnect(reservation: Int)
    /// `reverseCredits`.
    case reverse(user: Int, charge: String, key: String)
    /// `grantEntitlement` of a plan that renders freely.
    case unlimited(user: Int, until: Int64, key: String)
    /// A notification about packs, or the answer of a store.
    case notice(id: Int, [CreditPackWord])
    /// `verifyPurchase` by `user`.
    case verify(user: Int, CreditPackWord)
    /// `restorePurchases` by `user`.
    case restore(user: Int, [CreditPackWord])

    package var description: String {
        switch self {
        case .register(let user): "register u\(user)"
        case .grant(let user, let amount, let until, let source, let key):
            "grant u\(user) \(amount) until \(until ?? -1) \(source) \(key)"
        case .adjust(let user, let amount, let key): "adjust u\(user) \(amount) \(key)"
        case .consume(let user, let amount, let key): "consume u\(user) \(amount) \(key)"
        case .reserve(let user, let amount, let milliseconds, let isLease, let key):
            "reserve u\(user) \(amount) for \(milliseconds) lease \(isLease) \(key)"
        case .commit(let reservation, let amount): "commit #\(reservation) \(amount ?? -1)"
        case .release(let reservation): "release #\(reservation)"
        case .disconnect(let reservation): "disconnect #\(reservation)"
        case .reverse(let user, let charge, let key): "reverse u\(user) \(charge) \(key)"
        case .unlimited(let user, let until, let key): "unlimited u\(user) \(until) \(key)"
        case .notice(let id, let words): "notice \(id) \(words)"
        case .verify(let user, let word): "verify u\(user) \(word)"
        case .restore(let user, let words): "restore u\(user) \(words)"
        }
    }
}

/// What a store says of one pack.
package struct CreditPackWord: Hashable, Sendable {
    /// Which purchase.
    package let pack: Int
    /// Whose token is on it.
    package let buyer: Int
    /// `pack.ten` or `pack.two`.
    package let product: String
    /// How many were bought at once.
    package let quantity: Int64
    /// The order of what the store said; a greater one is newer.
    package let signed: Int64
    /// Refunded.
    package let isRevoked: Bool
    /// How much of it, in thousandths of a percent, if it is.
    package let share: Int64

    /// What the store says of `pack`.
    package init(
        pack: Int,
        buyer: Int,
        product: String,
        quantity: Int64,
        signed: Int64,
        isRevoked: Bool,
        share: Int64 = 100_000
    ) {
        self.pack = pack
        self.buyer = buyer
        self.product = product
        self.quantity = quantity
        self.signed = signed
        self.isRevoked = isRevoked
        self.share = share
    }
}

/// What a step is answered with.
package enum CreditAnswer: Hashable, Sendable {
    /// `registerAccount`.
    case registered(remaining: Int64)
    /// `grantCredits`, `adjustCredits`.
    case credited(remaining: Int64, replayed: Bool)
    /// `consumeCredit`.
    case charged(String, remaining: Int64, replayed: Bool)
    /// `reserveCredits`, with the reservation's number.
    case reserved(String, Int?, remaining: Int64, replayed: Bool)
    /// `commitReservation`, `releaseReservation`.
    case ended(String, remaining: Int64)
    /// `reverseCredits`.
    case reversed(String, remaining: Int64, replayed: Bool)
    /// An error, by its `data.code`.
    case refused(String)
    /// Whatever else; it is not compared.
    case done
}
