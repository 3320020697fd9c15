/// A verified notification of a storefront.
package struct Notification: Hashable, Sendable {
    /// What recognises it.
    package let id: NotificationID
    /// The store's word for what happened; unknown ones survive.
    package let type: String
    /// The store's word for how; empty for none.
    package let subtype: String
    /// SHA-256 of the document as it was received.
    package let document: Digest256
    /// What it states; empty where no transaction is in it.
    package internal(set) var facts: [Fact]
    /// What the store is to be asked about, where it could not be asked yet and nothing is stated.
    package let announcement: StoreAnnouncement?

    /// A notification with these parts.
    package init(
        id: NotificationID,
        type: String,
        subtype: String,
        document: Digest256,
        facts: [Fact],
        announcement: StoreAnnouncement? = nil
    ) {
        self.announcement = announcement
        self.id = id
        self.type = type
        self.subtype = subtype
        self.document = document
        self.facts = facts
    }

    /// The same notification, with these facts behind its own.
    package func stating(_ facts: [Fact]) -> Notification {
        Notification(
            id: id,
            type: type,
            subtype: subtype,
            document: document,
            facts: self.facts + facts
        )
    }

    /// The same notification, of which the store has still to be asked.
    package func awaiting(_ announcement: StoreAnnouncement) -> Notification {
        Notification(
            id: id,
            type: type,
            subtype: subtype,
            document: document,
            facts: [],
            announcement: announcement
        )
    }
}
