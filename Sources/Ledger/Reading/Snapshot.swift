import Entitlements
import LMDB
import Synchronization

/// All rows as of one journal position: what changed lately before what LMDB has.
///
/// A row that is not found is proven not to be there: the pages on the way to where it would stand
/// are compared with their sums once more. What is decided because an account, a key or a pack is
/// new is in the journal for ever.
///
/// For one thread. `renew` once, look as often as needed, `rest` before waiting: what is held stays
/// in memory and on disk. Bytes are lent until then.
final class Snapshot {
    private let views: Views
    private let memtable: Memtable
    /// LMDB's part.
    let pooled: PooledReader
    private let hold: Memtable.Hold
    private let accounts: Table
    // SAFETY: retained by the memtable while `hold` names them; let go of in `rest`.
    private var layers: Unmanaged<Memtable.Layers>?
    /// Everything is in LMDB.
    private var isStored = true
    /// Searches for everything about a person; the writer's snapshot knows of them.
    var searches: SearchBook?
    /// The journal position that everything reflects.
    private(set) var seq: UInt64 = 0

    init(_ views: Views, _ memtable: Memtable) throws(LMDBFailure) {
        self.views = views
        self.memtable = memtable
        pooled = try PooledReader(views.environment)
        hold = memtable.makeHold()
        accounts = views.table(.accounts)
    }

    deinit { memtable.remove(hold) }

    /// Takes the newest state.
    func renew() throws(LMDBFailure) {
        while true {
            // In this order. LMDB's view has no row newer than the position that is read after it;
            // the layers that are found last have every row up to it that the view lacks, unless
            // some were stored and dropped meanwhile: then the view is too old, and a new one is
            // taken.
            try pooled.renew()
            atomicMemoryFence(ordering: .acquiring)
            let seq = memtable.seq
            let layers = memtable.take(hold)
            let isWhole = layers._withUnsafeGuaranteedRef { layers in
                isStored = layers.frozen == nil && layers.active.changes == 0
                return layers.commit <= pooled.commit
            }
            guard isWhole else { continue }
            self.layers = layers
            self.seq = seq
            return
        }
    }

    /// Gives everything back.
    func rest() {
        pooled.reset()
        layers = nil
        memtable.release(hold)
    }

    /// The sealed row of an account, which `found` has where LMDB was asked ahead.
    ///
    /// Allocates nothing.
    @inline(__always)
    func account(
        _ key: UnsafeRawBufferPointer,
        _ found: () -> UnsafeRawBufferPointer?
    ) throws(LMDBFailure) -> UnsafeRawBufferPointer? {
        if !isStored {
            switch changed(key, in: .accounts) {
            case .unknown: break
            case .deleted: return nil
            case .row(let row): return row
            }
        }
        if let row = found() { return row }
        let row = try pooled.get(key, in: accounts)
        if row == nil { try pooled.proveAbsence(of: key, in: accounts) }
        return row
    }

    /// The sealed row under `key`.
    func row(
        _ key: UnsafeRawBufferPointer,
        in table: TableName
    ) throws(LMDBFailure) -> UnsafeRawBufferPointer? {
        if !isStored {
            switch changed(key, in: table) {
            case .unknown: break
            case .deleted: return nil
            case .row(let row): return row
            }
        }
        let row = try pooled.get(key, in: views.table(table))
        if row == nil { try pooled.proveAbsence(of: key, in: views.table(table)) }
        return row
    }

    /// The value under `key`, copied; nil when there is none.
    func value(_ key: [UInt8], in table: TableName) throws -> [UInt8]? {
        try key.withUnsafeBytes { key in
            guard let sealed = try row(key, in: table) else { return nil }
            guard let value = Seal.opened(sealed, key) else { throw Damage(table: table) }
            return Array(value)
        }
    }

    private func changed(_ key: UnsafeRawBufferPointer, in table: TableName) -> Layer.Finding {
        guard let layers else { return .unknown }
        let hash = Layer.hash(key, table)
        // SAFETY: the layers are held until `rest`.
        return layers._withUnsafeGuaranteedRef { layers in
            let finding = layers.active.look(up: key, hash, in: table, through: seq)
            guard case .unknown = finding, let frozen = layers.frozen else { return finding }
            return frozen.look(up: key, hash, in: table, through: seq)
        }
    }

