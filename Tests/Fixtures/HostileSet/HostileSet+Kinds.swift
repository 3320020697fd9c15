import JSON

/// J-63 to J-72: kinds, values, sequences.
extension HostileSet {
    mutating func addKinds() throws {
        let app: JSONObject = [
            "appAppleId": .integer(HostileNotification.appAppleID),
            "bundleId": .string(HostileNotification.bundleID),
            "environment": "Production", "signedDate": .integer(signed),
        ]
        var appTransaction = app
        appTransaction["receiptType"] = "Production"
        appTransaction["receiptCreationDate"] = .integer(signed)
        var realtime = app
        realtime["originalTransactionId"] = "2000000000000001"
        realtime["requestIdentifier"] = "7f4c2f1e-0000-4000-8000-000000000002"
        for (name, object) in [
            ("a transaction", good.transaction), ("renewal information", good.renewal),
            ("an app transaction", appTransaction), ("a realtime request", realtime),
        ] {
            let payload = JSONValue.object(object ?? [:]).bytes
            add("J-63", "\(name) as notification", text: try sign(payload))
        }
        try addTypes()
        try addObjects()
    }

    private mutating func addTypes() throws {
        let long = String(repeating: "A", count: 10 << 10)
        for (name, value) in [
            ("a number", 1), ("empty", ""), ("of 10 KiB", .string(long)), ("missing", nil),
            ("null", .null), ("with a line feed", "DID_RENEW\nINFO forged"),
            ("an array", ["DID_RENEW"]),
        ] as [(String, JSONValue?)] {
            // Without a type it is no notification; with a strange one it is a notification that
            // cannot be read.
            try add(
                "J-64",
                "notificationType \(name)",
                ["missing", "null"].contains(name) ? .unauthorized : .ignored,
                changing: { $0.outer["notificationType"] = value }
            )
        }
        for (name, value) in [
            ("a number", 1), ("of 10 KiB", .string(long)), ("with an escape", "A\u{1b}[31m"),
        ] as [(String, JSONValue)] {
            try add(
                "J-64",
                "subtype \(name)",
                .ignored,
                changing: { $0.outer["subtype"] = value }
            )
        }
        for (name, value) in [
            ("missing", nil), ("empty", ""), ("of 10 KiB", .string(long)),
            ("no UUID", "not-a-uuid"),
            ("null", .null), ("a number", 1),
            ("without hyphens", "7f4c2f1e000040008000000000000001"),
        ] as [(String, JSONValue?)] {
            try add(
                "J-65",
                "notificationUUID \(name)",
                .ignored,
                changing: { $0.outer["notificationUUID"] = value }
            )
        }
    }

    private mutating func addObjects() throws {
        let summary: JSONObject = [
            "appAppleId": .integer(HostileNotification.appAppleID),
            "bundleId": .string(HostileNotification.bundleID),
            "environment": "Production", "productId": "monthly", "succeededCount": 1,
            "failedCount": 0,
        ]
        for name in ["summary", "appData"] {
            try add(
                "J-72",
                "data and \(name)",
                .applied,
                changing: { $0.outer[name] = .object(summary) }
            )
        }
        let token: JSONValue = [
            "externalPurchaseId": "X", "tokenCreationDate": .integer(signed),
            "appAppleId": .integer(HostileNotification.appAppleID),
            "bundleId": .string(HostileNotification.bundleID),
        ]
        try add(
            "J-72",
            "data and externalPurchaseToken",
            .applied,
            changing: {
                $0.outer["externalPurchaseToken"] = token
            }
        )
        var none = good
        none.objectName = "nothing"
        add("J-72", "neither", .ignored, text: try sign(none))
        for (name, value) in [("text", "new"), ("an array", [1])] as [(String, JSONValue)] {
            var outer = good.outer
            outer["nothing"] = value
            let text = try sign(JSONValue.object(outer).bytes)
            add("J-72", "neither, but \(name)", .ignored, text: text)
        }
        try addVersions()
        try addContradictions(of: summary)
    }

