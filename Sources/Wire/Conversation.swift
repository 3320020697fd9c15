/// What one connection has asked and not yet been told.
package struct Conversation: ~Copyable {
    /// The connection, as the methods see it.
    package let session: Session
    /// The connection's index and generation, as its thread numbers them.
    package let connection: UInt64
    /// Whether the caller may ask nothing: every request is answered permission_denied.
    package let isRefused: Bool
    /// How many requests wait for their answer.
    package internal(set) var unanswered = 0
    /// What they hold until then, in bytes: themselves, what each costs beside, and the parts of
    /// batches that wait for the others.
    package internal(set) var unansweredBytes = 0

    var batches: [OpenBatch] = []
    var lastBatch: UInt32 = 0

    /// A conversation that has not begun.
    package init(session: Session, connection: UInt64, isRefused: Bool = false) {
        self.session = session
        self.connection = connection
        self.isRefused = isRefused
    }
}

/// A batch of which some answers are still to come.
struct OpenBatch {
    let number: UInt32
    /// `[` and the answers so far, with their commas.
    var bytes: [UInt8]
    var remaining: Int
    /// The bytes that the remaining ones need at least.
    var reserve: Int
}
