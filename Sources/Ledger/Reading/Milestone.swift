import Entitlements

/// When the journal keeps a record beside the events: a milestone of its chain (`Chain`).
package struct MilestonePace: Hashable, Sendable {
    /// After so many entries of a chain it is thought of, each time.
    package var entries = LedgerLimits.milestoneEntries
    /// Before that a chain has none: most have no more entries in their life.
    package var firstEntries = LedgerLimits.milestoneFirstEntries
    /// A milestone has so many bytes at most for each entry since the one before.
    package var bytesPerEntry = LedgerLimits.milestoneBytesPerEntry
    /// A longer record is not kept: no command may be too large because of it.
    package var bytesMax = LedgerLimits.milestoneBytesMax

    /// The usual pace.
    package init() {}

    /// Whether a record of so many bytes is kept after so many entries.
    func isDue(since: UInt16, isFirst: Bool, bytes: Int) -> Bool {
        if bytes > bytesMax || isFirst && since < firstEntries { return false }
        let wanted = min(bytes / bytesPerEntry, LedgerLimits.milestoneEntriesMax)
        return since >= max(Int(entries), wanted)
    }
}

/// A record as the entry that keeps it has left it.
struct Milestone: Hashable, Sendable {
    /// Whose.
    enum Kind: Hashable, Sendable {
        /// An account without its first answers, and the last entries of the subscriptions that it
        /// lists, in the order of that list; 0 where there is none. Its chain is as it was before
        /// this milestone was marked in it.
        case account(Account, [UInt64])
        /// A subscription.
        case subscription(Subscription)
    }

    let kind: Kind
    /// What the record takes in the journal.
    let bytes: [UInt8]

    /// The account that an entry has left, where `place` tells the last entry of a subscription.
    init(_ account: Account, _ place: (SubscriptionKey) throws -> UInt64) rethrows {
        var account = account
        account.firstAnswers = []
        let places = try account.subscriptions.map(place)
        kind = .account(account, places)
        bytes = ByteWriter.bytes { writer in
            writer.integer(UInt8(1))
            writer.user(account.user)
            writer.record { AccountRow.write(account, to: &$0) }
            writer.list(places) { $0.integer($1) }
        }
    }

    /// The subscription that an entry has left.
    init(_ subscription: Subscription) {
        kind = .subscription(subscription)
        bytes = ByteWriter.bytes { writer in
            writer.integer(UInt8(2))
            writer.key(subscription.key)
            writer.record { SubscriptionRow.write(subscription, to: &$0) }
        }
    }

    private init(_ kind: Kind) {
        self.kind = kind
        bytes = []
    }

    /// Reads what `bytes` were; names that are pseudonyms now have the order of pseudonyms.
    init(_ reader: inout ByteReader) throws(Malformed) {
        switch try reader.integer(UInt8.self) {
        case 1:
            let user = try reader.user()
            let written = try AccountRow.record(
                of: user,
                try reader.record(),
                noting: reader.notes
            )
            let places = try reader.list { (reader) throws(Malformed) in
                try reader.integer(UInt64.self)
            }
            guard places.count == written.subscriptions.count else { throw Malformed() }
            let named = Dictionary(zip(written.subscriptions, places)) { first, _ in first }
            guard case .account(let account, _) = LoadedRow.account(written, names: []).inOrder
            else { throw Malformed() }
            self.init(.account(account, account.subscriptions.map { named[$0] ?? 0 }))
        case 2:
            let key = try reader.key()
            let written = try SubscriptionRow.record(
                of: key,
                try reader.record(),
                noting: reader.notes
            )
            guard case .subscription(let subscription) = LoadedRow.subscription(written).inOrder
            else { throw Malformed() }
            self.init(.subscription(subscription))
        default: throw Malformed()
        }
    }
}

extension Desk {
    /// Notes in the records' chains that the entry at `seq`, which was absorbed last, keeps them.
    mutating func mark(_ milestones: [Milestone], at seq: UInt64) {
        for milestone in milestones {
            switch milestone.kind {
            case .account(let account, _): accounts[account.user]?.chain.mark(at: seq)
            case .subscription(let subscription): subscriptions[subscription.key]?.since = 0
            }
        }
    }

    /// The milestones that the entry which was absorbed last is to keep.
    ///
    /// A row that cannot be read here keeps nothing: whoever needs it will say so.
    func milestonesDue(_ pace: MilestonePace, from source: Snapshot) -> [Milestone] {
        var due: [Milestone] = []
        for user in ripeAccounts {
            guard let account = accounts[user],
                pace.isDue(since: account.chain.since, isFirst: account.chain.count == 0, bytes: 0)
            else { continue }
            let milestone = try? Milestone(account) { key in
                let kept =
                    subscriptions.isLaid(key)
                    ? subscriptions[key] : try source.subscription(of: key)
                return kept?.lastSeq ?? 0
            }
            guard let milestone,
                pace.isDue(since: account.chain.since, isFirst: false, bytes: milestone.bytes.count)
            else { continue }
            due.append(milestone)
        }
        for key in ripeSubscriptions {
            guard let subscription = subscriptions[key] else { continue }
            let milestone = Milestone(subscription)
            let bytes = milestone.bytes.count
            if pace.isDue(since: subscription.since, isFirst: true, bytes: bytes) {
                due.append(milestone)
            }
        }
        return due
    }
}
