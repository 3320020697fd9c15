/// What recognises a notification that comes again: its UUID and its signing time.
package struct NotificationID: Hashable, Comparable, Sendable {
    /// The outer `signedDate`.
    package let signed: Moment
    /// SHA-256 of the store's name and the UUID as it was written.
    package let digest: Digest256

    /// The notification signed then, with that UUID.
    package init(signed: Moment, digest: Digest256) {
        self.signed = signed
        self.digest = digest
    }

    package static func < (left: NotificationID, right: NotificationID) -> Bool {
        (left.signed, left.digest) < (right.signed, right.digest)
    }
}
