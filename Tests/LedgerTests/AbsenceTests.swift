import Entitlements
import Glibc
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// What is decided because a row is not found, while the pages that should lead to it rot.
struct AbsenceTests {
    private static let users = 400

    /// Where a byte of a page in use leads look-ups: the offsets and the keys of its nodes.
    private func places(_ bytes: [UInt8]) -> [(what: String, offset: Int)] {
        func u16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
        var places: [(String, Int)] = []
        for page in stride(from: 8_192, to: bytes.count - 4_095, by: 4_096) {
            let flags = u16(page + 10)
            guard flags == 1 || flags == 2, u16(page + 12) >= 16, u16(page + 12) < 4_096 else {
                continue
            }
            for index in 1..<max(2, (u16(page + 12) - 16) / 2) where index % 5 == 1 {
                let node = page + u16(page + 16 + 2 * index)
                guard node + 8 < page + 4_096 else { continue }
                let keyBytes = u16(node + 6)
                guard keyBytes > 0, node + 8 + keyBytes <= page + 4_096 else { continue }
                let kind = flags == 1 ? "branch" : "leaf"
                places.append(("\(kind), offset of node \(index)", page + 16 + 2 * index))
                places.append(("\(kind), key of node \(index)", node + 8 + keyBytes - 1))
            }
        }
        return places
    }

    @Test
    func `who is registered stays so while pages rot under the writer, or nothing is decided`()
        throws
    {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        func known(_ number: Int, created: Bool) throws -> Outcome {
            .registered(token: try token(number), created: created, credits: 3)
        }
        for number in 0..<Self.users { try ledger.order(try registration(number)) }
        try ledger.checkpointer.settle()
        let path = scratch.store + "/data.mdb"
        let places = places(try Scratch.bytes(of: path))
        #expect(places.count > 20)
        let descriptor = Glibc.open(path, O_RDWR)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let before = ledger.figures.seq
        var refused = 0
        for place in places {
            var byte: UInt8 = 0
            #expect(pread(descriptor, &byte, 1, place.offset) == 1)
            var bad = byte ^ 0x02
            #expect(pwrite(descriptor, &bad, 1, place.offset) == 1)
            for number in stride(from: 0, to: Self.users, by: 7) {
                switch try ledger.say(try registration(number)) {
                case .success(let receipt):
                    #expect(try receipt.outcome == known(number, created: false), "\(place.what)")
                case .failure(let failure):
                    #expect(isDamage(failure), "\(place.what): \(failure)")
                    refused += 1
                }
                do {
                    #expect(try ledger.account(try user("user \(number)")) != nil, "\(place.what)")
                } catch {
                    #expect(isDamage(error as? LedgerFailure), "\(place.what): \(error)")
                }
            }
            #expect(pwrite(descriptor, &byte, 1, place.offset) == 1)
        }
        #expect(refused > 0)
        #expect(ledger.figures.seq == before, "nobody was registered twice")
        let new = try ledger.order(try registration(Self.users)).outcome
        #expect(try new == known(Self.users, created: true))
    }
}
