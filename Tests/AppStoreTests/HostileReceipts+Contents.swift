import AppStore
import Entitlements
import Forgery
import JSON
import Signatures

/// Whose contents are not as they have to be; all of them are signed well.
extension `The hostile receipts` {
    func content(
        _ name: String,
        _ fault: ReceiptFault,
        changing change: (inout [Attribute]) -> Void
    ) throws -> HostileReceipt {
        var attributes = ReceiptStage.good.attributes
        change(&attributes)
        return try signed(name, fault, Attribute.set(attributes))
    }

    func signed(
        _ name: String,
        _ fault: ReceiptFault,
        _ bytes: [UInt8]
    ) throws -> HostileReceipt {
        let envelope = try stage.authority.envelope(bytes)
        let der = try envelope.der(signedBy: stage.authority.leafKey)
        return HostileReceipt(name, fault, Base64.text(der))
    }

    func replacing(
        _ type: Int64,
        _ value: [UInt8]?
    ) -> (inout [Attribute]) -> Void {
        { attributes in
            attributes.removeAll { $0.type == type }
            if let value { attributes.append(Attribute(type, value)) }
        }
    }

    func contents() throws -> [HostileReceipt] {
        let now = ReceiptStage.now
        let good = ReceiptStage.good.bytes
        let text = ReceiptDER.text
        let future = ReceiptDER.date(now + 301_000)
        return [
            try signed("no content at all", .malformed, []),
            try signed("a SEQUENCE for the SET", .malformed, [0x30] + good.dropFirst()),
            try signed("a byte after the SET", .malformed, good + [0]),
            try signed("attributes in the SET are none", .malformed, ReceiptDER.set([[2, 1, 1]])),
            try signed("JSON signed well", .malformed, Array(#"{"bundle_id":"a"}"#.utf8)),
            try content("no date", .malformed, changing: replacing(12, nil)),
            try content("an empty date", .malformed, changing: replacing(12, ReceiptDER.date(nil))),
            try content("a date that is none", .malformed, changing: replacing(12, text("now"))),
            try content("a number for the date", .malformed, changing: replacing(12, [2, 1, 5])),
            try content("two dates", .malformed) {
                $0.append(Attribute(12, ReceiptDER.date(now)))
            },
            try content("made in the future", .futureDate, changing: replacing(12, future)),
            try content("another app", .bundle, changing: replacing(2, text("com.example.other"))),
            try content("another case", .bundle, changing: replacing(2, text("com.example.App"))),
            try content("no app", .bundle, changing: replacing(2, nil)),
            try content("an empty app", .bundle, changing: replacing(2, text(""))),
            try content("bytes for the app", .malformed, changing: replacing(2, [1, 2, 3])),
            try content(
                "an app with a NUL",
                .bundle,
                changing: replacing(
                    2,
                    text(ReceiptStage.bundleID + "\0")
                )
            ),
            try content(
                "an app that is no UTF-8",
                .malformed,
                changing: replacing(
                    2,
                    ReceiptDER.element(0x0c, [0xff, 0xfe])
                )
            ),
            try content("two apps", .malformed) { $0.append(Attribute(2, text("com.other"))) },
            try content("no environment", .environment, changing: replacing(0, nil)),
            try content(
                "an unknown environment",
                .environment,
                changing: replacing(
                    0,
                    text("Staging")
                )
            ),
            try content("two environments", .malformed) { $0.append(Attribute(0, text("Xcode"))) },
            try content("the environment Xcode", .xcode, changing: replacing(0, text("Xcode"))),
            try signed(
                "an attribute without value",
                .malformed,
                ReceiptDER.set(
                    ReceiptStage.good.attributes.map(\.der)
                        + [ReceiptDER.sequence(ReceiptDER.integer(99), ReceiptDER.integer(1))]
                )
            ),
            try signed(
                "an attribute with two values",
                .malformed,
                ReceiptDER.set(
                    ReceiptStage.good.attributes.map(\.der)
                        + [
                            ReceiptDER.sequence(
                                ReceiptDER.integer(99),
                                ReceiptDER.integer(1),
                                ReceiptDER.octets([]),
                                ReceiptDER.octets([])
                            )
                        ]
                )
            ),
        ]
    }

    func purchase(
        _ name: String,
        changing change: (inout [Attribute]) -> Void
    ) throws -> HostileReceipt {
        var attributes = ReceiptStage.month.attributes
        change(&attributes)
        return try content("a purchase with " + name, .malformed) {
            $0.append(Attribute(17, Attribute.set(attributes)))
        }
    }

    func purchases() throws -> [HostileReceipt] {
        let (text, number) = (ReceiptDER.text, ReceiptDER.integer)
        let long = String(repeating: "1", count: 256)
        let early = ReceiptDER.date(ReceiptStage.now - 11 * ReceiptStage.day)
        let empty = [UInt8](ReceiptContent.Attribute.set([]))
        return [
            try purchase("no id", changing: replacing(1703, nil)),
            try purchase("an empty id", changing: replacing(1703, text(""))),
            try purchase("a long id", changing: replacing(1703, text(long))),
            try purchase("a line break in its id", changing: replacing(1703, text("1\n2"))),
            try purchase("two ids") { $0.append(Attribute(1703, text("7"))) },
            try purchase("no original id", changing: replacing(1705, nil)),
            try purchase("a number for the original id", changing: replacing(1705, number(1))),
            try purchase("no product", changing: replacing(1702, nil)),
            try purchase("a product of spaces", changing: replacing(1702, text("  "))),
            try purchase("no date", changing: replacing(1704, nil)),
            try purchase("a date that is none", changing: replacing(1704, text("2026"))),
            try purchase("an end before its beginning", changing: replacing(1708, early)),
            try purchase("an end that is none", changing: replacing(1708, text("later"))),
            try purchase("a cancellation that is none", changing: replacing(1712, text("x"))),
            try purchase("a quantity of none", changing: replacing(1701, number(0))),
            try purchase("a negative quantity", changing: replacing(1701, number(-1))),
            try purchase("a great quantity", changing: replacing(1701, number(1 << 31))),
            try purchase(
                "a quantity of nine bytes",
                changing: replacing(
                    1701,
                    ReceiptDER.element(2, [UInt8](repeating: 1, count: 9))
                )
            ),
            try purchase("a text for the quantity", changing: replacing(1701, text("1"))),
            try content("a purchase that is empty", .malformed) {
                $0.append(Attribute(17, empty))
            },
            try content("a purchase that is text", .malformed) {
                $0.append(Attribute(17, text("1")))
            },
            try content("more purchases than any", .malformed) {
                let one = Attribute(17, Attribute.set(Self.least))
                $0 += [Attribute](repeating: one, count: 4096)
            },
        ]
    }

    /// The least that a purchase needs.
    static var least: [Attribute] {
        [
            Attribute(1702, ReceiptDER.text("p")), Attribute(1703, ReceiptDER.text("1")),
            Attribute(1704, ReceiptDER.date(0)), Attribute(1705, ReceiptDER.text("1")),
        ]
    }
}
