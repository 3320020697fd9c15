extension Base64 {
    /// The bytes of URL-safe base64 without padding; nil for anything else.
    package static func urlBytes(_ text: String) -> [UInt8]? {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isPlain else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        return bytes(standard + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}
