/// The bounds of this room.
package enum MethodLimits {
    /// The memory that the response of most writes takes.
    static let replyBytesUsual = 256
    /// Threads of the work pool.
    package static let workersCount = 2
    /// How far they give way to the threads that answer, in steps of nice(2).
    static let workersNiceness: Int32 = 5
    /// Jobs waiting for it.
    package static let jobsMax = 4096
    /// Writes of one connection waiting for the one before them.
    package static let laneMax = 1024
    /// Bytes of an idempotency key.
    package static let keyBytesMax = 200
    /// Bytes of a reason, a plan's name, a product id and the like.
    package static let textBytesMax = 1024
    /// Bytes of a signed document in a parameter.
    package static let documentBytesMax = 128 << 10
    /// Signed documents of one call.
    package static let documentsMax = 100
    /// Bytes of a receipt's text: receipts with years of renewals are long.
    package static let receiptTextBytesMax = 900 << 10
    /// Seconds that a test notification is waited for.
    package static let testSecondsMax: Int64 = 600
    /// Bytes of the body of a notification.
    package static let notificationBytesMax = 128 << 10
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
    /// Changes that wait for one watcher before those of one user are told as one.
    package static let watchWaitingMax = 256
    /// Changes that are kept for watchers, once for all who hear of everybody; whoever has not been
    /// told what is too much must begin again.
    package static let watchKeptMax = 65_536
    /// With so many bytes a piece of what is told is full: one is on its way to each watcher.
    package static let watchPieceBytesMax = 64 << 10
    /// Groups of the ledger that wait for the hub; what does not fit is told as `resync`.
    package static let watchGroupsMax = 256
    /// How long the hub rests at most when telling takes long.
    package static let watchRestMilliseconds: Int64 = 10
    /// Entries of the journal that a cursor may lie back.
    package static let watchEntriesMax: UInt64 = 10_000
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
    /// How long it is from one `reconcile` of a user to the next that asks the store.
    package static let reconcileEveryMilliseconds: Int64 = 60_000
    /// Users remembered for that.
    package static let reconciledUsersMax = 10_000
    /// Seconds after which a store is asked to try a notification again.
    package static let retryAfterSeconds = 30
}
