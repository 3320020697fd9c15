import Signatures

/// The signed content of an app receipt: a SET of attributes, each a SEQUENCE of type, version and
/// an OCTET STRING with the value (docs/app-store-facts.md, "Receipts").
///
/// Attributes that are not read here may have any value, and Apple adds some from time to time.
/// Those that are read must occur once and have their type, otherwise the receipt is invalid. The
/// code is pure and uses only the standard library, so it can be fuzzed separately.
struct ReceiptAttributes: Hashable, Sendable {
    /// Type 0: for example `Production`.
    var environment: String?
    /// Type 2.
    var bundleID: String?
    /// Type 12, in ms since 1970.
    var created: Int64?
    /// Type 17, in the order in which they stand.
    var purchases: [Purchase] = []

    /// One attribute of type 17.
    struct Purchase: Hashable, Sendable {
        /// 1701.
        var quantity: Int64?
        /// 1702.
        var productID: String?
        /// 1703.
        var transactionID: String?
        /// 1704, in ms since 1970, as all dates here.
        var purchased: Int64?
        /// 1705.
        var originalID: String?
        /// 1707: 0 non-consumable, 1 consumable, 2 non-renewing, 3 auto-renewable.
        var kind: Int64?
        /// 1708.
        var expires: Int64?
        /// 1712: refunded, withdrawn, or replaced by an upgrade.
        var cancelled: Int64?
        /// 1713: in a free trial.
        var isTrial = false
        /// 1719: in an introductory offer.
        var isIntroductory = false
        /// 1721: the promotional offer.
        var promotion: String?
        /// The bytes of the attribute.
        var bytes: ArraySlice<UInt8> = []
    }

    /// Reads the attributes of `payload`; nil if it is not a receipt's content.
    init?(_ payload: [UInt8]) {
        guard
            Self.read(
                payload[...],
                each: { attribute in
                    switch attribute.type {
                    case 0: environment = attribute.text
                    case 2: bundleID = attribute.text
                    case 12: created = attribute.moment
                    case 17:
                        guard purchases.count < ReceiptContentLimits.purchasesMax,
                            let purchase = Purchase(attribute.value)
                        else { return false }
                        purchases.append(purchase)
                        return true
                    default: return true
                    }
                    return !attribute.isMalformed
                }
            )
        else { return nil }
    }

    /// Calls `each` with every attribute of the SET in `bytes`.
    ///
    /// Returns false if there is no such SET, if a type that must be single occurs twice, or if
    /// `each` returns false.
    fileprivate static func read(
        _ bytes: ArraySlice<UInt8>,
        each: (inout ReceiptAttribute) -> Bool
    ) -> Bool {
        guard let set = ASN1Element(only: bytes), set.tag == ASN1Element.Tag.set else {
            return false
        }
        var seen: Set<Int64> = []
        var rest = set.content
        while !rest.isEmpty {
            guard let element = ASN1Element(from: &rest),
                var attribute = ReceiptAttribute(element)
            else { return false }
            if Self.isSingle(attribute.type) {
                guard seen.insert(attribute.type).inserted else { return false }
            }
            guard each(&attribute) else { return false }
        }
        return true
    }

    /// Whether a type is read here and must occur only once, because two values would be ambiguous.
    private static func isSingle(_ type: Int64) -> Bool {
        switch type {
        case 0, 2, 12, 1701...1708, 1712, 1713, 1719, 1721: true
        default: false
        }
    }
}

extension ReceiptAttributes.Purchase {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        let isWhole = ReceiptAttributes.read(bytes) { attribute in
            switch attribute.type {
            case 1701: quantity = attribute.integer
            case 1702: productID = attribute.text
            case 1703: transactionID = attribute.text
            case 1704: purchased = attribute.moment
            case 1705: originalID = attribute.text
            case 1707: kind = attribute.integer
            case 1708: expires = attribute.moment
            case 1712: cancelled = attribute.moment
            case 1713: isTrial = attribute.integer == 1
            case 1719: isIntroductory = attribute.integer == 1
            case 1721: promotion = attribute.text
            default: return true
            }
            return !attribute.isMalformed
        }
        guard isWhole else { return nil }
    }
}

/// One attribute, and whether its value was of the type that was asked for.
///
/// An empty text counts as absent: Apple writes it for dates of events that never happened.
private struct ReceiptAttribute {
    let type: Int64
    let value: ArraySlice<UInt8>
    private(set) var isMalformed = false

    init?(_ element: ASN1Element) {
        guard element.tag == ASN1Element.Tag.sequence else { return nil }
        var rest = element.content
        guard let type = ASN1Element(from: &rest)?.integer,
            ASN1Element(from: &rest)?.integer != nil,
            let value = ASN1Element(from: &rest), value.tag == ASN1Element.Tag.octets,
            rest.isEmpty
        else { return nil }
        self.type = type
        self.value = value.content
    }

    var integer: Int64? {
        mutating get {
            guard let number = ASN1Element(only: value)?.integer else {
                isMalformed = true
                return nil
            }
            return number
        }
    }

    var text: String? {
        mutating get {
            guard let text = ASN1Element(only: value)?.text else {
                isMalformed = true
                return nil
            }
            return text.isEmpty ? nil : text
        }
    }

    var moment: Int64? {
        mutating get {
            guard let text else { return nil }
            guard let moment = ReceiptDate.milliseconds(text) else {
                isMalformed = true
                return nil
            }
            return moment
        }
    }
}
