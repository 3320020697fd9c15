import Threads

/// The bounds of this room.
package enum MethodLimits {
    /// Bytes of what `find` looks for: purchase tokens are long.
    package static let foundTextBytesMax = 2_048
    /// Purchases that `find` looks for.
    package static let foundMax = 20
    /// How long a read waits for the position that it asks for.
    package static let behindWait = Duration.milliseconds(200)
    /// How often it looks meanwhile.
    package static let behindStep = Duration.milliseconds(5)
    /// Bytes of a feature's name.
    package static let featureBytesMax = 64
    /// The memory that the response of most writes takes.
    static let replyBytesUsual = 256
    /// How much a lane does, and how much may wait for it.
    package struct LaneBounds: Sendable {
        /// Threads.
        package let workers: Int
        /// How far they give way to the threads that answer, in steps of nice(2).
        let niceness: Int32
        /// Whether they get only what all other threads leave.
        var isLast = false
        /// Orders of its jobs that go to the ledger together while more jobs wait.
        var ordersTogether = 1
        /// Jobs that may wait.
        package let jobs: Int
        /// Those of one user of the system: the rest stays for others.
        package let jobsPerCaller: Int
        /// Those of one connection.
        package let jobsPerSession: Int

        /// What its queue holds.
        var waiting: TurnLimits {
            TurnLimits(all: jobs, perCaller: jobsPerCaller, perSession: jobsPerSession)
        }
    }

    /// Notifications; all of them are one caller's, since the listener shares out its places.
    package static let webhooksLane = LaneBounds(
        workers: 2,
        niceness: 2,
        ordersTogether: 16,
        jobs: 4096,
        jobsPerCaller: 4096,
        jobsPerSession: 1
    )
    /// How long an order waits for others to go with, while more jobs wait.
    static let basketWait = Duration.milliseconds(4)
    /// Notifications of more than `notificationBytesUsual`.
    ///
    /// Reading one takes long, and its sender is not authenticated before: they give way to all
    /// others.
    package static let longWebhooksLane = LaneBounds(
        workers: 1,
        niceness: 10,
        isLast: true,
        jobs: 256,
        jobsPerCaller: 256,
        jobsPerSession: 1
    )
    /// Bytes of a notification's body, up to which it is read in the lane of webhooks; Apple's have
    /// 5 to 30 KiB.
    static let notificationBytesUsual = 48 << 10
    /// Answers to writes: as many for one connection as may be unanswered, because what is on disk
    /// should not be answered with `overloaded`.
    package static let answersLane = LaneBounds(
        workers: 1,
        niceness: 0,
        jobs: 16_384,
        jobsPerCaller: 12_288,
        jobsPerSession: 1024
    )
    /// Purchases and receipts to verify.
    package static let purchasesLane = LaneBounds(
        workers: 2,
        niceness: 2,
        jobs: 4096,
        jobsPerCaller: 3072,
        jobsPerSession: 512
    )
    /// Long questions; they give way to everything that somebody waits for to be kept.
    package static let questionsLane = LaneBounds(
        workers: 2,
        niceness: 4,
        jobs: 4096,
        jobsPerCaller: 3072,
        jobsPerSession: 512
    )
    /// Dumps, exports, rows to load: pages of up to a frame each, which give way to the
    /// questions of apps.
    package static let rowsLane = LaneBounds(
        workers: 1,
        niceness: 15,
        jobs: 4096,
        jobsPerCaller: 3072,
        jobsPerSession: 512
    )
    /// Backups; erasures wait in the ledger (`LedgerLimits.erasuresWaitingMax`).
    package static let upkeepLane = LaneBounds(
        workers: 1,
        niceness: 10,
        jobs: 256,
        jobsPerCaller: 192,
        jobsPerSession: 128
    )
    /// Bytes of an account's row, up to which an RPC thread answers about it.
    ///
    /// Some ten purchases or forty buckets; most rows have 100.
    package static let bytesInPlaceMax = 1 << 10
    /// Writes of one connection that wait for earlier ones of the same user.
    package static let waitingWritesMax = 1024
    /// Bytes of an idempotency key.
    package static let keyBytesMax = 200
    /// Characters of an account id that an app gives Google Play, and their bytes in UTF-8.
    package static let accountIDLengthMax = 64
    package static let accountIDBytesMax = 3 * accountIDLengthMax
    /// Bytes of a reason, a plan's name, a product id and the like.
    package static let textBytesMax = 1024
    /// Bytes of a product's or an offer's id, or a user name, that is signed for the store.
    package static let offerTextBytesMax = 255
    /// Bytes of a transaction's number, or of the name of a request to the store.
    package static let storeIDBytesMax = 128
    /// Days by which a renewal can be put off at once.
    package static let extensionDaysMax: Int64 = 90
    /// Consumption in thousandths of a percent: all of it.
    package static let milliPercentMax: Int64 = 100_000
    /// Bytes of a signed document in a parameter.
    package static let documentBytesMax = 128 << 10
    /// Signed documents of one call.
    package static let documentsMax = 100
    /// Purchases that a store is asked about at a time, for one caller.
    package static let purchasesAskedMax = 4
    /// Purchases that are looked at in one go behind a new catalog.
    package static let reviewedPurchasesPage = 256
    /// Bytes of a receipt's text: receipts with years of renewals are long.
    package static let receiptTextBytesMax = 900 << 10
    /// How long a caller waits for what a store says of a purchase, repeats included.
    package static let purchaseMilliseconds: Int64 = 10_000
    /// How long a store waits, with a notification that says only that something changed, until
    /// its server has said what.
    package static let announcementMilliseconds: Int64 = 5_000
    /// Notifications that are known to wait for one store; others stay in the tables until there is
    /// room.
    package static let announcementsMax = 10_000
    /// Seconds that a test notification is waited for.
    package static let testSecondsMax: Int64 = 600
    /// How often it is looked for one that a console sends.
    static let testLookMilliseconds = 100
    /// Rows of one page of a dump.
    package static let pageRowsMax: Int64 = 1000
    /// Rows of one call of `load`.
    package static let loadedRowsMax = 1000
    /// Bytes of a text in a loaded row.
    package static let loadedTextBytesMax = 32 << 10
    /// Bytes of a store's name for a purchase or a transaction in a loaded row.
    package static let loadedNameBytesMax = 255
    /// The greatest amount of one loaded bucket; `loadedListMax` of them are no overflow.
    package static let loadedAmountMax: Int64 = 1 << 46
    /// Items of one list in a loaded row.
    package static let loadedListMax = 16_384
    /// Bytes of the path of a backup.
    package static let pathBytesMax = 4096
    /// Events of one page of a history.
    package static let historyEventsMax: Int64 = 1000
    /// For how long after its end a subscription that renews may only not have been heard of.
    static let freshLossMilliseconds: Int64 = 3_600_000
    /// Changes that wait for one watcher before those of one user are told as one.
    package static let watchWaitingMax = 256
    /// Changes that are kept for watchers, once for all who hear of everybody; whoever has not
    /// been told what is too much must begin again.
    package static let watchKeptMax = 65_536
    /// Bytes of that: what no watcher has taken when there are more is told as `resync`.
    package static let watchKeptBytesMax = 16 << 20
    /// The same of what waits for one watcher that names users.
    package static let watchOwnBytesMax = 2 << 20
    /// What keeping an announcement costs beside its bytes.
    static let watchEntryBytes = 64
    /// Bytes of that which are not charged to its caller.
    static let watchOwnFreeBytes = 4 << 10
    /// In such steps the rest is charged.
    static let watchOwnStepBytes = 16 << 10
    /// Joins that may wait for what they missed.
    package static let watchJoinsMax = 4096
    /// Bytes of the past of users: of what is being read, of what is kept for later joins,
    /// and of what those who joined were not told yet, each.
    package static let watchPastBytesMax = 16 << 20
    /// Bytes of a catalog that is tried.
    package static let catalogBytesMax = 256 << 10
    /// Bytes of an outbox's name.
    package static let outboxNameBytesMax = 32
    /// Bytes of the id of a change that an outbox tells.
    package static let outboxIDBytesMax = 64
    /// Entries of the journal that an outbox reads at once.
    package static let outboxEntriesMax: UInt64 = 1_024
    /// Users after whom it reads no further.
    static let outboxUsersEnough = 64
    /// Users whose past is read at once.
    package static let watchPastUsersMax = 20_000
    /// How long what was read for joins is kept for the next.
    static let catchUpKeptMilliseconds: Int64 = 60_000
    /// How far reading for joins gives way to other threads, in steps of nice(2).
    static let catchUpNiceness: Int32 = 10
    /// With so many bytes a piece of what is told is full: one is on its way to each watcher.
    package static let watchPieceBytesMax = 64 << 10
    /// Groups of the ledger that wait for the hub; what does not fit is told as `resync`.
    package static let watchGroupsMax = 256
    /// How long the hub rests at most when telling takes long.
    package static let watchRestMilliseconds: Int64 = 4
    /// Entries of the journal that a cursor may lie back.
    package static let watchEntriesMax: UInt64 = 10_000
    /// Watchers who are told something in one round.
    static let watchVisitsMax = 64
    /// Users whom one call of `watch` names.
    package static let watchedUsersMax = 10_000
    /// What a watcher costs the hub, in bytes charged to its caller.
    static let watcherBytes = 1_024
    /// What each user costs whom it names, beside the id: places in sets and in the log.
    static let watchedUserBytes = 128
    /// How often a watcher hears a heartbeat.
    package static let heartbeatMilliseconds: Int64 = 15_000
    /// The greatest amount of anything that is counted.
    package static let amountMax: Int64 = 1_000_000_000
    /// Seconds for which credits can be held: a week.
    package static let holdSecondsMax: Int64 = 604_800
    /// Holds of a connection from which on it is looked whether older ones have ended elsewhere.
    static let connectionHoldsUsual = 64
    /// How long it is from one `reconcile` of a user to the next that asks the store.
    package static let reconcileEveryMilliseconds: Int64 = 60_000
    /// Users remembered for that.
    package static let reconciledUsersMax = 10_000
}
