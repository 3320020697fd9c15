import Entitlements
import LMDB

/// How far the views are, and what is needed to go on from there.
struct AppliedState: Hashable, Sendable {
    /// The last journal entry that the views contain.
    var seq: UInt64 = 0
    /// The journal group that it stands in.
    var group: UInt64 = 0
    /// Its moment.
    var at = Moment(0)
    /// Product and plan numbers.
    var numbering = Numbering()
    /// The catalog in force.
    var catalog: CatalogStamp?
}

extension Views {
    /// The version of all formats in this room.
    static let format: UInt32 = 1

    /// How far the views are; a fresh state for a fresh environment.
    func appliedState(_ transaction: borrowing some Transaction & ~Copyable) throws -> AppliedState
    {
        var state = AppliedState()
        guard let bytes = try value(Keys.meta("applied"), in: .meta, transaction) else {
            return state
        }
        do {
            var reader = ByteReader(bytes)
            guard try reader.integer(UInt32.self) == Self.format else { throw Malformed() }
            state.seq = try reader.integer()
            state.group = try reader.integer()
            state.at = try reader.moment()
            if let bytes = try value(Keys.meta("numbering"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.numbering = Numbering(
                    names: try reader.list { (reader) throws(Malformed) in try reader.text() }
                )
            }
            if let bytes = try value(Keys.meta("catalog"), in: .meta, transaction) {
                var reader = ByteReader(bytes)
                state.catalog = try reader.catalogStamp()
            }
        } catch is Malformed {
            throw Damage(table: .meta)
        }
        return state
    }

    /// Puts back what changed on `desk`, and how far the views are with it.
    func store(
        _ desk: borrowing Desk,
        _ state: AppliedState,
        _ transaction: borrowing WriteTransaction
    ) throws {
        for user in desk.accounts.changed.sorted() {
            let bytes = desk.accounts[user].map { AccountRecord.bytes(of: $0) }
            try put(bytes, Keys.account(user), in: .accounts, transaction)
        }
        for key in desk.subscriptions.changed.sorted() {
            let bytes = desk.subscriptions[key].map { SubscriptionRecord.bytes(of: $0) }
            try put(bytes, Keys.subscription(key), in: .subscriptions, transaction)
        }
        for token in desk.tokens.changed.sorted() {
            try put(desk.tokens[token]?.bytes, Keys.token(token), in: .tokens, transaction)
        }
        for waiting in desk.unclaimed.changed.sorted() {
            let bytes: [UInt8]? = desk.unclaimed[waiting] == nil ? nil : []
            try put(bytes, Keys.unclaimed(waiting), in: .unclaimed, transaction)
        }
        for id in desk.notifications.changed.sorted() {
            let bytes = desk.notifications[id].map { seq in written { $0.integer(seq) } }
            try put(bytes, Keys.notification(id), in: .notifications, transaction)
        }
        for key in desk.settlements.changed {
            let bytes = desk.settlements[key].map { first in written { $0.settlement(first) } }
            try put(bytes, Keys.settlement(key), in: .settlements, transaction)
        }
        try storeMeta(state, transaction)
    }

    private func storeMeta(
        _ state: AppliedState,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let applied = written {
            $0.integer(Self.format)
            $0.integer(state.seq)
            $0.integer(state.group)
            $0.moment(state.at)
        }
        try put(applied, Keys.meta("applied"), in: .meta, transaction)
        let numbering = written { $0.list(state.numbering.names) { $0.text($1) } }
        try put(numbering, Keys.meta("numbering"), in: .meta, transaction)
        let catalog = state.catalog.map { stamp in written { $0.catalogStamp(stamp) } }
        try put(catalog, Keys.meta("catalog"), in: .meta, transaction)
    }

    private func written(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }
}
