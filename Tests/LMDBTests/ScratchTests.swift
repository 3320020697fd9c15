import Glibc
import LMDB
import TestSupport
import Testing

/// Environments that are thrown away with the process.
struct ScratchTests {
    @Test func `scratch files have no names, hold rows of any number, and are copied like others`()
        throws
    {
        let scratch = try Scratch()
        let copy = scratch.path + "/copy.mdb"
        do {
            let environment = try Environment.scratch(
                in: scratch.path,
                mapSizeBytes: 64 << 20
            )
            #expect(Scratch.names(in: scratch.path) == [])
            let table = try environment.table("t")
            for first in stride(from: 0, to: 20_000, by: 5_000) {
                try environment.write { transaction in
                    for number in first..<first + 5_000 {
                        let key = Array("\(number * 7_919 % 20_000)".utf8)
                        try transaction.put([UInt8](repeating: 1, count: 400), for: key, in: table)
                    }
                }
            }
            #expect(try environment.read { try $0.entryCount(of: table) } == 20_000)
            #expect(Scratch.names(in: scratch.path) == [], "no sums either")
            // More pages than have room for their sums in one page of memory.
            #expect(try environment.info().lastPage > 1_024)
            let compared = try environment.comparePages(from: 0, bytesMax: 64 << 20)
            #expect(compared.bytes == 0 && compared.next == nil)
            try environment.copy(["t": table], to: copy)
        }
        #expect(Scratch.names(in: scratch.path) == ["copy.mdb", "copy.sums"])
    }

    @Test func `two of one process do not meet, and what a crash left is removed`() throws {
        let scratch = try Scratch()
        let first = try Environment.scratch(in: scratch.path, mapSizeBytes: 1 << 20)
        let second = try Environment.scratch(in: scratch.path, mapSizeBytes: 1 << 20)
        let tables = (try first.table("t"), try second.table("t"))
        try first.write { try $0.put([1], for: [1], in: tables.0) }
        #expect(try second.read { try $0.get([1], in: tables.1) } == nil)
        let left = scratch.path + "/scratch-1-2"
        mkdir(left, 0o700)
        try Scratch.put([1], at: left + "/data.mdb")
        mkdir(scratch.path + "/other", 0o700)
        Environment.clearScratch(in: scratch.path)
        #expect(Scratch.names(in: scratch.path) == ["other"])
        try first.write { try $0.put([2], for: [2], in: tables.0) }
    }

    @Test func `its directory is gone, and who gets that directory's number is let in`() throws {
        let scratch = try Scratch()
        for round in 0..<20 {
            let hidden = try Environment.scratch(in: scratch.path, mapSizeBytes: 1 << 20)
            // File systems give the number of a directory that was removed to the next one.
            let place = scratch.path + "/\(round)"
            let named = try Environment.open(directory: place, options: options)
            #expect(hidden.close() && named.close())
        }
    }

    @Test func `a full disk is said`() throws {
        guard let disk = try SmallDisk(bytes: 4 << 20) else { return }
        let environment = try Environment.scratch(in: disk.path, mapSizeBytes: 64 << 20)
        let table = try environment.table("t")
        func fill() throws {
            for number in 0..<400 {
                try environment.write {
                    try $0.put(
                        [UInt8](repeating: 1, count: 20_000),
                        for: Array("\(number)".utf8),
                        in: table
                    )
                }
            }
        }
        do {
            try fill()
            Issue.record("8 MB fitted into 4")
        } catch {
            #expect(error as? LMDBFailure == .diskFull)
        }
    }
}
