/// That a purchase names its user outright, as Stripe's metadata may.
///
/// The first one that was stated stays: metadata that is changed later moves nothing.
package struct UserFact: Hashable, Sendable {
    /// Whom it names.
    package var user: UserID
    /// Which version this is.
    package var version: Version

    /// `user` is named in this version.
    package init(user: UserID, version: Version) {
        self.user = user
        self.version = version
    }

    /// Which of two was stated first.
    func isBefore(_ other: UserFact) -> Bool {
        if version != other.version { return version < other.version }
        return user.bytes.lexicographicallyPrecedes(other.user.bytes)
    }
}
