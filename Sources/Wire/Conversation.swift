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
    /// The batch that the end of a turn has cut.
    var cut: CutBatch?

    /// Whether the last frame is a batch of which a part is still to be carried out.
    package var isCut: Bool { cut != nil }

    /// A conversation that has not begun.
    package init(session: Session, connection: UInt64, isRefused: Bool = false) {
        self.session = session
        self.connection = connection
        self.isRefused = isRefused
    }

    /// Keeps a batch of which some answers are still to come, and where it goes on if it is cut.
    mutating func open(_ batch: OpenBatch, cut: CutBatch?) {
        var batch = batch
        // What is cut off counts as one until all of it was carried out.
        if cut != nil { batch.remaining += 1 }
        self.cut = cut
        unansweredBytes += batch.bytes.count
        batches.append(batch)
    }
}

/// A batch of which some answers are still to come.
struct OpenBatch {
    let number: UInt32
    /// `[` and the answers so far, with their commas.
    var bytes: [UInt8] = []
    /// How many are still to come.
    var remaining = 0
    /// The bytes that those need at least.
    var reserve: Int
}

/// Where a batch goes on that was cut.
struct CutBatch {
    let number: UInt32
    /// Where in its frame the next element begins.
    let start: Int
    /// How many elements are still to be carried out.
    let elements: Int
}
