/// The bounds of this room.
///
/// Each is reached by a test.
package enum LedgerLimits {
    /// Commands decided and flushed together.
    package static let groupCommandsMax = 256
    /// The size of their entries, above which the next command begins another group.
    static let groupBytesMax = 8 << 20
    /// Of so many callers at most, a group waits for those who had an answer just now.
    static let gatheredMax = 128
    /// How long it waits: less than a flush takes.
    static let gatherMicroseconds: Int64 = 100
    /// Commands waiting for the writer; more are refused as overloaded.
    package static let queueCommandsMax = 4096
    /// Journal entries absorbed into the views in one transaction when the tail is replayed.
    package static let replayEntriesMax = 1024
    /// The size of those entries, above which no further group is taken; likewise the rows that are
    /// copied in one transaction.
    static let replayBytesMax = 4 << 20
    /// Address space of scratch files: so much, and so many times what they are made from.
    static let scratchBytesMin = 256 << 20
    static let scratchShare = 4
    /// How far the wall clock may stray from the monotonic one between two groups.
    package static let clockJumpMilliseconds: Int64 = 60_000
    /// How long a new time must hold after a jump before writes are taken again.
    package static let clockHoldMilliseconds: Int64 = 5_000
    /// How far the wall clock may be behind the moment that the last entry was judged at, or a
    /// start is refused.
    package static let clockBehindMilliseconds: Int64 = 3_600_000
    /// How far the wall clock may be ahead of the journal at a start, or it is doubted.
    package static let clockAheadMilliseconds: Int64 = 86_400_000
    /// How long a clock that was doubted must hold before anything is removed for its age.
    package static let clockBelievedMilliseconds: Int64 = 86_400_000
    /// How long the writer waits before it tries again to store what the views could not take.
    package static let retryMilliseconds: Int64 = 500
    /// Alarms looked at before one group of commands.
    package static let alarmsMax = 1000
    /// How often so many are looked at before another catalog is installed while callers wait.
    static let installRoundsMax = 64
    /// Accounts whose alarms are set anew before one group of commands, once a catalog came.
    ///
    /// Each takes 1.7 µs where its pages are in memory: commands wait half a millisecond longer.
    package static let rearmedAccountsMax = 250
    /// Accounts of which an end is told while they wait for their alarms to be set anew.
    ///
    /// They take some 10 MB. With more, ends wait for them.
    static let rearmedAheadMax = 100_000
    /// Catalogs that may come one after the other before all alarms are set anew; with one more,
    /// commands wait for those of the oldest.
    static let rearmingStretchesMax = 16
    /// How long the writer waits at most before it looks at the clock again, which may be set.
    package static let alarmPatienceMilliseconds: Int64 = 600_000
    /// Unknown products that are named in notices.
    package static let productsToldMax = 1000
    /// Versions of rows in memory that are stored at once; as many again, and the writer waits.
    ///
    /// LMDB keeps each page that a checkpoint changes in memory until it is written: 48 MiB at
    /// most.
    package static let checkpointChangesMax = 12_000
    /// The memory that they take, likewise.
    package static let checkpointBytesMax = 8 << 20
    /// How long each change waits where the layer is nearly full and the one before is not stored
    /// yet: what the checkpointer takes for one or two.
    static let pauseMicroseconds = 20
    /// How long a change waits at most until it is stored.
    package static let checkpointAgeMilliseconds: Int64 = 5_000
    /// How long nothing must change before what has changed is stored.
    package static let checkpointIdleMilliseconds: Int64 = 100
    /// Wishes that wait for the checkpointer.
    static let checkpointWishesMax = 64
    /// Rows that a checkpoint looks at in any case, to take away what answers nothing any more.
    static let sweptRowsMin = 64
    /// How far the checkpointer stands back behind the other threads; farther, and on a busy core
    /// the writer fills the next layer first and waits for it, 0.13 s at a time.
    static let checkpointerNiceness: Int32 = 5
    /// How far the pruner stands back, for which nobody waits.
    static let prunerNiceness: Int32 = 10
    /// From one look at the store to the next: at readers that died, and at the space left.
    static let storeWatchMilliseconds: Int64 = 30_000
    /// A view of LMDB that is held longer is told of: no question takes so long.
    static let viewAgeMilliseconds: Int64 = 60_000
    /// From one sample of the space that is free to the next.
    static let spaceSampleMilliseconds: Int64 = 600_000
    /// Samples are kept for so long.
    static let spaceWindowMilliseconds: Int64 = 86_400_000
    /// Of less time no rate is told: a checkpoint or a segment more is no trend.
    static let spaceWindowMinMilliseconds: Int64 = 3_600_000
    /// With fewer days left there is a warning in the log.
    package static let spaceDaysWarned = 14
    /// What a metric says where a place lasts longer, or nothing is taken: a hundred years.
    package static let spaceDaysMax = 36_500
    /// Transactions in which a checkpoint that found no room takes away what answers nothing any
    /// more, before it tries again.
    static let healingSweepsMax = 16
    /// Rows that each of them looks at, by table: few, so that the pages that it changes fit in
    /// what is left.
    static let healingSweepRows = 500
    /// Rows of one page of a dump.
    package static let pageRowsMax = 1000
    /// What must be free beside the base, or pruning does not begin.
    package static let pruneReserveBytes = 64 << 20
    /// Segments go at the latest when the base has gone on by so many bytes of the journal, or by
    /// as many as it has itself: it is read through each time.
    static let pruneStepBytesMin = 64 << 20
    /// How long it is from one pruning to the next.
    static let pruneEveryMilliseconds: Int64 = 86_400_000

    /// The proof of the last group is flushed when nothing has come for so long.
    static let proofIdleMilliseconds: Int64 = 250
    /// The proof waits no longer than this, whatever comes.
    static let proofAgeMilliseconds: Int64 = 1_000

    /// A group is appended so often, where what became of it was unknown and it was not there.
    static let appendTriesMax = 8
    /// So many different failures are told of; each once.
    static let faultsToldMax = 100

    /// A scrub reads so many bytes in a second, or more where a round would take longer than it
    /// may.
    static let scrubBytesPerSecond = 1 << 20
    /// How long after the start a scrub begins.
    static let scrubFirstMilliseconds: Int64 = 5_000
    /// From one round of a scrub to the next.
    static let scrubRoundMilliseconds: Int64 = 86_400_000
    /// What a scrub looks at in one view: about a millisecond.
    static let scrubPieceBytes = 64 << 10
    /// A scrub waits at least so long, or not at all yet.
    static let scrubPauseMilliseconds: Int64 = 10
    /// Findings of a scrub that are told of.
    static let scrubFindingsMax = 100

    /// After so many entries about an account, or a subscription, the journal keeps its record.
    package static let milestoneEntries: UInt16 = 128
    /// Before that it keeps none.
    package static let milestoneFirstEntries: UInt16 = 256
    /// A record has so many bytes at most for each entry since the one before, or waits for more.
    package static let milestoneBytesPerEntry = 32
    /// After so many entries it waits no longer; `Chain.since` counts no further than twice that.
    package static let milestoneEntriesMax = 32_768
    /// A record that is longer is never kept.
    package static let milestoneBytesMax = 1 << 20
    /// Entries of a window of a history that are remembered, for whoever asks again at once.
    static let historyEntriesKeptMax = 1_024
    /// How often a history is read anew, where segments were replaced or removed meanwhile.
    package static let historyTriesMax = 3

    /// Views that were kept by rebuilds of one second.
    static let keptViewsMax = 100

    /// Erasures that wait for the one that is under way; they are done together after it.
    package static let erasuresWaitingMax = 4096
    /// Erasures that are done together.
    package static let erasedTogetherMax = 1024
    /// How long the first erasure of a pass waits for others.
    static let erasuresGatherMicroseconds: Int64 = 50_000
    /// Up to so many names are looked for in the bytes of a row; for more it is read.
    static let namesSpelledMax = 16
    /// How often the eraser tries again to finish what it could not.
    static let eraserRetryMilliseconds: Int64 = 3_600_000
    /// How long the eraser waits where the writer has too much to do.
    static let eraserPauseMilliseconds: Int64 = 10
    /// How far the eraser stands back behind the other threads.
    static let eraserNiceness: Int32 = 10
    /// A search for persons looks at so many rows before it takes a newer view.
    package static let searchPieceRows = 10_000
}
