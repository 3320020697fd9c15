import Entitlements
import Journal
import LMDB

/// Looks things up for one thread.
///
/// Not Sendable: an RPC thread keeps one for itself.
///
/// `wake` once, ask as often as needed, `rest` before waiting: a view that is held keeps old pages.
package final class LedgerReader {
    private let entries: any Journal
    private let board: PolicyBoard
    private let faults: FaultBook
    /// What stands for the entries that were pruned.
    let base: any PrunedHistory
    private let snapshot: Snapshot
    private var policyVersion: UInt64
    private var isAwake = false
    private let memory = JournalMemory()
    /// Whether what is read of the journal is kept from one question to the next.
    private var isOneTask = false
    @exclusivity(unchecked) private var ahead: TablePrefetch
    /// The policy in force when the reader woke.
    ///
    /// One thread's, changed by `wake` alone: nothing that a check at every look could find.
    @exclusivity(unchecked) package private(set) var policy: Policy
    /// The journal position that everything read since `wake` reflects.
    package var seq: UInt64 { snapshot.seq }

    /// A reader of these views and this journal, resting.
    init(
        journal: any Journal,
        views: Views,
        memtable: Memtable,
        board: PolicyBoard,
        base: any PrunedHistory,
        faults: FaultBook
    ) throws(LedgerFailure) {
        entries = journal
        self.board = board
        self.base = base
        self.faults = faults
        do {
            snapshot = try Snapshot(views, memtable)
            ahead = try TablePrefetch(snapshot.pooled, table: TableName.accounts.rawValue)
        } catch {
            throw LedgerFailure(error)
        }
        policyVersion = board.version
        policy = board.policy
    }

    /// Takes the newest view, unless it is awake already.
    package func wake() throws(LedgerFailure) {
        guard !isAwake else { return }
        // In this order: no row is newer than the policy.
        do {
            try snapshot.renew()
        } catch {
            throw LedgerFailure(error)
        }
        let version = board.version
        if version != policyVersion {
            policy = board.policy
            policyVersion = version
        }
        isAwake = true
    }

    /// Gives the view back.
    package func rest() {
        restView()
        memory.forget()
    }

    /// Gives the view back, and keeps what was read of the journal: for one task that reads long.
    func restView() {
        snapshot.rest()
        isAwake = false
    }

    /// How often this reader has looked up a whole account.
    package private(set) var accountsRead = 0

    /// Entries of the journal that this reader has decoded so far.
    package var journalEntriesDecoded: Int { memory.entriesDecoded }

    /// Gives back what was read of the journal, unless the next question is of the same task.
    func forgetJournal() { if !isOneTask { memory.forget() } }

    /// Whether entries that were read since `rememberedJournal` have been rewritten or dropped.
    var isJournalOutdated: Bool { memory.isOutdated }

    /// Takes a user who will be asked about; answers whether there is room for more.
    ///
    /// The bytes must stay where they are until `prefetch`.
    package func foresee(_ user: UnsafeRawBufferPointer) -> Bool { ahead.add(user) }

    /// Looks up together what `read` will be asked for about those users.
    package func prefetch() {
        // Without a view it asks for nothing, and forgets the users all the same: their bytes do
        // not stay.
        try? wake()
        ahead.run()
    }

    /// Reads the flat answer of `user` into `answer`; answers whether there is an account.
    ///
    /// Allocates nothing once `answer` has room.
    package func read(
        _ user: UnsafeRawBufferPointer,
        into answer: inout Answer
    ) throws(LedgerFailure) -> Bool {
        do {
            let row = try snapshot.account(user) { ahead.value(of: user) }
            guard let row else { return false }
            guard AccountRow.read(row, of: user, into: &answer) else {
                throw LedgerFailure.damaged("a row of accounts is not what was stored")
            }
            return true
        } catch {
            throw metInViews(error)
        }
    }

    /// The catalogs that were in force, oldest first.
    package func catalogs() throws(LedgerFailure) -> [InstalledCatalog] {
        try look { try $0.catalogs() }
    }

    /// The journal position of the tick that noted `moment`; nil while there is none.
    package func tick(covering moment: Moment) throws(LedgerFailure) -> UInt64? {
        try look { try $0.tick(covering: moment) }
    }

    /// Numbers of products and plans, as they are now.
    package func numbering() throws(LedgerFailure) -> Numbering {
        try look { try $0.numbering() }
    }

    /// Has questions about a stretch of the journal share what they read there.
    package func asOneTask<Value>(
        _ body: () throws(LedgerFailure) -> Value
    ) throws(LedgerFailure) -> Value {
        isOneTask = true
        defer {
            isOneTask = false
            memory.forget()
        }
        return try body()
    }

    /// The journal, of which what is read is remembered until the reader rests.
    func rememberedJournal() -> RememberedJournal {
        if !isOneTask || !memory.isRemembering || memory.isOutdated { memory.remember() }
        return RememberedJournal(journal: entries, memory: memory)
    }

    /// The whole account of `user`, if its row has at most `bytesMax`, which tells what it costs to
    /// look at it.
    package func account(
        of user: UserID,
        within bytesMax: Int
    ) throws(LedgerFailure) -> MeasuredAccount {
        accountsRead += 1
        return try look { try $0.account(of: user, within: bytesMax) }
    }

    /// The whole account of `user`, of which `found` is known.
    package func account(
        of user: UserID,
        knowing found: MeasuredAccount = .longer
    ) throws(LedgerFailure) -> Account? {
        switch found {
        case .read(let account): return account
        case .longer:
            accountsRead += 1
            return try look { try $0.account(of: user) }
        }
    }

    /// The fold of all facts about `key`.
    package func subscription(of key: SubscriptionKey) throws(LedgerFailure) -> Subscription? {
        try look { try $0.subscription(of: key) }
    }

    /// The subscriptions that follow `key` in the order of keys, at most `limit`.
    package func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) throws(LedgerFailure) -> [Subscription] {
        let rows = try rows(
            of: .subscriptions,
            after: key.map { SubscriptionRow.bytes(of: $0) },
            count: limit
        )
        return rows.compactMap { row in
            if case .subscription(let subscription) = row.value { subscription } else { nil }
        }
    }

    /// What is kept of `user`, whose account went into another's.
    package func merger(of user: UserID) throws(LedgerFailure) -> MergedAccount? {
        try look { try $0.merger(of: user) }
    }

    /// Who has what `user` had: another one where their account went into that one's.
    package func holder(of user: UserID) throws(LedgerFailure) -> UserID {
        try merger(of: user)?.into ?? user
    }

    /// What became of a pack.
    func pack(of key: PackKey) throws(LedgerFailure) -> Pack? { try look { try $0.pack(of: key) } }

    /// Whose `token` is.
    package func user(of token: Token) throws(LedgerFailure) -> UserID? {
        try look { try $0.user(of: token) }
    }

    /// The entry that erased the person with whom `token` went; nil where nobody did.
    func erasure(of token: Token) throws(LedgerFailure) -> UInt64? {
        try look { try $0.tombstone(of: .token(token))?.seq }
    }

    /// Every row about `user` beside the account and first answers, found by looking through the
    /// tables.
    package func tracesBesideAnswers(of user: UserID) throws(LedgerFailure) -> PersonTraces {
        try look { try $0.tracesBesideAnswers(of: user) }
    }

    /// Answers what `error` means; the log hears of damage.
    func met(_ error: any Error) -> LedgerFailure { faults.met(error) }

    /// Answers what `error` means that the views gave; where they are damaged the process must end.
    private func metInViews(_ error: any Error) -> LedgerFailure {
        faults.metInViews(error)
    }

    /// Looks into the views, and tells of what is wrong there.
    func look<Record>(
        _ body: (Snapshot) throws -> Record
    ) throws(LedgerFailure) -> Record {
        try wake()
        do {
            return try body(snapshot)
        } catch {
            throw metInViews(error)
        }
    }

    /// Rows of `table` whose keys follow `after` and begin with `prefix`, decoded, in key order.
    ///
    /// `isEnough` is asked after each row; a page ends there, or after `count` rows.
    package func rows(
        of table: TableName,
        prefix: [UInt8] = [],
        after: [UInt8]? = nil,
        count: Int,
        isEnough: (Row) -> Bool = { _ in false }
    ) throws(LedgerFailure) -> [Row] {
        try look { snapshot in
            guard count > 0 else { return [] }
            var rows: [Row] = []
            try snapshot.walk(table, from: after ?? prefix) { key, sealed in
                if let after, key.elementsEqual(after) { return true }
                guard key.starts(with: prefix) else { return false }
                let row = try Row(table, key, sealed)
                rows.append(row)
                return !isEnough(row) && rows.count < count
            }
            return rows
        }
    }

    /// The row under exactly `key`.
    package func row(_ key: [UInt8], of table: TableName) throws(LedgerFailure) -> Row? {
        try look { snapshot in
            try key.withUnsafeBytes { key in
                try snapshot.row(key, in: table).map { try Row(table, key, $0) }
            }
        }
    }
}
