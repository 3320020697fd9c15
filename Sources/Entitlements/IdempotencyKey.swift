/// What makes a repeated command the same one.
package struct IdempotencyKey: Hashable, Sendable {
    /// The scope.
    package let user: UserID
    /// Of the caller's key.
    package let digest: Digest128
    /// Of both, with the process's own seed: a command looks for its key several times.
    private let hash: Int

    /// The key with this digest, of this user.
    package init(user: UserID, digest: Digest128) {
        self.user = user
        self.digest = digest
        var hasher = Hasher()
        hasher.combine(user)
        hasher.combine(digest)
        hash = hasher.finalize()
    }

    /// The key whose name has this SHA-256.
    package init(user: UserID, digest: Digest256) {
        self.init(user: user, digest: Digest128(digest))
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    // As with `UserID`.
    package func _rawHashValue(seed: Int) -> Int { hash ^ seed }
}
