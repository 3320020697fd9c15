import JSON

/// J-43 and J-58: what a genuine signature stands under. Whoever signs this is Apple, or has
/// Apple's key: it must not break anything.
extension HostileSet {
    /// The good payload as text, a piece of it replaced.
    private mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        replacing old: String,
        with new: String
    ) throws {
        let text = String(decoding: try goodPayload(), as: UTF8.self)
        precondition(text.contains(old), "the payload holds \(old)")
        add(
            id,
            name,
            expected,
            text: try sign(Array(text.replacing(old, with: new, maxReplacements: 1).utf8))
        )
    }

    mutating func addPayloads() throws {
        let date = "\"signedDate\":\(signed)"
        for (name, value) in [
            ("0", "0"), ("1", "1"), ("negative", "-1"), ("1e308", "1e308"),
            ("2^63", "9223372036854775808"),
            ("2^63 - 1", "9223372036854775807"), ("a fraction", "\(signed).5"),
            ("text", "\"\(signed)\""),
            ("null", "null"), ("an array", "[\(signed)]"), ("true", "true"),
            ("year 9999", "253402300799999"),
            ("year 10000", "253402300800000"), ("no number", "\"soon\""),
        ] {
            let text = String(decoding: try goodPayload(), as: UTF8.self)
                .replacing(date, with: "\"signedDate\":\(value)", maxReplacements: 1)
            add("J-43", "signedDate \(name)", text: try sign(Array(text.utf8)))
        }
        let now = now
        try add("J-43", "signedDate missing", changing: { $0.outer["signedDate"] = nil })
        try add(
            "J-43",
            "signedDate five minutes and a second ahead",
            .unavailable,
            changing: { $0.outer["signedDate"] = .integer(now + 301_000) }
        )
        try add(
            "J-43",
            "the transaction's signedDate a year ahead",
            .unavailable,
            changing: { $0.transaction?["signedDate"] = .integer(now + 365 * 86_400_000) }
        )
        for place in ["transaction", "renewal"] {
            try add(
                "J-43",
                "the \(place)'s signedDate missing",
                changing: {
                    if place == "renewal" { $0.renewal?["signedDate"] = nil }
                    if place == "transaction" { $0.transaction?["signedDate"] = nil }
                }
            )
        }
        try addClaims()
        try addTexts()
        try addDuplicates()
    }

    /// The claims of RFC 7519, which the App Store does not write and a verifier may look at.
    private mutating func addClaims() throws {
        let seconds = now / 1_000
        let rows: [(String, JSONValue)] = [
            ("exp", .integer(seconds - 600)), ("exp", nil), ("exp", "soon"),
            ("nbf", .integer(seconds + 600_000)), ("iat", .integer(seconds + 600_000)),
            ("aud", "somebody"), ("sub", 7), ("jti", 7),
        ]
        for (claim, value) in rows {
            let text = String(decoding: value.bytes, as: UTF8.self)
            try add("J-43", "\(claim) \(text)", changing: { $0.outer[claim] = value })
            try add(
                "J-43",
                "the transaction's \(claim) \(text)",
                changing: { $0.transaction?[claim] = value }
            )
        }
    }

    private mutating func addTexts() throws {
        for (name, text) in [
            ("no JSON", "hello"), ("an array", "[]"), ("a number", "1"), ("a string", "\"{}\""),
            ("null", "null"), ("an empty object", "{}"), ("a comma too many", "{\"a\":1,}"),
            ("NaN", "{\"signedDate\":NaN}"), ("Infinity", "{\"signedDate\":Infinity}"),
            ("a comment", "{/**/}"),
        ] {
            add("J-58", name, text: try sign(Array(text.utf8)))
        }
        let whole = String(decoding: try goodPayload(), as: UTF8.self)
        let open = String(whole.dropLast())
        let zeros = whole.replacing("\"quantity\":1", with: "\"quantity\":01")
        let rows: [(String, String)] = [
            ("text after", whole + "x"), ("cut", open),
            ("a comma too many in the good one", open + ",}"),
            ("leading zeros", zeros.dropLast() + ",\"n\":01}"),
            ("NaN in a member of no interest", open + ",\"n\":NaN}"),
            ("a lone surrogate", open + ",\"n\":\"\\ud800\"}"),
            ("a raw control character", open + ",\"n\":\"\u{1}\"}"),
            ("a byte order mark", "\u{feff}" + whole),
            ("single quotes", whole.replacing("\"", with: "'")),
        ]
        for (name, text) in rows {
            add("J-58", name, text: try sign(Array(text.utf8)))
        }
        for depth in [513, 5_000] {
            let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            add(
                "J-58",
                "\(depth) deep",
                text: try sign(Array((whole.dropLast() + ",\"n\":\(nest)}").utf8))
            )
        }
        let invalid = Array((open + ",\"n\":\"").utf8) + [0xff, 0x22, 0x7d]
        add("J-58", "no UTF-8", text: try sign(invalid))
        let wide: [UInt8] = whole.utf8.flatMap { unit in [unit, UInt8(0)] }
        add("J-58", "UTF-16", text: try sign(wide))
        for member in ["bundleId", "environment"] {
            try add(
                "J-58",
                "NUL in \(member)",
                changing: {
                    let value = $0.object[member]?.string ?? ""
                    $0.object[member] = .string(value + "\0")
                }
            )
        }
    }

    private mutating func addDuplicates() throws {
        for (key, value) in [
            ("bundleId", "\"\(HostileNotification.bundleID)\""), ("environment", "\"Production\""),
            ("signedDate", "\(signed)"),
            ("notificationUUID", "\"7f4c2f1e-0000-4000-8000-000000000001\""),
            ("notificationType", "\"DID_RENEW\""),
            ("appAppleId", "\(HostileNotification.appAppleID)"),
        ] {
            let member = "\"\(key)\":\(value)"
            let escaped =
                "\"\\u00\(String(key.utf8.first ?? 0, radix: 16))\(key.dropFirst())\":\(value)"
            try add("J-58", "\(key) twice", replacing: member, with: "\(member),\(member)")
            try add(
                "J-58",
                "\(key) twice, once escaped",
                replacing: member,
                with: "\(member),\(escaped)"
            )
        }
        let transaction = JSONValue.object(good.transaction ?? [:]).bytes
        let text = String(decoding: transaction, as: UTF8.self)
        for key in [
            "bundleId", "environment", "transactionId", "originalTransactionId", "productId",
        ] {
            let value = good.transaction?[key]?.string ?? ""
            let doubled = text.dropLast() + ",\"\(key)\":\"\(value)\"}"
            let inner = try sign(Array(doubled.utf8))
            var outer = good.bare
            outer.object["signedTransactionInfo"] = .string(inner)
            add("J-58", "the transaction's \(key) twice", text: try sign(outer))
        }
        try add("J-58", "data twice", replacing: "\"data\":{", with: "\"data\":{},\"data\":{")
    }
}
