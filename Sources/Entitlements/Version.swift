/// Which of two signed versions of one thing is newer: the later signed, then the greater digest,
/// so that equal times do not depend on arrival.
package struct Version: Hashable, Comparable, Sendable {
    /// The `signedDate`.
    package let signed: Moment
    /// SHA-256 of the signed payload.
    package let digest: Digest256

    /// The version signed then, with that payload.
    package init(signed: Moment, digest: Digest256) {
        self.signed = signed
        self.digest = digest
    }

    package static func < (left: Version, right: Version) -> Bool {
        (left.signed, left.digest) < (right.signed, right.digest)
    }
}
