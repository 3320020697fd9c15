import Glibc
import LMDB
import TestSupport
import Testing

/// Finds the descriptors by which this process has a file open.
enum Descriptors {
    static func open(at path: String) -> [Int32] {
        Scratch.names(in: "/proc/self/fd").compactMap { Int32($0) }
            .filter { candidate in
                var name = [CChar](repeating: 0, count: 4096)
                let count = readlink("/proc/self/fd/\(candidate)", &name, name.count - 1)
                guard count > 0 else { return false }
                return String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
                    == path
            }
    }
}

/// Disks that are full, and disks that fail.
@Suite struct DiskTests {
    @Test func `on a full disk reads go on, and writes resume when space returns`() throws {
        guard let disk = try SmallDisk(bytes: 8 << 20) else { return }
        let store = disk.path + "/store"
        let environment = try Environment.open(directory: store, options: options)
        let table = try environment.table("things")
        try environment.fill(table, count: 1_000)
        for round in 0..<20 {
            try disk.fill(leaving: round * 1_000)
            var refused: LMDBFailure?
            var number = 2_000
            while refused == nil, number < 200_000 {
                refused = failure { try environment.fill(table, from: number, count: 500) }
                if refused == nil { number += 500 }
            }
            #expect(refused == .diskFull)
            #expect(try environment.value(key(999), in: table)?.count == 100)
            #expect(try environment.value(key(number), in: table) == nil)
            let reader = try PooledReader(environment)
            try reader.renew()
            #expect(try reader.entryCount(of: table) >= 1_000)
            disk.empty()
            try environment.fill(table, from: 1_000 + round, count: 1)
            #expect(try environment.value(key(1_000 + round), in: table)?.count == 100)
            try environment.write { transaction in
                for extra in 2_000..<number { _ = try transaction.delete(key(extra), in: table) }
            }
        }
        environment.close()
        try Environment.inspect(directory: store)
    }

    @Test func `opening on a full disk is refused, with and without a lock file`() throws {
        guard let disk = try SmallDisk(bytes: 4 << 20) else { return }
        let store = disk.path + "/store"
        do {
            let environment = try Environment.open(directory: store, options: options)
            let table = try environment.table("things")
            try environment.fill(table, count: 1_000)
        }
        try disk.fill()
        for missing in [false, true] {
            if missing { unlink(store + "/lock.mdb") }
            let found = failure {
                _ = try Environment.open(directory: store, options: options)
            }
            #expect(found == .noSpaceFloor(freeBytes: missing ? 36_864 : 0))
        }
        let new = failure {
            _ = try Environment.open(directory: disk.path + "/new", options: options)
        }
        #expect(new != nil)
        disk.empty()
        let environment = try Environment.open(directory: store, options: options)
        let table = try environment.table("things")
        #expect(try environment.value(key(999), in: table)?.count == 100)
    }

    @Test func `a copy that does not fit leaves nothing`() throws {
        guard let disk = try SmallDisk(bytes: 4 << 20) else { return }
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let things = try environment.table("things")
        try environment.fill(things, count: 60_000)
        let found = failure {
            try environment.copy(["things": things], to: disk.path + "/data.mdb")
        }
        #expect(found == .diskFull)
        #expect(Scratch.names(in: disk.path).isEmpty)
        #expect(try environment.info().readersActive == 0)
    }

    @Test func `a failed meta write poisons the environment for good`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.fill(table, count: 10)
        // LMDB writes meta pages through a descriptor of its own, the one with O_DSYNC.
        let meta = try #require(
            Descriptors.open(at: scratch.store + "/data.mdb")
                .first {
                    fcntl($0, F_GETFL) & O_DSYNC != 0
                }
        )
        let full = Glibc.open("/dev/full", O_RDWR)
        try #require(dup2(full, meta) == meta)
        close(full)
        #expect(isPoisoned(failure { try environment.fill(table, count: 20) }))
        #expect(isPoisoned(failure { try environment.fill(table, count: 20) }))
        environment.close()
        let again = try Environment.open(directory: scratch.store, options: options)
        #expect(try again.value(key(9), in: again.table("things"))?.count == 100)
    }

    @Test func `LMDB's codes have their meaning`() {
        #expect(LMDBFailure(code: ENOSPC, attempt: "") == .diskFull)
        #expect(LMDBFailure(code: EDQUOT, attempt: "") == .diskFull)
        #expect(isPoisoned(LMDBFailure(code: EIO, attempt: "")))
        #expect(isPoisoned(LMDBFailure(code: -30795, attempt: "")))
        #expect(isDamage(LMDBFailure(code: -30796, attempt: "")))
        #expect(isDamage(LMDBFailure(code: -30797, attempt: "")))
        #expect(LMDBFailure(code: -30788, attempt: "") == .transactionFull)
        #expect(LMDBFailure(code: EACCES, attempt: "x") == .denied(errno: EACCES, path: "x"))
    }
}
