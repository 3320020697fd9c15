/// A store that the configuration does not name: nothing is genuine, and what it sends should come
/// again.
package struct AbsentStore: Storefront {
    package let profile: StoreProfile

    /// The store of this profile.
    package init(_ profile: StoreProfile) { self.profile = profile }

    package var hasApps: Bool { false }

    package func verdict(on delivery: StoreDelivery, at now: Moment) -> NotificationVerdict {
        .undecided(detail: detail)
    }

    package func verdict(
        onPurchase document: [UInt8],
        renewal: [UInt8]?,
        at now: Moment
    ) -> PurchaseVerdict {
        .refused(.environment, detail: detail)
    }

    package func sentence(on fault: DocumentFault, in document: ShownDocument) -> String? {
        "No app is configured here; the daemon's configuration has no section \(profile.section)."
    }

    private var detail: String { "no app is configured" }
}
