import Entitlements

/// What a courier posts with, as `ReceiverConnection` does it.
protocol Postbox {
    /// Posts `body` once, and says what became of it, on any thread.
    func post(
        _ body: [UInt8],
        _ id: LetterID,
        at now: Moment,
        _ answer: @escaping @Sendable (PostResult) -> Void
    )
    func stop()
}

extension ReceiverConnection: Postbox {}
