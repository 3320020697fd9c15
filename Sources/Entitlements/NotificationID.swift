/// What recognises a notification that comes again: at Apple its UUID and its signing time, at
/// other stores its id alone.
package struct NotificationID: Hashable, Comparable, Sendable {
    /// The outer `signedDate`; the beginning of 1970 where the id alone counts.
    package let signed: Moment
    /// SHA-256 of the store's name and the id as it was written.
    package let digest: Digest256

    /// When it was signed; nil where the id alone counts.
    package var signedDate: Moment? { signed == Moment(0) ? nil : signed }

    /// The notification signed then, with that UUID.
    package init(signed: Moment, digest: Digest256) {
        self.signed = signed
        self.digest = digest
    }

    /// The message or event with that id, whatever time a repeat names.
    package init(digest: Digest256) { self.init(signed: Moment(0), digest: digest) }

    package static func < (left: NotificationID, right: NotificationID) -> Bool {
        (left.signed, left.digest) < (right.signed, right.digest)
    }
}
