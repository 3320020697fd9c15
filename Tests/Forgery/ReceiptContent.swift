/// What stands in an app receipt, as Apple's App Store writes it (docs/app-store-facts.md,
/// "Receipts").
package struct ReceiptContent: Sendable {
    /// One purchase in it.
    package struct Purchase: Sendable {
        /// 1702, 1703, 1705.
        package var productID: String
        package var transactionID: String
        package var originalID: String
        /// 1704, in ms since 1970, as all moments here; written to the second.
        package var purchased: Int64
        /// 1706; the date of the purchase itself if nothing else is said.
        package var originallyPurchased: Int64?
        /// 1708.
        package var expires: Int64?
        /// 1712.
        package var cancelled: Int64?
        /// 1701.
        package var quantity: Int64 = 1
        /// 1707: 0 non-consumable, 1 consumable, 2 non-renewing, 3 auto-renewable.
        package var kind: Int64 = 3
        /// 1713.
        package var isTrial = false
        /// 1719.
        package var isIntroductory = false
        /// 1721.
        package var promotion: String?

        /// A purchase of these main parts; the rest are properties.
        package init(
            productID: String,
            transactionID: String,
            originalID: String,
            purchased: Int64,
            expires: Int64?
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.originalID = originalID
            self.purchased = purchased
            self.expires = expires
        }

        /// Its attributes, those of which nobody knows the meaning included.
        package var attributes: [Attribute] {
            var list = [
                Attribute(1709, ReceiptDER.text("")), Attribute(1712, ReceiptDER.date(cancelled)),
                Attribute(1714, ReceiptDER.text("")), Attribute(1701, ReceiptDER.integer(quantity)),
                Attribute(1707, ReceiptDER.integer(kind)),
                Attribute(1713, ReceiptDER.integer(isTrial ? 1 : 0)),
                Attribute(1719, ReceiptDER.integer(isIntroductory ? 1 : 0)),
                Attribute(1722, ReceiptDER.integer(0)),
                Attribute(1711, ReceiptDER.integer(purchased / 1000)),
                Attribute(1703, ReceiptDER.text(transactionID)),
                Attribute(1705, ReceiptDER.text(originalID)),
                Attribute(1704, ReceiptDER.date(purchased)),
                Attribute(1706, ReceiptDER.date(originallyPurchased ?? purchased)),
                Attribute(1708, ReceiptDER.date(expires)),
                Attribute(1702, ReceiptDER.text(productID)),
            ]
            if let promotion { list.append(Attribute(1721, ReceiptDER.text(promotion))) }
            return list
        }
    }

    /// One attribute: its type and its value.
    package struct Attribute: Sendable {
        /// Which one.
        package var type: Int64
        /// What stands in its OCTET STRING.
        package var value: [UInt8]

        /// The attribute of this type and value.
        package init(_ type: Int64, _ value: [UInt8]) {
            self.type = type
            self.value = value
        }

        /// SEQUENCE of type, version and value.
        package var der: [UInt8] {
            ReceiptDER.sequence(
                ReceiptDER.integer(type),
                ReceiptDER.integer(1),
                ReceiptDER.octets(value)
            )
        }

        /// The SET of `attributes`, in their order.
        package static func set(_ attributes: [Attribute]) -> [UInt8] {
            ReceiptDER.set(attributes.map(\.der))
        }
    }

    /// 2.
    package var bundleID: String
    /// 0, for example `ProductionSandbox`.
    package var environment: String
    /// 12, in ms since 1970; written to the second.
    package var created: Int64
    /// 17, once for each.
    package var purchases: [Purchase]
    /// 3.
    package var version = "1"
    /// 19.
    package var originalVersion = "1.0"

    /// A receipt of these main parts; the rest are properties.
    package init(bundleID: String, environment: String, created: Int64, purchases: [Purchase]) {
        self.bundleID = bundleID
        self.environment = environment
        self.created = created
        self.purchases = purchases
    }

    /// Its attributes, those of which nobody knows the meaning included; some of them are bytes and
    /// no DER.
    package var attributes: [Attribute] {
        [
            Attribute(8, ReceiptDER.date(created)), Attribute(20, ReceiptDER.text("")),
            Attribute(1, ReceiptDER.integer(0)), Attribute(3, ReceiptDER.text(version)),
            Attribute(25, ReceiptDER.integer(3)), Attribute(10, ReceiptDER.ascii("4+")),
            Attribute(19, ReceiptDER.text(originalVersion)),
            Attribute(4, Array(repeating: 0x5d, count: 16)),
            Attribute(0, ReceiptDER.text(environment)),
            Attribute(5, Array(repeating: 0xcc, count: 20)),
            Attribute(12, ReceiptDER.date(created)), Attribute(2, ReceiptDER.text(bundleID)),
            Attribute(18, ReceiptDER.date(created)),
            Attribute(6, Array(repeating: 0xff, count: 64)),
        ] + purchases.map { Attribute(17, Attribute.set($0.attributes)) }
    }

    /// The content, as it is signed.
    package var bytes: [UInt8] { Attribute.set(attributes) }
}
