/// What is known of a store, with it in the configuration or without.
package struct StoreProfile: Hashable, Sendable {
    /// Which store.
    package let store: Store
    /// Its section in the configuration.
    package let section: String
    /// What callers call its customers' devices; nil where they have no word for them.
    package var platform: String?
    /// Where it sends its notifications.
    package let webhook: StoreWebhook
    /// The page on which customers manage what they bought, if there is one for all of them.
    package let managementURL: String?
    /// Whether its purchases carry an account id that the app gave it.
    package var takesAccountIDs = false
    /// Documents of its that callers show.
    package var documents: Set<ShownDocument> = []
    /// What leads its server to a purchase.
    package var hints: Set<PurchaseHint.Kind> = []
    /// What else its server does for callers.
    package var errands: Set<StoreErrand> = []

    /// The profile of a store; what only some stores have is set after.
    package init(
        _ store: Store,
        section: String,
        webhook: StoreWebhook,
        managementURL: String?
    ) {
        self.store = store
        self.section = section
        self.webhook = webhook
        self.managementURL = managementURL
    }
}

/// What only some stores do for callers.
package enum StoreErrand: Hashable, Sendable {
    /// Wants offers signed by the app's maker.
    case offers
    /// Takes word of the use of a purchase.
    case consumption
    /// Puts off renewals.
    case extensions
    /// Sends a notification to try the way, when its server is asked.
    case testNotification
    /// Sends one at the press of a button in its console.
    case testsByHand
    /// Makes a page for each occasion on which a customer manages a subscription.
    case managementPages
}
