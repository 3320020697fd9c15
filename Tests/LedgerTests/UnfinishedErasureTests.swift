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
