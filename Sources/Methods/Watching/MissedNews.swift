/// What one has missed who joins.
enum Missed {
    /// A log, and the number in it of what is told first.
    case told(NewsLog, first: UInt64)
    /// More than is known; the oldest position from which it would be.
    case resync(UInt64)
}

/// What those have missed who joined together.
final class MissedNews {
    /// In the order of the members.
    let missed: [Missed]
    /// The memory that it takes until all of them were told.
    let bytes: Int

    init(_ missed: [Missed], bytes: Int) {
        self.missed = missed
        self.bytes = bytes
    }

    /// A watcher that was not told all of it must begin again.
    func lose() {
        for case .told(let log, _) in missed { log.lose() }
    }
}
