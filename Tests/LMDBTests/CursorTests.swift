import LMDB
import TestSupport
import Testing

@Suite struct CursorTests {
    private func opened(_ scratch: Scratch, count: Int) throws -> (Environment, Table) {
        let environment = try Environment.open(directory: scratch.store, options: options)
        let table = try environment.table("things")
        try environment.write { transaction in
            for number in 0..<count {
                try transaction.put([UInt8(number & 255)], for: key(2 * number), in: table)
            }
        }
        return (environment, table)
    }

    @Test func `an empty table has no place to be`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch, count: 0)
        try environment.read { transaction in
            try transaction.withCursor(in: table) { cursor in
                let places = [
                    try cursor.first(), try cursor.last(), try cursor.next(),
                    try cursor.seek(atOrAfter: [0]),
                ]
                #expect(places.allSatisfy { $0 == nil })
            }
        }
    }

    @Test func `a cursor goes through a table in both directions`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch, count: 3_000)
        try environment.read { transaction in
            try transaction.withCursor(in: table) { cursor in
                var forward: [[UInt8]] = []
                var place = try cursor.first()
                while let found = place {
                    forward.append([UInt8](found.key))
                    place = try cursor.next()
                }
                #expect(forward == (0..<3_000).map { key(2 * $0) })
                var back: [[UInt8]] = []
                place = try cursor.last()
                while let found = place {
                    back.append([UInt8](found.key))
                    place = try cursor.previous()
                }
                #expect(back == forward.reversed())
            }
        }
    }

    @Test func `seeking finds the key or the one after it`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch, count: 500)
        try environment.read { transaction in
            try transaction.withCursor(in: table) { cursor in
                for number in 0..<998 {
                    let after = try cursor.seek(atOrAfter: key(number))
                    #expect(after.map { [UInt8]($0.key) } == key(number + number % 2))
                }
                #expect(try cursor.seek(atOrAfter: key(999)) == nil)
            }
        }
    }

    @Test func `a range is deleted under the cursor`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch, count: 1_000)
        let left = try environment.write { transaction in
            try transaction.withCursor(in: table) { cursor in
                var place = try cursor.seek(atOrAfter: key(100))
                while let found = place, [UInt8](found.key).lexicographicallyPrecedes(key(900)) {
                    try cursor.deleteCurrent()
                    place = try cursor.next()
                }
            }
            return try transaction.entryCount(of: table)
        }
        #expect(left == 600)
        #expect(try environment.value(key(98), in: table) != nil)
        #expect(try environment.value(key(100), in: table) == nil)
        #expect(try environment.value(key(898), in: table) == nil)
        #expect(try environment.value(key(900), in: table) != nil)
    }

    @Test func `a reader cannot delete`() throws {
        let scratch = try Scratch()
        let (environment, table) = try opened(scratch, count: 10)
        let refused = failure {
            try environment.read { transaction in
                try transaction.withCursor(in: table) { cursor in
                    _ = try cursor.first()
                    try cursor.deleteCurrent()
                }
            }
        }
        guard case .denied = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
    }
}
