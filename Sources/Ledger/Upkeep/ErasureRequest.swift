import Entitlements

/// A request to erase a person, with the callbacks for its progress.
package struct ErasureRequest: Sendable {
    /// The person, and the secret for the pseudonyms.
    let order: ErasureOrder
    /// The author of the request.
    let author: Author?
    /// Called when the erasure is decided, and is on disk at its position, or, with nil, refused.
    ///
    /// Later commands about the user come after it.
    let onDecided: @Sendable (Receipt?) -> Void
    /// Called once, with the erasure's own position, when no file contains the person's names.
    let completion: WriteOrder.Completion

    func fail(_ failure: LedgerFailure) {
        onDecided(nil)
        completion(.failure(failure))
    }
}
