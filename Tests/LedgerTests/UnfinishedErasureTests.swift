import Entitlements
import Glibc
import Journal
import TestSupport
import Testing

@testable import Ledger

/// An erasure that could not be finished stops no start, and is finished later.
struct UnfinishedErasureTests {
    @Test func `a start without space for it serves, and a later start finishes it`() throws {
        guard let disk = try SmallDisk(bytes: 40 << 20) else { return }
        let store = disk.path + "/store"
        let (failures, notices) = (Notebook<LedgerFailure>(), Notebook<LedgerNotice>())
        func start() throws -> Ledger {
            try Ledger.open(
                options(store, mapBytes: 16 << 20),
                source: tariff(),
                onNotice: { notices.note($0) },
                onFailure: { failures.note($0) }
            )
        }
        var ledger = try start()
        for part in 0..<40 {
            try ledger.orderTogether(
                try (part * 250..<part * 250 + 250)
                    .map { number in
                        let reason = String(repeating: "x", count: 300)
                        return try gift(1, to: "user \(number)", key: 1, reason: reason)
                    }
            )
        }
        try ledger.checkpointer.settle()
        try disk.fill(leaving: 2_500_000)
        #expect(throws: LedgerFailure.storageFull) { try ledger.erase("user 1").get() }
        ledger.stop()
        let isMarked = { access(store + "/erasing", F_OK) == 0 }
        #expect(isMarked())
        ledger = try start()
        let said = notices.notes.contains {
            if case .erasureUnfinished = $0 { true } else { false }
        }
        #expect(said)
        try ledger.order(try registration(20_001))
        #expect(try ledger.account(try user("user 1")) == nil)
        ledger.stop()
        disk.empty()
        ledger = try start()
        #expect(!isMarked() && failures.notes.isEmpty)
        ledger.stop()
    }

    /// A ledger on `disk` whose base names `user 1`, stopped.
    private func pruned(_ store: String, _ hands: HandClock) throws {
        let ledger = try opened(store, hands)
        for round in 0..<8 {
            try ledger.orderTogether((round * 100..<round * 100 + 100).map { try registration($0) })
            hands.advance(day)
        }
        try ledger.checkpointer.settle()
        let edge = Moment(hands.wall - 3 * day)
        let report = try ledger.prune(olderThan: edge, reserveBytes: 0)
        ledger.stop()
        if case .pruned = report {} else { Issue.record("not pruned: \(report)") }
        #expect(try isNamed(store))
    }

    private func opened(_ store: String, _ hands: HandClock) throws -> Ledger {
        try open(store, mapBytes: 16 << 20, clock: hands.clock, segmentBytesMax: 64 << 10)
    }

    /// Whether base or journal name `user 1`.
    private func isNamed(_ store: String) throws -> Bool {
        let name = Array("user 1".utf8)
        let base = try storedRows(store + "/base")[.accounts] ?? [:]
        if base.keys.contains(name) { return true }
        for file in Scratch.names(in: store + "/journal") where file.hasSuffix(".segment") {
            // With its length before it: there is a user 10, too.
            let bytes = try Scratch.bytes(of: "\(store)/journal/\(file)")
            if bytes.holds([UInt8(name.count), 0] + name) { return true }
        }
        return false
    }

    @Test func `a copy of the base that has no space leaves the base open, and is made later`()
        throws
    {
        guard let disk = try SmallDisk(bytes: 40 << 20) else { return }
        let (store, hands) = (disk.path + "/store", HandClock())
        try pruned(store, hands)
        let ledger = try opened(store, hands)
        try disk.fill(leaving: 900_000)
        #expect(failure { _ = try ledger.erase("user 1").get() } != nil)
        #expect(try ledger.base.lookAtAll { _ in true } == true)
        disk.empty()
        try ledger.finishErasures()
        #expect(access(store + "/erasing", F_OK) != 0)
        ledger.stop()
        #expect(try !isNamed(store))
        try expectClean(store)
    }

    @Test func `a base that cannot be opened behind its replacement is not taken for none`() throws
    {
        guard let disk = try SmallDisk(bytes: 40 << 20) else { return }
        let (store, hands) = (disk.path + "/store", HandClock())
        try pruned(store, hands)
        let bench = try WriterBench(store, mapBytes: 16 << 20, clock: hands.clock)
        let order = ErasureOrder(user: try user("user 1"), secret: HashKey(3, 4))
        #expect(bench.run([[.command(.erase(order))]]).gaveUp == nil)
        try bench.checkpointer.settle()
        let base = try baseIn(store)
        // The replacement needs no space, and does not wait for any.
        try bench.finishErasures(base) { step in
            if step == .committed { try? disk.fill(leaving: 500_000) }
        }
        #expect(!bench.erasures.isMarked)
        #expect(failure { _ = try base.lookAtAll { _ in true } } != nil)
        disk.empty()
        #expect(try base.lookAtAll { _ in true } == true)
        base.close()
        #expect(try !isNamed(store))
    }

    @Test func `a copy of the base is begun behind a replacement that failed, not under its mark`()
        throws
    {
        let (scratch, hands) = (try Scratch(), HandClock())
        try pruned(scratch.store, hands)
        let bench = try WriterBench(scratch.store, mapBytes: 16 << 20, clock: hands.clock)
        let order = ErasureOrder(user: try user("user 1"), secret: HashKey(3, 4))
        #expect(bench.run([[.command(.erase(order))]]).gaveUp == nil)
        try bench.checkpointer.settle()
        let base = try baseIn(scratch.store)
        // As a disk leaves it that failed between the mark and the last renaming.
        let mark = scratch.store + "/journal/copies-hold"
        try Scratch.put([], at: mark)
        let marks = Notebook<Bool>()
        try bench.finishErasures(base) { step in
            guard step == .copied else { return }
            #expect(access(scratch.store + "/base-copy/data.mdb", F_OK) == 0)
            marks.note(access(mark, F_OK) == 0)
        }
        #expect(marks.notes.first == false)
        base.close()
        #expect(try !isNamed(scratch.store))
    }

    @Test func `a segment that was begun and has nothing is written on after an erasure`() throws {
        let scratch = try Scratch()
        let failures = Notebook<LedgerFailure>()
        var ledger = try open(scratch.store)
        try ledger.order(try registration(1))
        #expect(try ledger.erase("user 1").get().outcome == .erased(true))
        ledger.stop()
        let journal = scratch.store + "/journal"
        let summary = try Segments.read(directory: journal, afterSeq: nil) { _, _ in true }
        // As a crash leaves it directly behind the making of a file.
        let text = String(summary.lastGroup + 1)
        let name = String(repeating: "0", count: 20 - text.count) + text + ".segment"
        try Scratch.put([], at: journal + "/" + name)
        try Scratch.put([], at: scratch.store + "/erasing")
        ledger = try Ledger.open(
            options(scratch.store),
            source: tariff(),
            onFailure: { failures.note($0) }
        )
        try ledger.order(try registration(2))
        #expect(failures.notes.isEmpty)
        ledger.stop()
    }
}
