import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// data.mdb is made anew from base and journal, whatever the old one is.
struct RebuildTests {
    private func rebuild(
        _ directory: String,
        onStep: (CompactionStep) -> Void = { _ in }
    ) throws -> (report: CompactionReport, kept: String?) {
        try Ledger.rebuild(options(directory), under: WholeStore.shop(), onStep: onStep)
    }

    /// A store with rows in every table, as a daemon leaves it that was stopped.
    private func made(_ scratch: Scratch) throws -> StoredRows {
        try WholeStore.make(scratch.store)
        try open(scratch.store, source: WholeStore.shop()).stop()
        return try storedRows(scratch.store)
    }

    private func expectDamage(_ directory: String) throws {
        let before = Scratch.names(in: directory)
        do {
            _ = try rebuild(directory)
            Issue.record("it was rebuilt")
        } catch let failure as CompactionFailure {
            guard case .ledger(let failure) = failure, isDamage(failure) else {
                Issue.record("\(failure)")
                return
            }
        }
        #expect(Scratch.names(in: directory) == before)
    }

    @Test(arguments: ["cut", "noise", "empty", "missing", "whole"])
    func `views are made anew, whatever became of the old ones`(_ fate: String) throws {
        let scratch = try Scratch()
        let rows = try made(scratch)
        let path = scratch.store + "/data.mdb"
        let bytes = try Scratch.bytes(of: path)
        var left: [UInt8]? = bytes
        switch fate {
        case "cut": left = Array(bytes[..<9_000])
        case "noise": left = bytes.map { $0 &* 31 &+ 7 }
        case "empty": left = []
        case "missing": left = nil
        default: break
        }
        unlink(path)
        if let left { try Scratch.put(left, at: path) }
        let (report, kept) = try rebuild(scratch.store)
        #expect(report.bytesBefore == left?.count ?? 0)
        if let left {
            #expect(try Scratch.bytes(of: "\(scratch.store)/\(try #require(kept))") == left)
        } else {
            #expect(kept == nil)
        }
        #expect(differences(rows, try storedRows(scratch.store)) == [])
        #expect(try expectClean(scratch.store).applied == report.seq)
        let ledger = try open(scratch.store, source: WholeStore.shop())
        try ledger.order(try registration(90))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `views begin with the base where the journal was pruned`() throws {
        let scratch = try Scratch()
        let ledger = try prunedLedger(scratch, segmentBytesMax: 16 << 10)
        ledger.stop()
        let rows = try storedRows(scratch.store)
        try Scratch.put([1, 2, 3], at: scratch.store + "/data.mdb")
        _ = try rebuild(scratch.store)
        #expect(differences(rows, try storedRows(scratch.store)) == [])
        try expectClean(scratch.store)
        // A base that is damaged, and one that is gone.
        let base = scratch.store + "/base/data.mdb"
        let whole = try Scratch.bytes(of: base)
        try Scratch.put(Array(whole[..<(whole.count / 2)]), at: base)
        try expectDamage(scratch.store)
        unlink(base)
        try expectDamage(scratch.store)
        try Scratch.put(whole, at: base)
        _ = try rebuild(scratch.store)
        try expectClean(scratch.store)
    }

    @Test func `a journal with rot in it is not believed, and nothing is changed`() throws {
        let scratch = try Scratch()
        _ = try made(scratch)
        // The proof of the last group is no part of it: a sound journal is believed without.
        let files = try journalFiles(scratch.store).filter { $0.key.hasSuffix(".segment") }
        for (name, bytes) in files where bytes.contains(where: { $0 != 0 }) {
            let path = "\(scratch.store)/journal/\(name)"
            let end = try #require(bytes.lastIndex { $0 != 0 })
            for place in [40, end / 2, end] {
                var bad = bytes
                bad[place] ^= 0x10
                // What stands behind the last entry is no part of a group.
                guard place < end || name == files.keys.max() else { continue }
                try Scratch.put(bad, at: path)
                try expectDamage(scratch.store)
            }
            try Scratch.put(bytes, at: path)
        }
        let views = try Scratch.bytes(of: scratch.store + "/data.mdb")
        _ = try rebuild(scratch.store)
        let kept = Scratch.names(in: scratch.store).filter { $0.contains("before-rebuild") }
        #expect(kept.count == 1)
        #expect(try Scratch.bytes(of: "\(scratch.store)/\(kept.first ?? "")") == views)
    }

    @Test func `a crash at any step leaves views that serve or that can be rebuilt`() throws {
        let scratch = try Scratch()
        let rows = try made(scratch)
        try Scratch.put([9, 9, 9], at: scratch.store + "/data.mdb")
        var steps = 0
        _ = try rebuild(scratch.store) { step in
            steps += 1
            do {
                let copy = scratch.path + "/crashed"
                try Scratch.copyStore(scratch.store, to: copy)
                for place in ["/compacting", "/compacting/scratch-12-34"] {
                    mkdir(copy + place, 0o700)
                    for name in Scratch.names(in: scratch.store + place)
                    where name.hasPrefix("data") {
                        let from = "\(scratch.store)\(place)/\(name)"
                        try Scratch.put(try Scratch.bytes(of: from), at: "\(copy)\(place)/\(name)")
                    }
                }
                if step != .replaced {
                    #expect(isDamage(failure { _ = try open(copy) }), "\(step)")
                    _ = try rebuild(copy)
                }
                try open(copy, source: WholeStore.shop()).stop()
                #expect(!Scratch.names(in: copy).contains("compacting"), "\(step)")
                #expect(differences(rows, try storedRows(copy)) == [], "\(step)")
            } catch {
                Issue.record("\(step): \(error)")
            }
        }
        #expect(steps == 3)
        #expect(!Scratch.names(in: scratch.store).contains("compacting"))
    }

    @Test func `a directory in which somebody works is left alone`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        try ledger.order(try registration(0))
        do {
            _ = try rebuild(scratch.store)
            Issue.record("rebuilt under a daemon")
        } catch let failure as CompactionFailure {
            guard case .ledger(.busy(getpid())) = failure else {
                Issue.record("\(failure)")
                return
            }
        }
    }
}