    /// Beside `data`, another object that names another app or environment.
    private mutating func addContradictions(of summary: JSONObject) throws {
        for (name, member, value) in [
            ("another app", "bundleId", "com.example.other"),
            ("another app's number", "appAppleId", 1), ("the sandbox", "environment", "Sandbox"),
        ] as [(String, String, JSONValue)] {
            var other = summary
            other[member] = value
            try add(
                "J-72",
                "data and a summary of \(name)",
                changing: { $0.outer["summary"] = .object(other) }
            )
        }
    }

    private mutating func addVersions() throws {
        let third: JSONValue = "3.0"
        try add("J-72", "version 3.0", .ignored, changing: { $0.outer["version"] = third })
        for (name, member, value) in [
            ("another app", "bundleId", "com.example.other"),
            ("another app's number", "appAppleId", 1), ("Xcode", "environment", "Xcode"),
        ] as [(String, String, JSONValue)] {
            try add(
                "J-72",
                "version 3.0 of \(name)",
                changing: {
                    $0.outer["version"] = third
                    $0.object[member] = value
                }
            )
        }
    }

    /// J-69: values that no transaction has; Apple may write them one day.
    mutating func addValues() throws {
        let signed = signed
        let long = String(repeating: "a", count: 10 << 10)
        let rows: [(String, String, JSONValue?)] = [
            ("price negative", "price", -1), ("quantity 2^31", "quantity", 2_147_483_648),
            ("quantity 0", "quantity", 0), ("quantity negative", "quantity", -1),
            ("quantity as text", "quantity", "many"),
            ("productId of 10 KiB", "productId", .string(long)),
            ("productId empty", "productId", ""), ("productId missing", "productId", nil),
            ("productId written from right to left", "productId", "\u{202e}ylhtnom"),
            ("productId with a line feed", "productId", "monthly\n2026-01-01 INFO forged"),
            ("productId with an escape", "productId", "\u{1b}[2Jmonthly"),
            ("productId with NUL", "productId", "monthly\0"),
            ("transactionId empty", "transactionId", ""),
            ("transactionId missing", "transactionId", nil),
            ("transactionId of 10 KiB", "transactionId", .string(long)),
            ("transactionId with a line feed", "transactionId", "1\n2"),
            ("originalTransactionId missing", "originalTransactionId", nil),
            ("originalTransactionId with a line feed", "originalTransactionId", "1\n2"),
            ("originalTransactionId a number", "originalTransactionId", 2_000_000_000_000_001),
            ("purchaseDate missing", "purchaseDate", nil),
            ("purchaseDate as words", "purchaseDate", "now"),
        ]
        for (name, member, value) in rows {
            // Under another id it is not the renewal's; without its price it is a purchase still.
            let expected: HostileCase.Answer =
                switch member {
                case "originalTransactionId": .unauthorized
                case "price": .applied
                default: .ignored
                }
            try add("J-69", name, expected, changing: { $0.transaction?[member] = value })
        }
        try add(
            "J-69",
            "expires before it is bought",
            .ignored,
            changing: {
                $0.transaction?["expiresDate"] = .integer(signed - 100_000)
            }
        )
        try add(
            "J-69",
            "quantity null",
            .applied,
            changing: { $0.transaction?["quantity"] = .null }
        )
    }

