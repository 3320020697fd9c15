/// Whether bytes are DER: the one way to write a value, where BER would allow several (X.690,
/// sections 10 and 11).
///
/// OpenSSL reads BER and keeps some parts as they came, so a certificate could be written in more
/// than one way and still verify. It goes over the bytes once, before OpenSSL sees them, and bounds
/// how deep they nest.
enum DERScan {
    /// Whether `bytes` are exactly one value in DER.
    static func accepts(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        guard let value = ASN1Element(from: &rest, isDER: true), rest.isEmpty
        else { return false }
        return isStrict(value.tag, value.content, depth: 1)
    }

    /// The values inside the one at `path` in `bytes`, which are DER.
    ///
    /// A path is the place in the outermost value, then the place in that, and so on.
    static func values(at path: Int..., in bytes: [UInt8]) -> [(tag: UInt8, content: [UInt8])] {
        var rest = bytes[...]
        guard var place = ASN1Element(from: &rest, isDER: true)?.content else { return [] }
        for index in path {
            let inner = values(in: place)
            guard inner.indices.contains(index) else { return [] }
            place = inner[index].content
        }
        return values(in: place).map { ($0.tag, Array($0.content)) }
    }

    private static func values(in content: ArraySlice<UInt8>) -> [ASN1Element] {
        var rest = content
        var values: [ASN1Element] = []
        while let value = ASN1Element(from: &rest, isDER: true) { values.append(value) }
        return values
    }

    private static func isStrict(_ tag: UInt8, _ content: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard tag & 0x20 == 0 else {
            return isConstructed(tag, content, depth: depth)
        }
        // Context tags stand for types that only their place tells.
        guard tag & 0xc0 == 0 else { return true }
        switch tag {
        // Those of certificates are false by default, and DER leaves defaults out.
        case 0x01: return content.elementsEqual([0xff])
        case 0x02, 0x0a: return isShortestInteger(content)
        case 0x03: return isBitString(content)
        case 0x04: return true
        case 0x05: return content.isEmpty
        case 0x06: return isIdentifier(content)
        case 0x0c: return isText(content) && String(validating: content, as: UTF8.self) != nil
        case 0x13: return content.allSatisfy(isPrintable)
        case 0x14, 0x1c, 0x1e: return true
        case 0x16: return isText(content) && content.allSatisfy { $0 < 0x80 }
        case 0x17: return isTime(content, digits: 12)
        case 0x18: return isTime(content, digits: 14)
        default: return false
        }
    }

    private static func isConstructed(
        _ tag: UInt8,
        _ content: ArraySlice<UInt8>,
        depth: Int
    ) -> Bool {
        // Strings in pieces are BER; sequences, sets and context tags are all that remains.
        guard tag == 0x30 || tag == 0x31 || tag & 0xc0 == 0x80 else { return false }
        guard depth < SignatureLimits.certificateDepthMax else { return false }
        var rest = content
        while !rest.isEmpty {
            guard let value = ASN1Element(from: &rest, isDER: true),
                isStrict(value.tag, value.content, depth: depth + 1)
            else { return false }
        }
        return true
    }

    private static func isShortestInteger(_ content: ArraySlice<UInt8>) -> Bool {
        let digits = Array(content.prefix(2))
        guard digits.count == 2 else { return digits.count == 1 }
        return !(digits[0] == 0x00 && digits[1] < 0x80) && !(digits[0] == 0xff && digits[1] >= 0x80)
    }

    private static func isBitString(_ content: ArraySlice<UInt8>) -> Bool {
        guard let unused = content.first, unused < 8 else { return false }
        guard content.count > 1, let last = content.last else { return unused == 0 }
        return last & (1 << unused - 1) == 0
    }

    private static func isIdentifier(_ content: ArraySlice<UInt8>) -> Bool {
        guard let last = content.last, last < 0x80 else { return false }
        var startsNumber = true
        for byte in content {
            if startsNumber && byte == 0x80 { return false }
            startsNumber = byte < 0x80
        }
        return true
    }

    /// A NUL ends a text for C and not for others: two programs would read two names.
    private static func isText(_ content: ArraySlice<UInt8>) -> Bool { !content.contains(0) }

    private static func isPrintable(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " '()+,-./:=?".utf8.contains(byte)
        }
    }

    /// Digits to the second and a `Z`, nothing else (RFC 5280, section 4.1.2.5).
    private static func isTime(_ content: ArraySlice<UInt8>, digits: Int) -> Bool {
        content.count == digits + 1 && content.last == UInt8(ascii: "Z")
            && content.dropLast()
                .allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
