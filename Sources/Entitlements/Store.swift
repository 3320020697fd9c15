/// Who sold it.
///
/// The raw value is stored. All that the rules know of one store or another stands in this file.
package enum Store: UInt8, Sendable, Comparable, CaseIterable {
    case appStore = 1
    case googlePlay = 2
    case stripe = 3

    package static func < (left: Store, right: Store) -> Bool { left.rawValue < right.rawValue }

    /// How it is written.
    package var name: String {
        switch self {
        case .appStore: "app_store"
        case .googlePlay: "google_play"
        case .stripe: "stripe"
        }
    }

    /// The store that is written `name`.
    package init?(name: some StringProtocol) {
        guard let store = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = store
    }

    /// How an account came by a subscription of this store, in an answer's `subscriptionMethod`.
    package var methodName: String {
        switch self {
        case .appStore: "app_store_subscription"
        case .googlePlay, .stripe: name
        }
    }

    /// The store that is written `methodName`, by its name or by how an account came by it.
    package init?(methodName: String) {
        let store =
            Self.allCases.first { $0.methodName == methodName } ?? Store(name: methodName)
        guard let store else { return nil }
        self = store
    }

    /// All names, for a sentence.
    package static var names: String {
        let names = allCases.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}

// What the rules know of each store.
extension Store {
    /// Whether it signs documents, each about a transaction or a renewal; the others answer with
    /// whole states.
    package var signsDocuments: Bool {
        switch self {
        case .appStore: true
        case .googlePlay, .stripe: false
        }
    }

    /// How it tells one product from another.
    var naming: ProductName.Naming {
        switch self {
        case .appStore: .id
        case .googlePlay: .variant
        case .stripe: .variantAndKey
        }
    }

    /// Whether it tells what is bought once for a time, or for good, from a pack of credits.
    var tellsPacks: Bool {
        switch self {
        case .appStore: true
        case .googlePlay, .stripe: false
        }
    }

    /// Whether `billingRetryAccess` is about it: Google says that a subscription on hold gives no
    /// access, and at Stripe the grace after a refused payment (`pastDueGraceHours`) comes before.
    @inlinable package var mayRetryWithAccess: Bool {
        switch self {
        case .appStore: true
        case .googlePlay, .stripe: false
        }
    }

    /// Whether it tells when a period begins; Google does of the first one alone
    /// (`PlaySubscription`).
    var tellsBeginnings: Bool {
        switch self {
        case .appStore, .stripe: true
        case .googlePlay: false
        }
    }

    /// Whether its states name the end of what is paid also while they are of a grace period.
    var namesEndsInGrace: Bool {
        switch self {
        case .appStore, .stripe: true
        case .googlePlay: false
        }
    }

    /// Whether it sells items in one subscription that have periods of their own, and says when
    /// each of them begins.
    var sellsItems: Bool {
        switch self {
        case .stripe: true
        case .appStore, .googlePlay: false
        }
    }

    /// Whether a purchase is shown by its order, of which renewals and items are parts, and is
    /// counted by a token that nobody is shown.
    var sellsOrders: Bool {
        switch self {
        case .googlePlay: true
        case .appStore, .stripe: false
        }
    }

    /// Whether a refund of the whole stays, and the earliest word on it holds.
    ///
    /// Google never takes one back, and its answers may show the purchase as it was for some time;
    /// it says when only by the moment of its answer.
    var refundsForGood: Bool {
        switch self {
        case .googlePlay: true
        case .appStore, .stripe: false
        }
    }

    /// How a purchase takes the place of the one that it names as the one before; nil where none
    /// does.
    var succession: Succession? {
        switch self {
        case .appStore: .backAndForth
        case .googlePlay: .once
        case .stripe: nil
        }
    }

    /// How one purchase takes the place of another.
    enum Succession {
        /// For good, from its first moment.
        case once
        /// Up to its newest transaction: a subscription that became part of a bundle may leave it
        /// again, and then goes on under the id that it had before.
        case backAndForth
    }
}
