import Forgery
import JSON

/// J-51 to J-57: the signature.
extension HostileSet {
    /// The order of P-256, big-endian.
    package static let order: [UInt8] = [
        0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff,
        0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25,
        0x51,
    ]

    /// `left` minus `right`, as long as they are; wraps around.
    package static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        var borrow = 0
        for place in left.indices.reversed() {
            let digit = Int(left[place]) - Int(right[place]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[place] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }

    mutating func addSignatures() throws {
        let payload = try goodPayload()
        let document = HostileDocument(payload, ders: ders)
        let input = Array(document.input.utf8)
        let pair = try chain.leafKey.pair(over: input)
        let (r, s) = (Array(pair.prefix(32)), Array(pair.suffix(32)))
        for bit in [0, 255, 256, 511] {
            var flipped = pair
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            add("J-51", "bit \(bit) of the signature", text: document.with(flipped))
        }
        let zero = [UInt8](repeating: 0, count: 32)
        let one = Array(zero.dropLast()) + [1]
        let order = Self.order
        let above = Array(order.dropLast()) + [0x52]
        let full = [UInt8](repeating: 0xff, count: 32)
        let rows: [(String, String, [UInt8])] = [
            ("J-52", "DER", try chain.leafKey.signature(over: input, .sha256)),
            ("J-52", "63 bytes", pair.dropLast()), ("J-52", "65 bytes", pair + [0]),
            ("J-52", "no bytes", []), ("J-52", "128 bytes", pair + pair),
            ("J-52", "r and s of 33 bytes", [0] + r + [0] + s), ("J-53", "r is 0", zero + s),
            ("J-53", "s is 0", r + zero), ("J-53", "both are 0", zero + zero),
            ("J-53", "r is n", order + s), ("J-53", "s is n", r + order),
            ("J-53", "both are n", order + order), ("J-53", "r is n + 1", above + s),
            ("J-53", "s is n + 1", r + above), ("J-53", "both are 2^256 - 1", full + full),
            ("J-53", "both are 1", one + one), ("J-55", "r and s exchanged", s + r),
        ]
        for (id, name, signature) in rows { add(id, name, text: document.with(signature)) }
        let malleated = document.with(r + Self.difference(order, s))
        add("J-54", "n - s in the place of s", .applied, text: malleated)
        add("J-54", "n - s in the place of s, after the other", .duplicate, text: malleated) {
            $0.before = [HostileCase.body(document.with(pair))]
        }
        for (name, bytes) in [
            ("the payload's text", Array(Base64.urlText(payload).utf8)), ("the payload", payload),
            ("the decoded header and payload", document.header + Array(".".utf8) + payload),
            ("nothing", []), ("what is signed and a dot", input + Array(".".utf8)),
        ] {
            add("J-56", "signed: \(name)", text: document.with(try chain.leafKey.pair(over: bytes)))
        }
        var other = good
        other.outer["notificationType"] = "SUBSCRIBED"
        let first = try sign(payload).split(separator: ".")
        let second = try sign(other).split(separator: ".")
        add("J-57", "payload of another", text: "\(first[0]).\(second[1]).\(first[2])")
        add("J-57", "signature of another", text: "\(first[0]).\(first[1]).\(second[2])")
        // A hash of SHA-384 under the name ES256 has r and s of the right length, too.
        let wide = try chain.leafKey.pair(over: input, .sha384)
        add("J-56", "signed: the SHA-384", text: document.with(wide))
    }
}
