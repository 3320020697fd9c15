import Entitlements

/// Whom somebody wants to have forgotten, and whom to tell.
package struct ErasureRequest: Sendable {
    /// Whom, and under which secret.
    let order: ErasureOrder
    /// Who wants it.
    let author: Author?
    /// Called once the erasure is decided, or never will be: what is asked of the user from then on
    /// comes after it.
    let onDecided: @Sendable () -> Void
    /// Called once, with the erasure's own position, when no file names the person any more.
    let completion: WriteOrder.Completion

    func fail(_ failure: LedgerFailure) {
        onDecided()
        completion(.failure(failure))
    }
}
