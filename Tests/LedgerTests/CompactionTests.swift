import Entitlements
import Glibc
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// data.mdb is written anew as a whole or left as it was.
struct CompactionTests {
    private func refusal(of body: () throws -> Void) -> CompactionFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? CompactionFailure
        }
    }

    @Test func `a directory is compacted and goes on, whenever a crash comes`() throws {
        let scratch = try Scratch()
        try leaveInOrder(scratch.store)
        let before = try storedRows(scratch.store)
        var crashes = 0
        let report = try Ledger.compact(options(scratch.store)) { step in
            crashes += 1
            do {
                try lookAfterCrash(scratch, "\(step)")
            } catch {
                Issue.record("\(step): \(error)")
            }
        }
        #expect(crashes == 3)
        #expect(report.bytesAfter < report.bytesBefore)
        #expect(!Scratch.names(in: scratch.store).contains("compacting"))
        var status = stat()
        #expect(stat(scratch.store + "/data.mdb", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(status.st_size == report.bytesAfter)
        #expect(differences(before, try storedRows(scratch.store)) == [])
        #expect(try expectClean(scratch.store).applied == report.seq)
        let ledger = try open(scratch.store, source: WholeStore.shop())
        for number in 100..<400 { try ledger.order(try registration(number)) }
        ledger.stop()
        try expectClean(scratch.store)
    }

    /// What a machine would find that stopped there: the copy of the views beside the others.
    private func lookAfterCrash(_ scratch: Scratch, _ step: String) throws {
        let copy = scratch.path + "/crashed"
        let (from, to) = (scratch.store + "/compacting", copy + "/compacting")
        try Scratch.copyStore(scratch.store, to: copy)
        mkdir(to, 0o700)
        for name in Scratch.names(in: from) {
            try Scratch.put(try Scratch.bytes(of: "\(from)/\(name)"), at: "\(to)/\(name)")
        }
        try expectClean(copy)
        let ledger = try open(copy, source: WholeStore.shop())
        try ledger.order(try registration(90))
        ledger.stop()
        #expect(access(to, F_OK) != 0, "\(step)")
        try expectClean(copy)
    }

    @Test func `what a start must finish first is left as it is`() throws {
        let scratch = try Scratch()
        let checkpoints = CheckpointLimits(ageMilliseconds: .max, idleMilliseconds: 600_000)
        let ledger = try open(scratch.store, checkpoints: checkpoints)
        try ledger.order(try registration(0))
        let copy = scratch.path + "/killed"
        try Scratch.copyStore(scratch.store, to: copy)
        guard case .ledger(.busy(let pid)) = refusal(of: { try compact(scratch.store) }) else {
            Issue.record("compacted under a daemon")
            return
        }
        #expect(pid == getpid())
        ledger.stop()
        let bytes = try Scratch.bytes(of: copy + "/data.mdb")
        guard case .unfinished = refusal(of: { try compact(copy) }) else {
            Issue.record("the views were behind")
            return
        }
        #expect(try Scratch.bytes(of: copy + "/data.mdb") == bytes)
        try Scratch.put([], at: scratch.store + "/erasing")
        guard case .unfinished = refusal(of: { try compact(scratch.store) }) else {
            Issue.record("an erasure was not finished")
            return
        }
    }

    @Test func `views that are not what the journal makes are left as they are`() throws {
        let scratch = try Scratch()
        try leaveInOrder(scratch.store)
        do {
            let environment = try Environment.open(
                directory: scratch.store,
                options: .init(mapSizeBytes: 64 << 20)
            )
            defer { environment.close() }
            let views = try Views(environment)
            try environment.write { try $0.clear(views.table(.packs)) }
        }
        let bytes = try Scratch.bytes(of: scratch.store + "/data.mdb")
        guard case .differs(let found) = refusal(of: { try compact(scratch.store) }) else {
            Issue.record("compacted")
            return
        }
        #expect(!found.isEmpty)
        #expect(try Scratch.bytes(of: scratch.store + "/data.mdb") == bytes)
        #expect(!Scratch.names(in: scratch.store).contains("compacting"))
    }

    @Test func `a full disk leaves the directory as it was`() throws {
        let scratch = try Scratch()
        guard let disk = try SmallDisk(bytes: 24 << 20) else { return }
        let store = disk.path + "/store"
        do {
            let ledger = try open(scratch.store)
            defer { ledger.stop() }
            for first in stride(from: 0, to: 18_000, by: 3_000) {
                try ledger.orderTogether(try (first..<first + 3_000).map { try registration($0) })
            }
        }
        try Scratch.copyStore(scratch.store, to: store)
        let bytes = try Scratch.bytes(of: store + "/data.mdb")
        // Enough for a start, too little for the copy.
        try disk.fill(leaving: 1_200 << 10)
        guard case .ledger(.storageFull) = refusal(of: { try compact(store) }) else {
            Issue.record("there was room for a copy of \(bytes.count) bytes")
            return
        }
        #expect(!Scratch.names(in: store).contains("compacting"))
        #expect(try Scratch.bytes(of: store + "/data.mdb") == bytes)
        disk.empty()
        try compact(store)
        try expectClean(store)
    }

    /// A store with rows in every table, as a daemon leaves it that was stopped.
    private func leaveInOrder(_ directory: String) throws {
        try WholeStore.make(directory)
        try open(directory, source: WholeStore.shop()).stop()
    }

    private func compact(_ directory: String) throws {
        _ = try Ledger.compact(options(directory))
    }
}
