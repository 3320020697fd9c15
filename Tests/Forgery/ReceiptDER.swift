import Glibc

/// Writes the DER of receipts and their certificates.
package enum ReceiptDER {
    /// One element: tag, shortest length, content.
    package static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    /// A SEQUENCE of `elements`.
    package static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(0x30, elements.flatMap { $0 })
    }

    /// A SET of `elements`, in their order.
    package static func set(_ elements: [[UInt8]]) -> [UInt8] {
        element(0x31, elements.flatMap { $0 })
    }

    /// The shortest INTEGER.
    package static func integer(_ number: Int64) -> [UInt8] {
        var digits = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        while digits.count > 1, digits[0] == (digits[1] < 0x80 ? 0x00 : 0xff) {
            digits.removeFirst()
        }
        return element(0x02, digits)
    }

    /// An OCTET STRING.
    package static func octets(_ content: [UInt8]) -> [UInt8] { element(0x04, content) }

    /// A UTF8String.
    package static func text(_ text: String) -> [UInt8] { element(0x0c, Array(text.utf8)) }

    /// An IA5String.
    package static func ascii(_ text: String) -> [UInt8] { element(0x16, Array(text.utf8)) }

    /// An IA5String with the moment as receipts write it, to the second; empty for none.
    package static func date(_ milliseconds: Int64?) -> [UInt8] {
        guard let milliseconds else { return ascii("") }
        let parts = calendar(milliseconds)
        let day = "\(parts[0])-\(parts[1])-\(parts[2])"
        return ascii("\(day)T\(parts[3]):\(parts[4]):\(parts[5])Z")
    }

    /// A UTCTime, or a GeneralizedTime from 2050 on.
    static func time(_ milliseconds: Int64) -> [UInt8] {
        let digits = calendar(milliseconds).joined() + "Z"
        return digits < "2050"
            ? element(0x17, Array(digits.dropFirst(2).utf8)) : element(0x18, Array(digits.utf8))
    }

    /// An OBJECT IDENTIFIER, from its dotted form.
    package static func oid(_ dotted: String) -> [UInt8] {
        let arcs = dotted.split(separator: ".").compactMap { UInt64($0) }
        precondition(arcs.count >= 2, "an identifier has two arcs")
        var content: [UInt8] = []
        for arc in [arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2) {
            var digits = [UInt8(arc & 0x7f)]
            var rest = arc >> 7
            while rest > 0 {
                digits.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
                rest >>= 7
            }
            content += digits
        }
        return element(0x06, content)
    }

    /// A BIT STRING of whole bytes.
    static func bits(_ content: [UInt8]) -> [UInt8] { element(0x03, [0] + content) }

    /// NULL.
    package static let null: [UInt8] = [0x05, 0x00]

    /// An AlgorithmIdentifier with NULL for its parameters.
    package static func algorithm(_ dotted: String) -> [UInt8] { sequence(oid(dotted), null) }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var digits: [UInt8] = []
        var rest = count
        while rest > 0 {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(digits.count)] + digits
    }

    /// Year, month, day, hour, minute, second; UTC, each of its full width.
    private static func calendar(_ milliseconds: Int64) -> [String] {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let numbers = [
            (parts.tm_year + 1900, 4), (parts.tm_mon + 1, 2), (parts.tm_mday, 2),
            (parts.tm_hour, 2), (parts.tm_min, 2), (parts.tm_sec, 2),
        ]
        return numbers.map { number, width in
            String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
        }
    }
}
