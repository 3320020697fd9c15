import Entitlements
import JSON
import Methods
import Testing

@testable import Outbox

/// How far an outbox is, on disk; and what its posts are signed with.
@Suite struct OutboxRecordTests {
    @Test func `a record is read as it was written`() throws {
        let bob = try #require(UserID("bob"))
        var record = OutboxRecord(through: 4_711)
        record.retelling = .sinceCatalog(7)
        (record.retellings, record.retries) = (3, 4)
        record.waiting = [
            .init(
                id: LetterID("msg_1"),
                seq: 4_700,
                heldUntil: Moment(5),
                begun: Moment(6),
                failures: 2,
                refusals: 1,
                next: Moment(7),
                erased: nil,
                again: nil
            ),
            .init(
                id: LetterID("msg_2"),
                seq: 4_701,
                heldUntil: nil,
                begun: nil,
                failures: 0,
                refusals: 0,
                next: nil,
                erased: bob,
                again: nil
            ),
            .init(
                id: LetterID("msg_3"),
                seq: 4_702,
                heldUntil: nil,
                begun: nil,
                failures: 0,
                refusals: 0,
                next: nil,
                erased: nil,
                again: 4
            ),
        ]
        record.parked = [Letter.Origin.journal, .state(3), .again(4), .erasure]
            .map {
                .init(
                    id: LetterID("msg_4"),
                    seq: 9,
                    ordinal: 1,
                    at: Moment(8),
                    failure: "no",
                    origin: $0
                )
            }
        record.parkedBefore = 3
        let bytes = record.bytes
        let read = try #require(OutboxRecord(bytes))
        #expect(read.bytes == bytes)
        #expect(read.salt == record.salt && read.through == 4_711)
        #expect(read.retelling == .sinceCatalog(7))
        #expect(read.retellings == 3 && read.retries == 4)
        #expect(read.waiting.map(\.refusals) == [1, 0, 0])
        #expect(read.waiting.map(\.erased) == [nil, bob, nil])
        #expect(read.waiting.map(\.again) == [nil, nil, 4])
        #expect(read.waiting.map(\.isChange) == [true, false, false])
        #expect(read.parked.map(\.origin) == [.journal, .state(3), .again(4), .erasure])
        for retelling in [OutboxRecord.Retelling.nothing, .everything] {
            record.retelling = retelling
            #expect(OutboxRecord(record.bytes)?.retelling == retelling)
        }
    }

    @Test func `a record of an older release is read`() throws {
        let text = """
            {"version":1,"salt":"c2FsdA==","through":9,"retelling":null,"waiting":[],
            "parked":[{"id":"msg_1","seq":7,"at":8,"failure":"no"}],"parkedBefore":0}
            """
        let record = try #require(OutboxRecord(Array(text.utf8)))
        #expect(record.retellings == 0 && record.retries == 0)
        #expect(record.parked.map(\.origin) == [.journal])
    }

    @Test func `what is no record is none`() {
        let whole = String(decoding: OutboxRecord(through: 1).bytes, as: UTF8.self)
        #expect(OutboxRecord(Array(whole.utf8)) != nil)
        for text in [
            "", "{}", "[]", String(whole.dropLast()),
            whole.replacing("\"version\":1", with: "\"version\":2"),
            whole.replacing("\"through\":1", with: "\"through\":-1"),
            whole.replacing("\"waiting\":[]", with: "\"waiting\":[{}]"),
            whole.replacing(
                "\"waiting\":[]",
                with: "\"waiting\":[{\"id\":\"a\",\"seq\":0,\"failures\":0}]"
            ),
            whole.replacing("\"retelling\":null", with: "\"retelling\":\"all\""),
            whole.replacing("\"retellings\":0", with: "\"retellings\":-1"),
            whole.replacing(
                "\"parked\":[]",
                with: #""parked":[{"id":"a","seq":1,"at":1,"failure":"no","origin":"state"}]"#
            ),
        ] { #expect(OutboxRecord(Array(text.utf8)) == nil, "\(text)") }
    }

    /// The example of the specification's libraries.
    @Test func `the signature is that of Standard Webhooks`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = secret.signature(
            of: Array(#"{"test": 2432232314}"#.utf8),
            id: LetterID("msg_p5jXN8AQM9LWM0D4loKWxJek"),
            seconds: 1_614_265_330
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `a secret has a mark, base64, and 24 to 64 bytes`() {
        let long = "whsec_" + Base64.text([UInt8](repeating: 7, count: 64))
        #expect(WebhookSecret(long) != nil)
        for text in [
            "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_MfKQ",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS", "whsec_*fKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_" + Base64.text([UInt8](repeating: 7, count: 65)),
        ] { #expect(WebhookSecret(text) == nil, "\(text)") }
        #expect(WebhookSecret.all(in: Array("\(long)\n\(long)\n".utf8))?.count == 2)
        #expect(WebhookSecret.all(in: Array("\(long)\r\n".utf8))?.count == 1)
        #expect(WebhookSecret.all(in: Array("\n".utf8)) == nil)
        #expect(WebhookSecret.all(in: Array("\(long)\nsecret\n".utf8)) == nil)
    }
}
