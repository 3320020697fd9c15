import Signatures
import Testing

@Suite struct `Message authentication` {
    /// RFC 4231, sections 4.2, 4.3 and 4.7, and what Stripe's own tests expect of its libraries.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            Array("test_secret".utf8), "",
            "f7f9bd47fb987337b5796fdc1fdb9ba221d0d5396814bfcaf9521f43fd8927fd"
        ),
        (
            Array("test_secret".utf8), #"{"obj1":"hello","obj2":"world"}"#,
            "bebb1a643997f419b315ddba19e6f5411e1ce7f810ba6d3617ce72823092f363"
        ),
        (
            Array("test_secret".utf8), "\u{1F600}",
            "837da296d05c4fe31f61d5d7ead035099d9585a5bcde87de952012a78f0b0c43"
        ),
    ])
    func `the codes are those that others have published`(
        key: [UInt8],
        message: String,
        wanted: String
    ) {
        let code = MessageAuthentication.sha256(of: Array(message.utf8), key: key)
        let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digits == wanted)
    }

    @Test func `an empty key is a key like others`() {
        let message = Array("a".utf8)
        let empty = MessageAuthentication.sha256(of: message, key: [])
        // Keys are filled up with zeros.
        #expect(empty == MessageAuthentication.sha256(of: message, key: [0]))
        #expect(empty != MessageAuthentication.sha256(of: message, key: [1]))
    }

    @Test func `only the same bytes are equal`() {
        let code = MessageAuthentication.sha256(of: [1], key: [2])
        #expect(MessageAuthentication.areEqual(code, code))
        #expect(MessageAuthentication.areEqual([], []))
        #expect(!MessageAuthentication.areEqual(code, Array(code.dropLast())))
        for place in code.indices {
            var other = code
            other[place] ^= 1
            #expect(!MessageAuthentication.areEqual(code, other))
        }
    }
}
