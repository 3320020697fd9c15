/// One element of ASN.1 with a definite length: a tag and a window on the content (X.690, section
/// 8.1).
///
/// Reads forward only, copies nothing, and never looks past the bytes that it was given. It imports
/// nothing: the fuzzer of receipts is built from this file.
package struct ASN1Element {
    /// Tags that receipts use.
    package enum Tag {
        /// INTEGER.
        package static let integer: UInt8 = 0x02
        /// OCTET STRING.
        package static let octets: UInt8 = 0x04
        /// UTF8String.
        package static let text: UInt8 = 0x0c
        /// IA5String.
        package static let ascii: UInt8 = 0x16
        /// SEQUENCE.
        package static let sequence: UInt8 = 0x30
        /// SET.
        package static let set: UInt8 = 0x31
    }

    /// What it is.
    package let tag: UInt8
    /// What stands in it.
    package let content: ArraySlice<UInt8>

    /// The next element of `rest`, which it is taken from; nil where there is none.
    ///
    /// `isDER`: its length is written in the one shortest way (X.690, section 10.1).
    package init?(from rest: inout ArraySlice<UInt8>, isDER: Bool = false) {
        // Tags above 30 take several bytes; certificates and receipts have none.
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
            let least = digits == 1 ? 0x80 : 1 << (8 * (digits - 1))
            guard !isDER || count >= least else { return nil }
        }
        guard count <= rest.count else { return nil }
        self.tag = tag
        content = rest.prefix(count)
        rest = rest.dropFirst(count)
    }

    /// The element that `bytes` are, with nothing after it.
    package init?(only bytes: ArraySlice<UInt8>) {
        var rest = bytes
        self.init(from: &rest)
        guard rest.isEmpty else { return nil }
    }

    /// The number, where it is one and fits.
    package var integer: Int64? {
        guard tag == Tag.integer, (1...8).contains(content.count) else { return nil }
        let sign: Int64 = (content.first ?? 0) >= 0x80 ? -1 : 0
        return content.reduce(sign) { $0 << 8 | Int64($1) }
    }

    /// The text, where it is one.
    package var text: String? {
        switch tag {
        case Tag.text: String(validating: content, as: UTF8.self)
        case Tag.ascii:
            content.allSatisfy { $0 < 0x80 } ? String(decoding: content, as: UTF8.self) : nil
        default: nil
        }
    }
}
