/// One element of BER with a definite length: a tag and a window on the content.
///
/// Reads forward only, copies nothing, and never looks past the bytes that it was given.
struct ReceiptElement {
    /// Tags that receipts use.
    enum Tag {
        static let integer: UInt8 = 0x02
        static let octets: UInt8 = 0x04
        static let text: UInt8 = 0x0c
        static let ascii: UInt8 = 0x16
        static let sequence: UInt8 = 0x30
        static let set: UInt8 = 0x31
    }

    let tag: UInt8
    let content: ArraySlice<UInt8>

    /// The next element of `rest`, which it is taken from; nil where there is none.
    init?(from rest: inout ArraySlice<UInt8>) {
        // Tags above 30 take several bytes; receipts have none.
        guard let tag = rest.popFirst(), tag & 0x1f != 0x1f, let first = rest.popFirst() else {
            return nil
        }
        var count = Int(first)
        if first >= 0x80 {
            let digits = Int(first & 0x7f)
            // None is the indefinite form; more than four would be gigabytes.
            guard (1...4).contains(digits), rest.count >= digits else { return nil }
            count = rest.prefix(digits).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(digits)
        }
        guard count <= rest.count else { return nil }
        self.tag = tag
        content = rest.prefix(count)
        rest = rest.dropFirst(count)
    }

    /// The element that `bytes` are, with nothing after it.
    init?(only bytes: ArraySlice<UInt8>) {
        var rest = bytes
        guard let element = ReceiptElement(from: &rest), rest.isEmpty else { return nil }
        self = element
    }

    /// The number, where it is one and fits.
    var integer: Int64? {
        guard tag == Tag.integer, (1...8).contains(content.count) else { return nil }
        let sign: Int64 = (content.first ?? 0) >= 0x80 ? -1 : 0
        return content.reduce(sign) { $0 << 8 | Int64($1) }
    }

    /// The text, where it is one.
    var text: String? {
        switch tag {
        case Tag.text: String(validating: content, as: UTF8.self)
        case Tag.ascii:
            content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
        default: nil
        }
    }
}
