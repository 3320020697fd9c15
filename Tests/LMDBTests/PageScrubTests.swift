import Glibc
import LMDB
import TestSupport
import Testing

/// Pages of an open store are compared with their sums as the file has them.
@Suite struct PageScrubTests {
    /// Reads everything, a few pages at a time; answers how many bytes it compared.
    private func readAll(_ environment: Environment) throws -> Int {
        var (next, bytes): (Int?, Int) = (2, 0)
        while let start = next {
            let piece = try environment.comparePages(from: start, bytesMax: 5 * 4_096)
            #expect(piece.bytes <= 5 * 4_096)
            (next, bytes) = (piece.next, bytes + piece.bytes)
        }
        return bytes
    }

    @Test func `a flipped bit of any page in use is found, and one put back is not`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.fill(table, count: 400)
        // Leaves free pages behind, and a list of them.
        try environment.fill(table, count: 200, bytes: 90)
        let whole = try readAll(environment)
        #expect(whole > 10 * 4_096)
        let path = scratch.store + "/data.mdb"
        let bytes = try Scratch.bytes(of: path)
        let descriptor = open(path, O_WRONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var found = 0
        for number in 2..<bytes.count / 4_096 {
            let place = number * 4_096 + 4_000
            var byte = bytes[place] ^ 8
            #expect(pwrite(descriptor, &byte, 1, place) == 1)
            if case .damaged(let what) = failure({ _ = try readAll(environment) }) {
                #expect(what.hasSuffix("data.mdb: page \(number) is not what was written"))
                found += 1
            }
            byte = bytes[place]
            #expect(pwrite(descriptor, &byte, 1, place) == 1)
        }
        // Every page that was compared, and no other.
        #expect(found * 4_096 == whole)
        #expect(try readAll(environment) == whole)
        environment.close()
    }

    @Test func `what is written meanwhile is no damage`() throws {
        let scratch = try Scratch()
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        for round in 0..<40 {
            try environment.fill(table, from: round * 20, count: 200, bytes: 60 + round)
            var next: Int? = 2
            while let start = next {
                next = try environment.comparePages(from: start, bytesMax: 3 * 4_096).next
                try environment.fill(table, from: start % 600, count: 3)
            }
        }
        environment.close()
    }
}
