import Entitlements
import JSON

/// J-59 to J-62: whose notification it is, and whether its documents belong together.
extension HostileSet {
    mutating func addIdentities() throws {
        let bundle = HostileNotification.bundleID
        let values: [(String, JSONValue?)] = [
            ("of another app", "com.example.other"), ("in capitals", .string(bundle.uppercased())),
            ("with a homoglyph", .string(bundle.replacing("e", with: "\u{435}"))),
            ("with a space after", .string(bundle + " ")),
            ("with NUL after", .string(bundle + "\0")),
            ("one longer", .string(bundle + "2")), ("empty", ""), ("null", nil as JSONValue?),
            ("missing", nil), ("a number", 1), ("in an array", [.string(bundle)]),
        ]
        for (name, value) in values {
            let written = name == "null" ? .null : value
            try add("J-59", "bundleId \(name)", changing: { $0.object["bundleId"] = written })
            try add(
                "J-59",
                "the transaction's bundleId \(name)",
                changing: {
                    $0.transaction?["bundleId"] = written
                }
            )
        }
        let id = HostileNotification.appAppleID
        for (name, value) in [
            ("of another app", .integer(id + 1)), ("missing", nil), ("null", .null),
            ("as text", .string("\(id)")), ("2^53 + 1", .integer(9_007_199_254_740_993)),
            ("0", 0), ("negative", .integer(-id)),
        ] as [(String, JSONValue?)] {
            try add("J-60", "appAppleId \(name)", changing: { $0.object["appAppleId"] = value })
        }
        try addEnvironments()
        try addInner()
    }

    private mutating func addEnvironments() throws {
        for (name, value) in [
            ("Xcode", "Xcode"), ("LocalTesting", "LocalTesting"), ("in lower case", "production"),
            ("empty", ""), ("missing", nil), ("null", .null), ("a number", 1),
            ("unknown", "Staging"),
        ] as [(String, JSONValue?)] {
            try add("J-61", "environment \(name)", changing: { $0.object["environment"] = value })
            try add(
                "J-61",
                "the transaction's environment \(name)",
                changing: {
                    $0.transaction?["environment"] = value
                }
            )
            try add(
                "J-61",
                "the renewal's environment \(name)",
                changing: {
                    $0.renewal?["environment"] = value
                }
            )
        }
        for place in ["notification", "transaction", "renewal"] {
            try add(
                "J-61",
                "the \(place) alone of the Sandbox",
                changing: {
                    let other = $0.inSandbox
                    if place == "notification" { $0.object = other.object }
                    if place == "transaction" { $0.transaction = other.transaction }
                    if place == "renewal" { $0.renewal = other.renewal }
                },
                adjusting: { $0.environments = [.production, .sandbox] }
            )
        }
        try add("J-61", "Sandbox, not configured", .ignored, changing: { $0 = $0.inSandbox })
        try add(
            "J-61",
            "Production, not configured",
            .ignored,
            changing: { _ in },
            adjusting: { $0.environments = [.sandbox] }
        )
        try add(
            "J-61",
            "Sandbox, configured",
            .applied,
            changing: { $0 = $0.inSandbox },
            adjusting: { $0.environments = [.production, .sandbox] }
        )
        try add("J-61", "Xcode, unsigned", text: "eyJhbGciOiJub25lIn0.e30.", .unauthorized)
    }

    private mutating func add(
        _ id: String,
        _ name: String,
        text: String,
        _ expected: HostileCase.Answer
    ) throws { add(id, name, expected, text: text) }

    /// J-62: the inner documents.
    private mutating func addInner() throws {
        try add(
            "J-62",
            "renewal of another subscription",
            changing: {
                $0.renewal?["originalTransactionId"] = "2000000000000099"
            }
        )
        let other = try HostileChain(
            from: chain.root.validFrom,
            until: chain.root.validUntil,
            rootName: CertificateForm.name("Another Root")
        )
        let parts = ["signedTransactionInfo", "signedRenewalInfo"]
        for (place, member) in parts.enumerated() {
            let object = place == 0 ? good.transaction : good.renewal
            let payload = JSONValue.object(object ?? [:]).bytes
            let text = try sign(payload)
            let pieces = text.split(separator: ".")
            let values: [(String, JSONValue)] = [
                ("under an untrusted chain", .string(try other.sign(payload))),
                ("unsigned JSON", .string(String(decoding: payload, as: UTF8.self))),
                ("an object", .object(object ?? [:])), ("a number", 1),
                ("an array", [.string(text)]),
                ("empty", ""), ("without its signature", .string("\(pieces[0]).\(pieces[1]).")),
                ("with another payload", .string("\(pieces[0]).e30.\(pieces[2])")),
                ("not a document", "abc"),
            ]
            for (name, value) in values {
                try add(
                    "J-62",
                    "\(member) \(name)",
                    value.string == nil ? .ignored : .unauthorized,
                    changing: {
                        if place == 0 { $0.transaction = nil } else { $0.renewal = nil }
                        $0.object[member] = value
                    }
                )
            }
        }
        try add(
            "J-62",
            "a renewal without its transaction",
            .ignored,
            changing: { $0.transaction = nil }
        )
        try add("J-62", "no inner document", .ignored, changing: { $0 = $0.bare })
        try add("J-62", "no renewal information", .applied, changing: { $0.renewal = nil })
        try add(
            "J-62",
            "inner document of 200 KiB",
            .malformed,
            changing: {
                $0.transaction?["filler"] = .string(String(repeating: "x", count: 150 << 10))
            }
        )
        var twin = good
        let transaction = try sign(JSONValue.object(good.transaction ?? [:]).bytes)
        let renewal = try sign(JSONValue.object(good.renewal ?? [:]).bytes)
        twin.transaction = nil
        twin.renewal = nil
        twin.object["signedTransactionInfo"] = .string(renewal)
        twin.object["signedRenewalInfo"] = .string(transaction)
        add("J-63", "transaction and renewal exchanged", text: try sign(twin))
        twin.object["signedTransactionInfo"] = .string(transaction)
        add("J-63", "the transaction as renewal, too", text: try sign(twin))
        twin.object["signedTransactionInfo"] = .string(renewal)
        twin.object["signedRenewalInfo"] = nil
        add("J-63", "the renewal as transaction", text: try sign(twin))
        twin.object["signedTransactionInfo"] = .string(try sign(good))
        add("J-63", "a notification as transaction", text: try sign(twin))
    }
}
