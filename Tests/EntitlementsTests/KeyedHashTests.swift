import Entitlements
import Testing

/// The marks of erased persons, and what stands in the place of their names.
struct KeyedHashTests {
    private let key = HashKey(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)

    /// The first vectors of the reference implementation, and one of more than a word.
    @Test func `the hash is SipHash-2-4 with 128 bits`() {
        let vectors: [(count: Int, bytes: [UInt8])] = [
            (
                0,
                [
                    0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6, 0x6d, 0xf6, 0x72, 0x14, 0xc7,
                    0x55, 0x02, 0x93,
                ]
            ),
            (
                1,
                [
                    0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44, 0x34, 0x76, 0x59, 0x11, 0x9b,
                    0x22, 0xfc, 0x45,
                ]
            ),
        ]
        for (count, expected) in vectors {
            let mark = key.hash((0..<count).map { UInt8($0) })
            let bytes = [mark.low, mark.high]
                .flatMap { half in
                    (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) }
                }
            #expect(bytes == expected)
        }
    }

    @Test func `a pseudonym is as long as the name or longer, and nobody's id`() throws {
        for name in ["a", "user-1", "dée", String(repeating: "x", count: 256)] {
            let user = try #require(UserID(name))
            let pseudonym = key.pseudonym(of: user)
            #expect(pseudonym.bytes.count == max(user.bytes.count, 16))
            #expect(UserID(pseudonym.bytes) == nil)
            #expect(UserID(pseudonym: pseudonym.bytes) == pseudonym)
            #expect(key.pseudonym(of: user) == pseudonym)
        }
        let user = try #require(UserID("someone"))
        #expect(
            key.ofErasure(at: 1).pseudonym(of: user) != key.ofErasure(at: 2).pseudonym(of: user)
        )
        #expect(UserID(pseudonym: user.bytes) == nil)
        #expect(UserID(pseudonym: []) == nil)
    }

    /// Ids of a few digits are common; in a journal two persons with one pseudonym would be one.
    @Test func `no two short names have one pseudonym`() {
        let names = (0..<1000).map { String($0) }
        let users = names.compactMap { UserID($0) }.map { key.pseudonym(of: $0) }
        #expect(Set(users).count == names.count)
        let ids = names.map { key.pseudonym(ofStoreID: Array($0.utf8)) }
        #expect(Set(ids).count == names.count)
        #expect(key.pseudonym(ofStoreID: []).isEmpty)
    }

    @Test func `marks of different kinds of names differ`() throws {
        let token = try #require(Token("c0ffee00-1234-4bcd-8abc-0123456789ab"))
        let user = try #require(UserID(token.description))
        #expect(key.mark(of: .token(token)) != key.mark(of: .user(user)))
        #expect(HashKey(1, 2).mark(of: .user(user)) != HashKey(1, 3).mark(of: .user(user)))
    }
}
