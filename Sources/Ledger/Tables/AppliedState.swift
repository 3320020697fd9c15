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
    /// The moment that it was judged at: what the clock said.
    var now = Moment(0)
    /// Every alarm before this moment has been told, or was examined; nil where nobody noted it.
    var told: Moment?
    /// The version of the catalog under which every account's alarm is set; 0 where some may not
    /// be.
    var armed: UInt32 = 0
    /// Product and plan numbers.
    var numbering = Numbering()
    /// The catalog in force.
    var catalog: CatalogStamp?
    /// The greatest id among the rows that were loaded.
    var idFloor: UInt64 = 0
    /// The secret of the marks of erased persons; nil until somebody is erased.
    var secret: HashKey?
    /// Products of non-renewing subscriptions that were bought.
    var datedProducts: [String] = []
    /// The rules by which the first of the rows were made.
    var rules = Rules.version
}

extension Views {
    /// How far the views are; a fresh state for a fresh environment.
    func appliedState(_ transaction: borrowing some Transaction & ~Copyable) throws -> AppliedState
    {
        var state = AppliedState()
        guard
            case .applied(let seq, let group, let at, let now, let told, let armed)? =
                try record(of: MetaRow.self, at: MetaRow.applied, transaction)
        else {
            // Rows without a position would be made a second time on top of themselves.
            for name in TableName.allCases where !absent.contains(name) {
                guard try transaction.entryCount(of: table(name)) == 0 else {
                    throw Damage(table: .meta)
                }
            }
            return state
        }
        (state.seq, state.group, state.at, state.now) = (seq, group, at, now)
        (state.told, state.armed) = (told, armed)
        guard
            case .numbering(let names)? =
                try record(of: MetaRow.self, at: MetaRow.numbering, transaction)
        else { throw Damage(table: .meta) }
        state.numbering = Numbering(names: names)
        if case .catalog(let stamp)? =
            try record(of: MetaRow.self, at: MetaRow.catalog, transaction)
        {
            state.catalog = stamp
        }
        if case .idFloor(let id)? = try record(of: MetaRow.self, at: MetaRow.ids, transaction) {
            state.idFloor = id
        }
        if case .secret(let secret)? =
            try record(of: MetaRow.self, at: MetaRow.secret, transaction)
        {
            state.secret = secret
        }
        if case .datedProducts(let products)? =
            try record(of: MetaRow.self, at: MetaRow.dated, transaction)
        {
            state.datedProducts = products
        }
        // Older releases did not say it.
        state.rules = Rules.unnamed
        if case .rules(let version)? = try record(of: MetaRow.self, at: MetaRow.rules, transaction)
        {
            state.rules = version
        }
        return state
    }
}

extension RowChanges {
    /// Puts what changed of how far the views are, since they were as far as `before`.
    mutating func put(_ state: AppliedState, after before: AppliedState) {
        put(
            .applied(
                seq: state.seq,
                group: state.group,
                at: state.at,
                now: state.now,
                told: state.told,
                armed: state.armed
            )
        )
        if before.seq == 0 || state.numbering != before.numbering {
            put(.numbering(state.numbering.names))
        }
        if state.idFloor != before.idFloor { put(.idFloor(state.idFloor)) }
        if let secret = state.secret, secret != before.secret { put(.secret(secret)) }
        if state.datedProducts != before.datedProducts { put(.datedProducts(state.datedProducts)) }
        if before.seq == 0 { put(.rules(Rules.version)) }
        guard let stamp = state.catalog, stamp != before.catalog else { return }
        put(.catalog(stamp))
        put(.installed(InstalledCatalog(seq: state.seq, from: state.now, stamp: stamp)))
    }

    /// Puts a row of `meta`.
    mutating func put(_ record: MetaRow.Record) {
        put(record, at: MetaRow(record).key, as: MetaRow.self)
    }
}
