import Entitlements
import Glibc
import Journal
import LMDB
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// A replay, a verification and a rebuild hold little in memory, however much there is, and end
/// when they are told to.
struct BoundedMemoryTests {
    private let scratch: Scratch
    /// Every piece is stored.
    private static let checkpoints = CheckpointLimits(changesMax: 64, bytesMax: 256 << 10)

    init() throws { scratch = try Scratch() }

    /// A store of so many accounts, each with a charge, stopped.
    private func make(_ count: Int, _ directory: String) throws {
        let ledger = try open(directory, source: WholeStore.shop())
        for first in stride(from: 0, to: count, by: 256) {
            let numbers = first..<min(first + 256, count)
            try ledger.orderTogether(numbers.map { try registration($0) })
            try ledger.orderTogether(numbers.map { try grant("user \($0)", key: $0) })
        }
        ledger.stop()
    }

    private func options(_ directory: String) -> Ledger.Options {
        LedgerTests.options(directory, checkpoints: Self.checkpoints)
    }

    private func bytes(_ rows: StoredRows) -> Int {
        rows.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.key.count + $1.value.count } }
    }

    @Test func `what is held in memory does not grow with what is stored`() throws {
        var held: [Int] = []
        for count in [1_024, 6 * 1_024] {
            let store = scratch.path + "/\(count)"
            try make(count, store)
            let report = try Ledger.verify(options(store))
            #expect(report.differences == [])
            held.append(report.heldBytesMax)
            #expect(held[0] > 0)
            if count > 1_024 {
                #expect(bytes(try storedRows(store)) > 3 * held[0], "or the test shows nothing")
            }
        }
        #expect(held[1] <= held[0] + 256 << 10)
    }

    @Test func `large entries are absorbed by few`() {
        var pieces = ReplayPieces()
        var sizes: [Int] = []
        for seq in 1...40 as ClosedRange<UInt64> {
            let entry = JournalEntry(
                seq: seq,
                moment: 0,
                kind: EntryKind.load.rawValue,
                version: 1,
                links: [],
                body: [UInt8](repeating: 0, count: 1 << 20)
            )
            if let piece = pieces.take(entry, in: seq) { sizes.append(piece.count) }
        }
        sizes.append(pieces.rest().count)
        #expect(sizes.reduce(0, +) == 40)
        #expect(sizes.max() == LedgerLimits.replayBytesMax >> 20)
        #expect(pieces.bytesMax == LedgerLimits.replayBytesMax)
    }

    @Test func `a group is absorbed whole, and a catalog before what comes after it`() {
        var pieces = ReplayPieces()
        var ends: [UInt64] = []
        let count = UInt64(2 * LedgerLimits.replayEntriesMax)
        for seq in 1...count {
            let kind: EntryKind = seq == 5 ? .install : .charge
            let entry = JournalEntry(
                seq: seq,
                moment: 0,
                kind: kind.rawValue,
                version: 1,
                links: [],
                body: [1]
            )
            // The catalog is alone in its group; the others stand by hundreds.
            let group = seq < 5 ? 1 : seq == 5 ? 2 : 3 + seq / 100
            if let piece = pieces.take(entry, in: group) { ends.append(piece.last?.entry.seq ?? 0) }
        }
        ends.append(pieces.rest().last?.entry.seq ?? 0)
        #expect(ends[0] == 5)
        #expect(ends.dropLast().dropFirst().allSatisfy { $0 % 100 == 99 })
        #expect(ends.last == count)
    }

    @Test func `scratch files have no names, and what a crash left of them goes`() throws {
        try make(64, scratch.store)
        let before = Scratch.names(in: scratch.store)
        let seen = Mutex<Set<[String]>>([])
        var options = options(scratch.store)
        let store = scratch.store
        options.isEnding = {
            seen.withLock { _ = $0.insert(Scratch.names(in: store)) }
            return false
        }
        _ = try Ledger.verify(options)
        #expect(seen.withLock { $0 } == [before])
        #expect(Scratch.names(in: scratch.store) == before)
        let left = scratch.store + "/scratch-12-34"
        mkdir(left, 0o700)
        try Scratch.put([1, 2, 3], at: left + "/data.mdb")
        try Scratch.put([], at: left + "/lock.mdb")
        try expectClean(scratch.store)
        #expect(access(left, F_OK) == 0, "who only reads removes nothing")
        try open(scratch.store).stop()
        #expect(access(left, F_OK) != 0)
    }

    @Test func `a full disk of scratch files leaves the store alone, and says so`() throws {
        guard let disk = try SmallDisk(bytes: 2 << 20) else { return }
        try make(8_192, scratch.store)
        let bytes = try Scratch.bytes(of: scratch.store + "/data.mdb")
        let refused = failure { _ = try Ledger.verify(options(scratch.store), scratch: disk.path) }
        #expect(refused == .storageFull)
        #expect(try Scratch.bytes(of: scratch.store + "/data.mdb") == bytes)
        #expect(Scratch.names(in: disk.path) == [])
        try expectClean(scratch.store)
    }

    /// Options under which the `count`th question whether to end is answered yes.
    private func ending(after count: Int, _ directory: String) -> Ledger.Options {
        let asked = Counter()
        var options = options(directory)
        options.isEnding = { asked.next() > count }
        return options
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    @Test func `a start that is stopped in its replay goes on where it was`() throws {
        try make(2_560, scratch.store)
        let rows = try storedRows(scratch.store)
        unlink(scratch.store + "/data.mdb")
        var stops = 0
        while true {
            do {
                let ledger = try Ledger.open(
                    ending(after: 1, scratch.store),
                    source: WholeStore.shop(),
                    onFailure: { Issue.record("the writer gave up: \($0)") }
                )
                ledger.stop()
                break
            } catch {
                #expect(error == .shuttingDown)
                stops += 1
                try #require(stops < 20, "it never comes to its end")
            }
        }
        #expect(stops > 1, "each start absorbed a piece")
        #expect(differences(rows, try storedRows(scratch.store)) == [])
        try expectClean(scratch.store)
    }

    @Test func `verify and compact end when they are told to, and leave everything as it was`()
        throws
    {
        try make(1_280, scratch.store)
        let path = scratch.store + "/data.mdb"
        let before = (names: Scratch.names(in: scratch.store), bytes: try Scratch.bytes(of: path))
        var ends = (verify: 0, compact: 0, rebuild: 0)
        for count in stride(from: 0, through: 4_000, by: 400) {
            let options = ending(after: count, scratch.store)
            if let refused = failure({ _ = try Ledger.verify(options) }) {
                #expect(refused == .shuttingDown)
                ends.verify += 1
            }
        }
        for count in [0, 1, 5] {
            if isEnded({ _ = try Ledger.compact(ending(after: count, scratch.store)) }) {
                ends.compact += 1
            }
            let isRebuildEnded = isEnded {
                _ = try Ledger.rebuild(
                    ending(after: count, scratch.store),
                    under: WholeStore.shop()
                )
            }
            if isRebuildEnded { ends.rebuild += 1 }
        }
        #expect(ends.verify > 2 && ends.compact == 3 && ends.rebuild == 3)
        #expect(Scratch.names(in: scratch.store) == before.names)
        #expect(try Scratch.bytes(of: path) == before.bytes)
        try expectClean(scratch.store)
    }

    private func isEnded(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch CompactionFailure.ledger(.shuttingDown) {
            return true
        } catch {
            Issue.record("\(error)")
            return false
        }
    }
}
