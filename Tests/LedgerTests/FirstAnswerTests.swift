import Chance
import Entitlements
import Testing

@testable import Ledger

/// First answers in as few bytes as it takes: there is one for each charge of the last 30 days.
struct FirstAnswerTests {
    private func bytes(_ first: Settlement) -> [UInt8] {
        ByteWriter.bytes { $0.firstAnswer(first) }
    }

    private func read(_ bytes: [UInt8]) throws -> Settlement {
        var reader = ByteReader(bytes)
        let first = try reader.firstAnswer()
        guard reader.isAtEnd else { throw Malformed() }
        return first
    }

    private func answers(_ maker: inout RecordMaker) -> [Settlement.Answer] {
        let remaining = maker.integer()
        let parts = maker.list(0..<4) { $0.bucket() }
        return [
            .granted, .credited(remaining: remaining), .insufficient(remaining: remaining),
            .consumed(remaining: remaining, parts: parts, isReversed: false),
            .consumed(remaining: remaining, parts: parts, isReversed: true),
            .reserved(remaining: remaining), .reversed(remaining: remaining),
            .nothingReversed(remaining: remaining),
        ]
    }

    @Test func `each reads back as it was written; cut anywhere, or longer, it is malformed`()
        throws
    {
        var maker = RecordMaker(random: .told())
        for _ in 0..<60 {
            for answer in answers(&maker) {
                let at = maker.moment()
                let first = Settlement(
                    fingerprint: Digest128(maker.digest()),
                    seq: maker.random.next() >> UInt64(maker.random.pick(64)),
                    at: at,
                    now: maker.random.chance() ? maker.moment() : nil,
                    answer: answer
                )
                let written = bytes(first)
                #expect(try read(written) == first)
                for count in 0..<written.count {
                    #expect(throws: Malformed.self) { try read(Array(written[..<count])) }
                }
                #expect(throws: Malformed.self) { try read(written + [0]) }
            }
        }
    }

    @Test func `a number is written in one way alone`() throws {
        let first = Settlement(fingerprint: Digest128(1, 2), seq: 5, at: Moment(0))
        var longer = bytes(first)
        #expect(longer[16] == 5)
        longer.replaceSubrange(16...16, with: [0x85, 0])
        #expect(throws: Malformed.self) { try read(longer) }
        longer.replaceSubrange(16...17, with: Array(repeating: 0xFF, count: 10) + [1])
        #expect(throws: Malformed.self) { try read(longer) }
    }

    @Test func `the row of a charge has no byte that says nothing`() throws {
        let user = try user("5eed5eed-0000-4000-8000-000000000001")
        let key = IdempotencyKey(user: user, digest: digest(1))
        let first = Settlement(
            fingerprint: Digest128(digest(2)),
            seq: 100_000_000,
            at: Moment(1_772_000_000_000),
            answer: .consumed(
                remaining: 41,
                parts: [Bucket(source: "free", amount: 1)],
                isReversed: false
            )
        )
        let row = SettlementRow(key: key, record: first)
        #expect(row.keyBytes.count == user.bytes.count + 1 + 16)
        #expect(row.valueBytes.count == 16 + 4 + 6 + 1 + 1 + (1 + 1 + 4 + 1 + 1))
    }
}