    /// J-65 to J-67: one after another.
    mutating func addSequences() throws {
        let first = HostileCase.body(try sign(good))
        for (name, change) in [
            ("the same again", { _ in }),
            ("the same UUID with another type", { $0.outer["notificationType"] = "EXPIRED" }),
            (
                "the same UUID in capitals",
                { $0.outer["notificationUUID"] = "7F4C2F1E-0000-4000-8000-000000000001" }
            ),
            ("the same UUID with another product", { $0.transaction?["productId"] = "yearly" }),
        ] as [(String, (inout HostileNotification) -> Void)] {
            let id = name == "the same again" ? "J-66" : "J-65"
            try add(id, name, .duplicate, changing: change, adjusting: { $0.before = [first] })
        }
        try add(
            "J-66",
            "the same for the hundredth time",
            .duplicate,
            changing: { _ in },
            adjusting: { $0.before = Array(repeating: first, count: 99) }
        )
        let uuid: JSONValue = "7f4c2f1e-0000-4000-8000-000000000003"
        let earlier = signed - 60_000
        try add(
            "J-67",
            "signed before what is kept",
            .stale,
            changing: {
                $0 = HostileNotification(signed: earlier)
                $0.outer["notificationUUID"] = uuid
                $0.object["status"] = nil
                $0.outer["notificationType"] = "EXPIRED"
            },
            adjusting: { $0.before = [first] }
        )
        try add(
            "J-67",
            "another UUID, nothing new",
            .stale,
            changing: {
                $0.outer["notificationUUID"] = uuid
                $0.object["status"] = nil
            },
            adjusting: { $0.before = [first] }
        )
    }

    /// J-64, J-68, J-70, J-71: unusual, and right.
    mutating func addUnusual() throws {
        for (type, subtype) in [
            ("SOMETHING_NEW", nil), ("SOMETHING_NEW", "AND_MORE"), ("DID_RENEW", "VOLUNTARY"),
            ("REFUND", "INITIAL_BUY"), ("EXPIRED", "UPGRADE"), ("DID_RENEW", ""), ("x", nil),
        ] as [(String, String?)] {
            try add(
                "J-64",
                "\(type)/\(subtype ?? "-")",
                .applied,
                changing: {
                    $0.outer["notificationType"] = .string(type)
                    $0.outer["subtype"] = subtype.map { .string($0) }
                }
            )
        }
        try add(
            "J-68",
            "TEST",
            .ignored,
            changing: {
                $0 = $0.bare
                $0.outer["notificationType"] = "TEST"
            }
        )
        let signed = signed
        try add(
            "J-70",
            "REFUND of an unknown transaction",
            .applied,
            changing: {
                $0.outer["notificationType"] = "REFUND"
                $0.transaction?["revocationDate"] = .integer(signed)
                $0.transaction?["revocationReason"] = 1
            }
        )
        try add(
            "J-70",
            "REVOKE of a family member",
            .applied,
            changing: {
                $0.outer["notificationType"] = "REVOKE"
                $0.transaction?["inAppOwnershipType"] = "FAMILY_SHARED"
                $0.transaction?["revocationDate"] = .integer(signed)
                $0.object["status"] = 5
            }
        )
        var subscribed = HostileNotification(
            signed: signed - 60_000,
            uuid: "7f4c2f1e-0000-4000-8000-000000000004"
        )
        subscribed.outer["notificationType"] = "SUBSCRIBED"
        subscribed.outer["subtype"] = "INITIAL_BUY"
        subscribed.transaction?["transactionId"] = "2000000000000001"
        let first = HostileCase.body(try sign(good))
        add("J-70", "SUBSCRIBED after DID_RENEW", .applied, text: try sign(subscribed)) {
            $0.before = [first]
        }
        try addTokens()
    }

    private mutating func addTokens() throws {
        for (name, token) in [
            ("of nobody", "5d1e4a52-0000-4000-8000-0000000000ff"), ("no UUID", "user-42"),
            ("empty", ""),
            ("in capitals", "5D1E4A52-0000-4000-8000-000000000009"),
            ("all zero", "00000000-0000-0000-0000-000000000000"),
            ("a number", 42), ("null", .null), ("with a line feed", "a\nb"),
            ("of 10 KiB", .string(String(repeating: "a", count: 10 << 10))),
        ] as [(String, JSONValue)] {
            try add(
                "J-71",
                "token \(name)",
                .applied,
                changing: {
                    $0.transaction?["appAccountToken"] = token
                }
            )
        }
    }
}
