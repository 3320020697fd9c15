import Testing

@testable import JSON

/// Base64 has one text for every byte string, and no other text means anything.
struct Base64Tests {
    private static let url = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    @Test func `the vectors of RFC 4648 decode`() {
        for (text, bytes) in [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"), ("Zm9vYmFy", "foobar"),
        ] {
            #expect(decoded(text, .standard) == Array(bytes.utf8))
            #expect(decoded(text.replacing("=", with: ""), .url) == Array(bytes.utf8))
            #expect(Base64.text(Array(bytes.utf8)) == text)
            #expect(Base64.urlText(Array(bytes.utf8)) == text.replacing("=", with: ""))
        }
        #expect(decoded("+/+/", .standard) == [0xfb, 0xff, 0xbf])
        #expect(decoded("-_-_", .url) == [0xfb, 0xff, 0xbf])
        #expect(Base64.text([0xfb, 0xff, 0xbf]) == "+/+/")
        #expect(Base64.urlText([0xfb, 0xff, 0xbf]) == "-_-_")
    }

    @Test func `of two or three digits just so many are accepted as there are bytes`() {
        var seen: Set<[UInt8]> = []
        for first in Self.url {
            for second in Self.url {
                if let bytes = Base64.decoded([first, second], .url) { seen.insert(bytes) }
            }
        }
        #expect(seen.count == 256)
        var count = 0
        for second in Self.url {
            for third in Self.url
            where Base64.decoded([UInt8(ascii: "Q"), second, third], .url) != nil {
                count += 1
            }
        }
        #expect(count == 1 << 10)
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=", "AA==", "AAA=", "====", "AAAA=", "AAAA====", "A A", "AAA\n", "+AAA",
        "/AAA", "AB", "AAB", "AAAAé", "AAAA\0AAA",
    ])
    func `anything else is refused in segments`(text: String) {
        #expect(decoded(text, .url) == nil)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AA=", "A===", "====", "=AAA", "AAAA====", "AB==", "AAB=", "AA=A", "-AAA",
        "_AAA", "AAAA\n", " AAAA", "AA==AAAA",
    ])
    func `anything else is refused in certificates`(text: String) {
        #expect(decoded(text, .standard) == nil)
    }

    @Test func `every byte that is no digit is refused at every place`() {
        for byte in UInt8.min...UInt8.max where !Self.url.contains(byte) {
            for count in 4...7 where count != 5 {
                for place in 0..<count {
                    var text = [UInt8](repeating: UInt8(ascii: "A"), count: count)
                    text[place] = byte
                    #expect(Base64.decoded(text[...], .url) == nil)
                }
            }
        }
    }

    private func decoded(_ text: String, _ alphabet: Base64.Alphabet) -> [UInt8]? {
        Base64.decoded(Array(text.utf8)[...], alphabet)
    }
}
