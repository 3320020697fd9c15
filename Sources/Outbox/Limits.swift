/// How much an outbox does, and how much it keeps.
package enum OutboxLimits {
    /// Posts to one receiver under way at once, each about another user.
    static let underWayMax = 16
    /// Changes that wait for one receiver in memory, those held back aside; the journal has the
    /// others.
    ///
    /// With more, what waits of users whose posts fail is parked before its three days, and little
    /// is read; with twice as many nothing.
    static let waitingMax = 10_000
    /// Positions of the journal that are read at once where there is no room.
    static let probedPositions: UInt64 = 16
    /// How long a post that went through shows that the receiver is not away.
    static let recentMilliseconds: Int64 = 300_000
    /// Losses that are held back, and changes behind them: with more, no more are read, and what a
    /// renewal would have taken back is told when its time has come.
    static let heldMax = 10_000
    /// Changes that wait to be posted at once, behind which no more are read.
    static let readyMax = 4 * underWayMax
    /// How often a change is refused, while others' go through, before it may be parked early.
    ///
    /// That takes some two minutes at most. With one and a half times as many as there is room for,
    /// one is enough.
    static let stuckRefusals = 5
    /// Changes that are listed as parked; of more, their number is known.
    static let parkedMax = 1_000
    /// Positions that are read at once for what waited before a restart.
    static let recalledMax: UInt64 = 64
    /// How long a receiver may take for one post.
    static let attemptMilliseconds: Int64 = 15_000
    /// How long the first pause after a failure is.
    static let pauseFirstMilliseconds: Int64 = 5_000
    /// How long a pause may be.
    static let pauseMilliseconds: Int64 = 3_600_000
    /// How long a receiver to whom nothing goes through is left alone at most.
    static let downMilliseconds: Int64 = 60_000
    /// The same of one that took something lately.
    static let probeMilliseconds: Int64 = 1_000
    /// How long nothing has gone through before that is said.
    static let downShownMilliseconds: Int64 = 10_000
    /// Users whose posts fail one after the other, until nothing goes through.
    static let failingUsersMax = 5
    /// How long after its first attempt a change is parked.
    static let parkedAfterMilliseconds: Int64 = 3 * 86_400_000
    /// How often an outbox looks whether there is something new.
    static let lookMilliseconds: Int64 = 50
    /// How often, at most, it notes on disk how far it is: seldomer where the note is long.
    static func pause(ofNotes waiting: Int) -> Int64 { 200 * Int64(1 + waiting / 1_000) }
    /// How long it waits after a read that failed.
    static let readAgainMilliseconds: Int64 = 1_000
    /// Accounts in one page, where all are told of.
    static let statesPage = 200
    /// Bytes of an answer's body that are read and not looked at; a longer one ends the connection.
    static let answerBytesMax = 64 << 10
    /// How long is waited for a place in an outbox's queue, until it is looked for again.
    static let fullMilliseconds: Int64 = 5
    /// Bytes of the file that says how far an outbox is: erasures wait in it without a bound, some
    /// hundred bytes each.
    static let fileBytesMax = 1 << 30
    /// Parked or failing changes that are shown.
    static let shownMax = 20
    /// Bytes of a secret: Standard Webhooks asks for 24 to 64.
    static let secretBytes = 24...64
    /// How far its thread gives way to the threads that answer, in steps of nice(2).
    static let niceness: Int32 = 5
    /// What waits for an outbox's thread.
    static let workMax = 1_024
}
