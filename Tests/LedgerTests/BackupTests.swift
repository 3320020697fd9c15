import Entitlements
import Glibc
import TestSupport
import Testing

@testable import Ledger

/// A backup is a data directory, whole or not there.
struct BackupTests {
    private func backUp(_ ledger: Ledger, to path: String) throws -> (BackupReport, [String]) {
        var files: [String] = []
        let report = try ledger.backup(to: path) { (file) throws(BackupFailure) in
            files.append(file)
        }
        return (report, files)
    }

    private func failure(of body: () throws -> Void) -> BackupFailure? {
        do {
            try body()
            return nil
        } catch {
            return error as? BackupFailure
        }
    }

    @Test func `a backup opens as a ledger with the same rows, and goes on from there`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let copy = scratch.path + "/copy"
        let before: StoredRows
        do {
            let ledger = try open(scratch.store, source: WholeStore.shop())
            // Behind the ends of the leases, which a start puts in the queue.
            try ledger.order(try registration(80))
            before = try ledger.storedRows()
            let (report, files) = try backUp(ledger, to: copy)
            // An alarm may have gone off since.
            #expect(report.seq <= ledger.figures.seq)
            #expect(files.map { String($0.split(separator: "/").last ?? "") }.first == "data.mdb")
            #expect(files.count > 1)
            ledger.stop()
        }
        #expect(Scratch.names(in: copy) == ["data.mdb", "data.sums", "journal"])
        var status = stat()
        #expect(stat(copy, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(copy + "/data.mdb", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(differences(before, try storedRows(copy)) == [])
        try expectClean(copy)
        let ledger = try open(copy, source: WholeStore.shop())
        try ledger.order(try registration(90))
        #expect(try ledger.account(try user("user 90")) != nil)
        ledger.stop()
        try expectClean(copy)
    }

    @Test func `a backup under writes is one moment of them`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        for number in 0..<20 { try ledger.order(try registration(number)) }
        for round in 0..<5 {
            for number in 0..<200 {
                ledger.submit(try registration(1_000 * round + number)) { _ in }
            }
            let copy = scratch.path + "/copy\(round)"
            let (report, _) = try backUp(ledger, to: copy)
            let found = try expectClean(copy)
            #expect(found.applied == report.seq)
            #expect(report.seq >= 20)
        }
        ledger.stop()
    }

    @Test func `what is there already is not touched`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        try ledger.order(try registration(0))
        for path in [scratch.store, scratch.path + "/file", scratch.path + "/dangling"] {
            if path.hasSuffix("file") { try Scratch.put([1], at: path) }
            if path.hasSuffix("dangling") { #expect(symlink("/nowhere", path) == 0) }
            #expect(failure { _ = try backUp(ledger, to: path) } == .exists)
        }
        let missing = failure { _ = try backUp(ledger, to: scratch.path + "/no/copy") }
        #expect(missing == .unwritable(errno: ENOENT))
        #expect(Scratch.names(in: scratch.path) == ["dangling", "file", "store"])
        ledger.stop()
    }

    @Test func `a full disk leaves nothing behind`() throws {
        let scratch = try Scratch()
        guard let disk = try SmallDisk(bytes: 8 << 20) else { return }
        let ledger = try open(scratch.store)
        try ledger.order(try registration(0))
        var made = 0
        for room in stride(from: 4_096, through: 2 << 20, by: 64 << 10) {
            disk.empty()
            try disk.fill(leaving: room)
            let failure = failure { _ = try backUp(ledger, to: disk.path + "/copy") }
            if let failure {
                #expect(failure == .ledger(.storageFull), "with \(room) bytes")
                #expect(Scratch.names(in: disk.path) == ["ballast"], "with \(room) bytes")
            } else {
                made += 1
                try expectClean(disk.path + "/copy")
                Scratch.remove(disk.path + "/copy")
            }
        }
        #expect(made > 0)
        ledger.stop()
    }

    @Test func `a file that cannot be shown leaves nothing behind`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        try ledger.order(try registration(0))
        let failure = failure {
            _ = try ledger.backup(to: scratch.path + "/copy") { (_) throws(BackupFailure) in
                throw .unwritable(errno: EIO)
            }
        }
        #expect(failure == .unwritable(errno: EIO))
        #expect(Scratch.names(in: scratch.path) == ["store"])
        ledger.stop()
    }
}