    /// Hands the rows of `table` from `start` on to `visit`, in key order, until it answers false.
    func walk(
        _ table: TableName,
        from start: [UInt8] = [],
        _ visit: (_ key: UnsafeRawBufferPointer, _ sealed: UnsafeRawBufferPointer) throws -> Bool
    ) throws {
        guard let layers else { return }
        // SAFETY: the layers are held until `rest`.
        try layers._withUnsafeGuaranteedRef { layers in
            try start.withUnsafeBytes { start in
                var active = LayerWalk(layers.active, table, from: start, through: seq)
                var frozen = layers.frozen.map { LayerWalk($0, table, from: start, through: seq) }
                if !start.isEmpty {
                    try pooled.provePath(to: start, in: views.table(table))
                }
                try pooled.withCursor(in: views.table(table)) { cursor in
                    var stored =
                        start.isEmpty ? try cursor.first() : try cursor.seek(atOrAfter: start)
                    while true {
                        let keys = [active.key, frozen?.key, stored?.key]
                        guard
                            let key = keys.compactMap({ $0 }).min(by: { $0.order(to: $1) < 0 })
                        else { return }
                        // The newest that says something about the key is right.
                        var row: UnsafeRawBufferPointer?
                        if let entry = stored, entry.key.order(to: key) == 0 {
                            row = entry.value
                            stored = try cursor.next()
                        }
                        if frozen?.key?.order(to: key) == 0 {
                            row = frozen?.row
                            frozen?.advance()
                        }
                        if active.key?.order(to: key) == 0 {
                            row = active.row
                            active.advance()
                        }
                        if let row, try !visit(key, row) { return }
                    }
                }
            }
        }
    }

    /// How many rows `table` has: as many as LMDB counts, and what each layer makes of it.
    func count(of table: TableName) throws -> Int {
        guard let layers else { return 0 }
        // SAFETY: the layers are held until `rest`.
        return try layers._withUnsafeGuaranteedRef { layers in
            let stored = try pooled.entryCount(of: views.table(table))
            guard let frozen = layers.frozen else {
                return try stored + growth(of: table, by: layers.active, over: nil)
            }
            return try stored + growth(of: table, by: frozen, over: nil)
                + growth(of: table, by: layers.active, over: frozen)
        }
    }

    private func growth(
        of table: TableName,
        by layer: Layer,
        over other: Layer?
    ) throws -> Int {
        var growth = 0
        let start = UnsafeRawBufferPointer(start: nil, count: 0)
        var walk = LayerWalk(layer, table, from: start, through: seq)
        while let key = walk.key {
            let wasThere =
                switch other?.look(up: key, Layer.hash(key, table), in: table, through: seq)
                    ?? .unknown
                {
                case .unknown: try pooled.get(key, in: views.table(table)) != nil
                case .deleted: false
                case .row: true
                }
            growth += (walk.row == nil ? 0 : 1) - (wasThere ? 1 : 0)
            walk.advance()
        }
        return growth
    }

    /// The last row of `table` at or before `key`, copied.
    func last(
        of table: TableName,
        atOrBefore key: [UInt8]
    ) throws -> (key: [UInt8], value: [UInt8])? {
        var (bound, isIncluded) = (key, true)
        while let found = try place(atOrBefore: bound, isIncluded, in: table) {
            if let value = try value(found, in: table) { return (found, value) }
            // Deleted, or newer than this state.
            (bound, isIncluded) = (found, false)
        }
        return nil
    }

    /// The greatest key up to `key` that anybody knows of.
    private func place(
        atOrBefore key: [UInt8],
        _ isIncluded: Bool,
        in table: TableName
    ) throws -> [UInt8]? {
        guard let layers else { return nil }
        let stored: [UInt8]? = try pooled.withCursor(in: views.table(table)) { cursor in
            var entry = try cursor.seek(atOrAfter: key)
            let isThere = isIncluded && entry?.key.elementsEqual(key) == true
            if !isThere { entry = try entry == nil ? cursor.last() : cursor.previous() }
            return entry.map { Array($0.key) }
        }
        // SAFETY: the layers are held until `rest`.
        return layers._withUnsafeGuaranteedRef { layers in
            let changed = [layers.active, layers.frozen]
                .map { layer in
                    key.withUnsafeBytes { layer?.last(before: $0, orAt: isIncluded, in: table) }
                        .map { Array($0.key) }
                }
            return (changed + [stored]).compactMap { $0 }
                .max { $0.lexicographicallyPrecedes($1) }
        }
    }
}

/// A place in one layer, moved in key order over what is known of one table as of one position.
private struct LayerWalk {
    private var node: Node?
    private let table: UInt8
    private let seq: UInt64
    /// The row at this place; nil where it is deleted.
    private(set) var row: UnsafeRawBufferPointer?

    init(
        _ layer: Layer,
        _ table: TableName,
        from start: UnsafeRawBufferPointer,
        through seq: UInt64
    ) {
        self.table = table.number
        self.seq = seq
        node = layer.first(atOrAfter: start, in: table)
        settle()
    }

    var key: UnsafeRawBufferPointer? { node?.key }

    mutating func advance() {
        node = node?.successor
        settle()
    }

    /// Goes on to the first node that says something.
    private mutating func settle() {
        row = nil
        while let here = node {
            guard here.table == table else {
                node = nil
                return
            }
            switch here.finding(through: seq) {
            case .unknown: node = here.successor
            case .deleted: return
            case .row(let found):
                row = found
                return
            }
        }
    }
}
