import Chance
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// What a reader sees through both layers and LMDB, beside a model that keeps every state.
struct SnapshotTests {
    @Test(arguments: 0..<8) func `random rows, stored at random, are seen as of each position`(
        _ round: Int
    ) throws {
        let scratch = try Scratch()
        var random = SplitMix64.told()
        let stage = try Rows(scratch.store)
        // What was seen at a position stays so while it is held, whatever comes after.
        var held: [(Snapshot, StoredRows)] = []
        for seq in 1...UInt64(120) {
            stage.change(seq, &random)
            switch random.pick(0..<8) {
            case 0: _ = stage.memtable.frozen ?? stage.memtable.freeze()
            case 1: try stage.store()
            case 2:
                let snapshot = try Snapshot(stage.views, stage.memtable)
                try snapshot.renew()
                held.append((snapshot, stage.model))
            case 3 where !held.isEmpty: held.remove(at: random.pick(0..<held.count))
            default: break
            }
            try stage.check(stage.snapshot, stage.model, &random, isFresh: true)
            if let (snapshot, model) = held.last {
                try stage.check(snapshot, model, &random, isFresh: false)
            }
        }
        for (snapshot, model) in held { #expect(try stage.rows(snapshot) == model) }
        try stage.store()
        try stage.store()
        #expect(try stage.views.storedRows().filter { !$0.value.isEmpty } == stage.model)
        held = []
        #expect(!stage.memtable.sweep())
    }

    @Test func `a layer that a reader holds outlives its checkpoint, and no other does`() throws {
        let scratch = try Scratch()
        var random = SplitMix64.told()
        let stage = try Rows(scratch.store)
        stage.change(1, &random)
        let snapshot = try Snapshot(stage.views, stage.memtable)
        try snapshot.renew()
        let before = try stage.rows(snapshot)
        weak let layer = stage.memtable.freeze()
        for seq in 2...UInt64(30) {
            try stage.store()
            stage.change(seq, &random)
            _ = stage.memtable.freeze()
        }
        #expect(try stage.rows(snapshot) == before)
        #expect(stage.memtable.sweep())
        #expect(layer != nil)
        snapshot.rest()
        #expect(!stage.memtable.sweep())
        #expect(layer == nil)
    }

    @Test func `a checkpoint that changes nothing leaves readers as they were`() throws {
        let scratch = try Scratch()
        let stage = try Rows(scratch.store)
        for seq in 1...UInt64(3) {
            var changes = RowChanges()
            changes.remove([1, 2, 3], from: .accounts)
            _ = stage.memtable.keep(changes, seq: seq)
            _ = stage.memtable.freeze()
            try stage.store()
            #expect(try stage.rows(stage.snapshot) == [:])
            #expect(stage.snapshot.seq == seq)
            stage.snapshot.rest()
        }
    }

    @Test func `tables are numbered in their order`() {
        #expect(TableName.allCases.map { Int($0.number) } == Array(TableName.allCases.indices))
    }
}

/// Views with a memtable before them, and what they should amount to.
private final class Rows {
    let views: Views
    let memtable = Memtable(LedgerPulse(), seq: 0)
    let snapshot: Snapshot
    private let checkpointer: Checkpointer
    private(set) var model: StoredRows = [:]
    private let tables: [TableName] = [.accounts, .alarms, .meta]

    init(_ directory: String) throws {
        let environment = try Environment.open(
            directory: directory,
            options: .init(mapSizeBytes: 16 << 20)
        )
        views = try Views(environment)
        snapshot = try Snapshot(views, memtable)
        checkpointer = Checkpointer(views: views, memtable: memtable, pulse: LedgerPulse())
    }

    func change(_ seq: UInt64, _ random: inout SplitMix64) {
        var changes = RowChanges()
        for _ in 0..<random.pick(1..<12) {
            let table = tables[random.pick(0..<tables.count)]
            let key = key(&random)
            let value = random.pick(0..<3) == 0 ? nil : [UInt8](repeating: 7, count: Int(seq % 40))
            if let value {
                changes.put(key, in: table) { $0.raw(value) }
            } else {
                changes.remove(key, from: table)
            }
            model[table, default: [:]][key] = value.map { Seal.closed($0, key) }
            if model[table]?.isEmpty == true { model[table] = nil }
        }
        _ = memtable.keep(changes, seq: seq)
    }

    /// Of few bytes and few lengths, so that keys are each other's beginnings.
    private func key(_ random: inout SplitMix64) -> [UInt8] {
        (0..<random.pick(1..<4)).map { _ in [0, 1, 0x80, 0xFF][random.pick(0..<4)] }
    }

    /// Stores what is frozen; then, where nothing was, what has changed.
    func store() throws { try checkpointer.settle() }

    func rows(_ snapshot: Snapshot) throws -> StoredRows {
        if snapshot === self.snapshot { try snapshot.renew() }
        var found: StoredRows = [:]
        for table in TableName.allCases {
            var last: [UInt8] = []
            try snapshot.walk(table) { key, sealed in
                #expect(last.isEmpty || last.lexicographicallyPrecedes(key))
                last = Array(key)
                found[table, default: [:]][last] = Array(sealed)
                return true
            }
        }
        return found
    }

    func check(
        _ snapshot: Snapshot,
        _ model: StoredRows,
        _ random: inout SplitMix64,
        isFresh: Bool
    ) throws {
        if isFresh { try snapshot.renew() }
        for table in tables {
            let key = key(&random)
            let rows = model[table] ?? [:]
            let found = try key.withUnsafeBytes { key in
                (
                    try snapshot.row(key, in: table).map { Array($0) },
                    try snapshot.account(key) { nil } != nil
                )
            }
            #expect(found.0 == rows[key])
            #expect(found.1 == (model[.accounts]?[key] != nil))
            let keys = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }
            var walked: [[UInt8]] = []
            try snapshot.walk(table, from: key) { key, _ in
                walked.append(Array(key))
                return walked.count < 5
            }
            #expect(walked == Array(keys.filter { !$0.lexicographicallyPrecedes(key) }.prefix(5)))
            #expect(try snapshot.count(of: table) == rows.count)
            let last = try snapshot.last(of: table, atOrBefore: key)
            #expect(last?.key == keys.last { !key.lexicographicallyPrecedes($0) })
        }
        if isFresh { snapshot.rest() }
    }
}
