import Entitlements
import LMDB

extension Base {
    /// The rows of a base or a replica, and their position.
    ///
    /// Like the views, they advance by absorbing entries.
    ///
    /// Absorbed changes stay in a memtable and are stored when it is full. Memory use is bounded by
    /// the memtable and the pages that one transaction changes.
    ///
    /// SAFETY: the rows of a base are reached only while its lock is held, except by `store`: the
    /// memtable allows others to read during a store.
    struct Rows: @unchecked Sendable {
        let views: Views
        let snapshot: Snapshot
        /// The rows as they are stored, without what the memtable has.
        let stored: Snapshot
        private(set) var state: AppliedState
        private let memtable: Memtable
        private let checkpointer: Checkpointer
        private let limits: CheckpointLimits
        private let sweptUntil: Moment
        /// The most that the memtable held, in bytes.
        private(set) var heldBytesMax = 0

        /// Opens the rows of `views`.
        ///
        /// Nothing else may change these tables.
        ///
        /// - Parameters:
        ///   - views: the tables.
        ///   - limits: when the memtable is stored.
        ///   - sweptUntil: no row is removed for an age that it reaches only later.
        ///   - border: the position up to which ticks are no longer needed.
        /// - Throws: where the position of the rows cannot be read.
        init(
            _ views: Views,
            limits: CheckpointLimits = CheckpointLimits(),
            sweptUntil: Moment = .distantFuture,
            border: @escaping @Sendable () -> UInt64
        ) throws {
            state =
                views.absent.contains(.meta)
                ? AppliedState() : try views.environment.read { try views.appliedState($0) }
            let pulse = LedgerPulse()
            self.views = views
            self.limits = limits
            self.sweptUntil = sweptUntil
            memtable = Memtable(pulse, seq: state.seq)
            snapshot = try Snapshot(views, memtable)
            stored = try Snapshot(views, Memtable(LedgerPulse(), seq: state.seq))
            checkpointer = Checkpointer(
                views: views,
                memtable: memtable,
                pulse: pulse,
                limits: limits,
                sweptUntil: sweptUntil,
                border: border
            )
        }

        /// The same rows without the changes that are not stored yet.
        func reopened() throws -> Rows {
            try Rows(
                views,
                limits: limits,
                sweptUntil: sweptUntil,
                border: checkpointer.border
            )
        }

        /// Whether the memtable must be stored before more is absorbed.
        var isFull: Bool { limits.fullness(memtable.active) >= 1 }

        /// Absorbs `entries`, which are whole groups.
        ///
        /// - Parameters:
        ///   - entries: the entries that follow `state`.
        ///   - source: the policy under which alarms are set; nil if no alarms are needed.
        ///   - onEntry: called with the desk after each entry.
        /// - Throws: if a row or an entry cannot be read, or if earlier changes cannot be stored.
        ///   The rows are then unchanged.
        mutating func absorb(
            _ entries: ReplayEntries,
            under source: Policy.Source?,
            onEntry: (borrowing Desk) throws -> Void = { _ in }
        ) throws {
            guard !entries.isEmpty else { return }
            if isFull { try store() }
            var desk = state.desk
            desk.isFollowed = source == nil
            var changes = RowChanges()
            try snapshot.renew()
            defer { snapshot.rest() }
            let next = try state.absorbing(entries, on: &desk, from: snapshot, onEntry: onEntry)
            try changes.take(
                desk,
                next,
                after: state,
                under: source.map { Policy($0, numbering: next.numbering) },
                from: snapshot
            )
            state = next
            keep(changes)
        }

        /// Takes changes that lead to the present state into the memtable.
        mutating func keep(_ changes: RowChanges) {
            heldBytesMax = max(heldBytesMax, memtable.keep(changes, seq: state.seq).bytes)
        }

        /// The position of the rows of `stored`; nil if they are at the beginning.
        func storedBorder() throws -> HistoryBorder? {
            guard
                case .applied(let seq, _, _, let now, _, _)? =
                    try stored.record(of: MetaRow.self, at: MetaRow.applied),
                seq > 0
            else { return nil }
            return HistoryBorder(seq: seq, at: now)
        }

        /// Stores what was absorbed, in one transaction.
        func store() throws { try checkpointer.settle() }

        /// The part of the file in use.
        func usedBytes() throws -> Int {
            let info = try views.environment.info()
            return info.pageBytes * (info.lastPage + 1)
        }

        /// Reads every row of `table`; throws if one is damaged.
        func check(_ table: TableName) throws {
            try snapshot.walk(table) { key, sealed in
                _ = try table.row.init(key: key, sealed: sealed)
                return true
            }
        }
    }
}

extension Views {
    /// Stores what changed in one transaction.
    func store(_ changes: RowChanges) throws {
        try environment.write { transaction in
            for row in changes.rows {
                if let sealed = row.sealed {
                    try transaction.put(sealed, for: row.key, in: table(row.table))
                } else {
                    _ = try transaction.delete(row.key, in: table(row.table))
                }
            }
        }
    }

    /// Copies every row of `other` into these empty tables; throws if one is damaged.
    func take(allOf other: Views, isEnding: () -> Bool) throws {
        try other.environment.read { source in
            for name in TableName.allCases where !other.absent.contains(name) {
                try source.withCursor(in: other.table(name)) { cursor in
                    var entry = try cursor.first()
                    while entry != nil {
                        if isEnding() { throw LedgerFailure.shuttingDown }
                        // In pieces: LMDB keeps the pages of one transaction in memory.
                        try environment.write { transaction in
                            var bytes = 0
                            while let (key, sealed) = entry, bytes < LedgerLimits.replayBytesMax {
                                _ = try name.row.init(key: key, sealed: sealed)
                                try transaction.append(sealed, for: key, in: table(name))
                                bytes += key.count + sealed.count
                                entry = try cursor.next()
                            }
                        }
                    }
                }
            }
        }
    }
}
