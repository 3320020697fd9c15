import Entitlements
import Testing

@Suite struct ValueTests {
    static let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test(arguments: [uuid, uuid.uppercased(), "0F8fad5b-D9cb-469f-a165-70867728950E"])
    func `a token is read in any case and written in lower case`(_ text: String) throws {
        let token = try #require(Token(text))
        #expect(token.description == Self.uuid)
        #expect(token.high == 0x0f8f_ad5b_d9cb_469f)
        #expect(token.low == 0xa165_7086_7728_950e)
        #expect(token == Token(Self.uuid))
    }

    @Test(arguments: [
        "", "0f8fad5b", "0f8fad5bd9cb469fa16570867728950e", "{\(uuid)}", " \(uuid)", "\(uuid) ",
        "0f8fad5b-d9cb-469f-a165-70867728950g", "0f8fad5bd-9cb-469f-a165-70867728950e",
        "0f8fad5b-d9cb-469f-a165-70867728950", "0f8fad5b_d9cb_469f_a165_70867728950e",
        "00000000-0000-0000-0000-000000000000", "0f8fad5b-d9cb-469f-a165-7086772895é",
    ])
    func `what is no token is none`(_ text: String) {
        #expect(Token(text) == nil)
    }

    @Test func `tokens are sorted by their bytes`() {
        let texts = [
            "00000000-0000-0000-0000-000000000001", "00000000-0000-0001-0000-000000000000",
            "7fffffff-ffff-ffff-0000-000000000000", "80000000-0000-0000-0000-000000000000",
        ]
        let tokens = texts.compactMap { Token($0) }
        #expect(tokens.shuffled().sorted().map(\.description) == texts)
    }

    @Test(arguments: [
        "a", "alice@example.com", "Ünïcödé", "\u{65}\u{301}", "with space", "🦉",
        String(repeating: "a", count: 256), String(repeating: "é", count: 128), "\u{200b}",
        "1234567\u{a0}", "12345678\u{bf}", "user-é-0123456789",
    ])
    func `a user id is text without control characters`(_ text: String) throws {
        let user = try #require(UserID(text))
        #expect(user.description.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: [
        "", "a\u{0}b", "a\nb", "\t", "a\u{7f}", "a\u{85}b", String(repeating: "a", count: 257),
        String(repeating: "é", count: 129), "1234567\u{7f}", "12345678\u{1}", "1234567\u{9f}8",
        "123456\u{80}",
    ])
    func `what is no user id is none`(_ text: String) {
        #expect(UserID(text) == nil)
    }

    @Test(arguments: [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0x61, 0x80]])
    func `bytes that are not UTF-8 are no user id`(_ bytes: [UInt8]) {
        #expect(UserID(bytes) == nil)
    }

    @Test func `user ids are compared byte by byte`() {
        #expect(UserID("é") != UserID("\u{65}\u{301}"))
        #expect(UserID("Alice") != UserID("alice"))
        #expect(Sample.user("a") < Sample.user("aa"))
        #expect(Sample.user("B") < Sample.user("a"))
    }

    @Test(arguments: [
        (uuid, uuid), (uuid.uppercased(), uuid), ("Alice", "Alice"), ("ABCDEF", "ABCDEF"),
        ("0F8FAD5B-D9CB-469F-A165-70867728950G", "0F8FAD5B-D9CB-469F-A165-70867728950G"),
        ("0F8FAD5B_D9CB-469F-A165-70867728950E", "0F8FAD5B_D9CB-469F-A165-70867728950E"),
        ("0F8FAD5BD-9CB-469F-A165-70867728950E", "0F8FAD5BD-9CB-469F-A165-70867728950E"),
        ("0F8FAD5B-D9CB-469F-A165-708677289É", "0F8FAD5B-D9CB-469F-A165-708677289É"),
        ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000"),
    ])
    func `where ids are tokens a UUID is kept in lower case, and nothing else is`(
        _ text: String,
        _ kept: String
    ) throws {
        var source = Policy.Source()
        let user = Sample.user(text)
        #expect(user.folded(under: Policy(source)) == user)
        source.userIDIsToken = true
        #expect(user.folded(under: Policy(source)) == Sample.user(kept))
        user.bytes.withUnsafeBytes { bytes in
            UserID.withFolding(of: bytes) { folded in
                #expect(Array(folded) == Array(kept.utf8))
                // Only what changes is copied.
                #expect((folded.baseAddress == bytes.baseAddress) == (text == kept))
            }
        }
    }

    @Test func `moments stay at the ends of time`() {
        #expect(Moment.distantFuture.advanced(byMilliseconds: 1) == .distantFuture)
        #expect(Moment.distantPast.advanced(byMilliseconds: -1) == .distantPast)
        #expect(Moment(1).advanced(byMilliseconds: .max) == .distantFuture)
        #expect(Moment(-2).advanced(byMilliseconds: .min) == .distantPast)
        #expect(Moment(5).advanced(byMilliseconds: -7) == Moment(-2))
    }

    @Test func `a numbering gives each name one number for good`() {
        var numbering = Numbering(names: ["a", "b"])
        #expect(numbering.number(of: "b") == 1)
        #expect(numbering.number(of: "c") == 2)
        #expect(numbering.number(of: "a") == 0)
        #expect(numbering.names == ["a", "b", "c"])
        #expect(numbering.existingNumber(of: "c") == 2)
        #expect(numbering.existingNumber(of: "d") == nil)
        #expect(Numbering(names: numbering.names) == numbering)
        #expect(numbering.number(of: Numbering.planName("a")) == 3)
    }

    @Test func `transaction ids compare as numbers do`() {
        let ids = ["9", "10", "99", "100", "2000000000000001", "a000000000000001"]
        #expect(ids.shuffled().sorted(by: TransactionFact.precedes) == ids)
        #expect(!TransactionFact.precedes("9", "9"))
    }

    @Test func `of two versions the later signed is newer, then the greater digest`() {
        #expect(Sample.version(1, 9) < Sample.version(2, 1))
        #expect(Sample.version(1, 1) < Sample.version(1, 2))
        let bytes = [UInt8](repeating: 0, count: 31) + [5]
        #expect(Digest256(bytes: bytes) == Sample.digest(5))
        #expect(Sample.digest(9) < Digest256(0, 0, 1, 0))
        #expect(Digest256(0, 9, 0, 0) < Digest256(1, 0, 0, 0))
    }
}
