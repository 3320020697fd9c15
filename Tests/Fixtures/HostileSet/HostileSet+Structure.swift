import CertificateAuthority
import Forgery
import JSON

/// J-01 to J-14: the document's outer form.
extension HostileSet {
    mutating func addStructure() throws {
        let text = try sign(good)
        let parts = text.split(separator: ".").map(String.init)
        add("J-00", "the good one, as a measure", .applied, text: text)
        let demonstrated = try good.payload { payload throws in try demo.sign(payload) }
        add("J-00", "the chain of demos", .applied, text: try demo.sign(demonstrated))
        try addPlain()
        add("J-01", "empty", .malformed, text: "")
        add("J-02", "one segment", .malformed, text: parts[0])
        add("J-02", "two segments", .malformed, text: parts[0] + "." + parts[1])
        add("J-02", "four segments", .malformed, text: text + "." + parts[2])
        add("J-02", "five segments", .malformed, text: text + ".e30.e30")
        add("J-03", "empty header", text: "." + parts[1] + "." + parts[2])
        add("J-03", "empty payload", text: parts[0] + ".." + parts[2])
        add("J-03", "empty signature", text: parts[0] + "." + parts[1] + ".")
        add(
            "J-04",
            "JSON serialisation in the string",
            .malformed,
            text: #"{"payload":"\#(parts[1])","signatures":[]}"#
        )
        add(
            "J-04",
            "JSON serialisation as the body",
            .malformed,
            body: Array(
                #"""
                {"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])",\#
                "signature":"\#(parts[2])"}]}
                """#
                .utf8
            )
        )
        let key = chain.leafKey
        let detached = parts[0] + "."
        let signature = Base64.urlText(try key.pair(over: Array(text.utf8.prefix { $0 != 0 })))
        add("J-05", "detached payload", text: detached + "." + signature)
        for (name, changed) in [
            ("leading space", " " + text), ("trailing space", text + " "),
            ("trailing line feed", text + "\n"), ("leading byte order mark", "\u{feff}" + text),
            ("trailing NUL", text + "\0"),
            ("NUL inside", parts[0] + "\0." + parts[1] + "." + parts[2]),
            ("line end inside", parts[0] + ".\r\n" + parts[1] + "." + parts[2]),
            ("line end in the signature", text.prefix(text.count - 4) + "\r\n" + text.suffix(4)),
        ] {
            add("J-06", name, text: changed)
        }
        for place in 0..<3 {
            var padded = parts
            padded[place] += String(repeating: "=", count: max(1, (4 - parts[place].count % 4) % 4))
            add("J-07", "padding in segment \(place + 1)", text: padded.joined(separator: "."))
        }
        try addAlphabets(parts)
        try addBodies(text)
    }

    /// Chains as plain as those of Apple's own tests, which switch strict mode off
    /// (docs/app-store-facts.md, "Verification").
    private mutating func addPlain() throws {
        let rows: [(String, (inout HostileChain) -> Void)] = [
            (
                "no key identifiers",
                {
                    for oid in ["2.5.29.14", "2.5.29.35"] {
                        $0.removeFromLeaf(oid)
                        $0.removeFromMiddle(oid)
                    }
                }
            ),
            (
                "no keyUsage",
                {
                    $0.removeFromLeaf("2.5.29.15")
                    $0.removeFromMiddle("2.5.29.15")
                }
            ),
            ("basicConstraints not critical", { $0.middle.extensions[0].isCritical = false }),
        ]
        for (name, change) in rows {
            try add(
                "J-00",
                "a chain with \(name)",
                .applied,
                chain: change,
                adjusting: { $0.isRelaxed = true }
            )
        }
    }

    private mutating func addAlphabets(_ parts: [String]) throws {
        // Each segment is made so that a letter occurs which the alphabets write differently.
        for place in 0..<3 {
            var changed = parts
            if place == 1 {
                // A payload in which 62 and 63 are sure to occur.
                var payload = good.bare
                payload.outer["note"] = "???>>>???>>>~~~"
                payload.outer["notificationType"] = "TEST"
                changed = try sign(payload).split(separator: ".").map(String.init)
            }
            if place == 0 {
                let header = #"{"alg":"ES256","n":"???>>>~~~","x5c":[\#(x5cText(ders))]}"#
                let payload = try goodPayload()
                changed = try HostileDocument(payload, header: header).signed(by: chain.leafKey)
                    .split(separator: ".").map(String.init)
            }
            if place == 2 {
                while !changed[2].contains("-") && !changed[2].contains("_") {
                    changed = try sign(good).split(separator: ".").map(String.init)
                }
            }
            changed[place] = changed[place].replacing("-", with: "+").replacing("_", with: "/")
            add(
                "J-08",
                "standard alphabet in segment \(place + 1)",
                text: changed.joined(separator: ".")
            )
        }
        for place in 0..<3 {
            var changed = parts
            var length = 0
            // A trailing space in JSON makes the payload's length leave bits over.
            while changed[place].count % 4 == 0 {
                length += 1
                var document = HostileDocument(try goodPayload(), ders: ders)
                if place == 0 { document.header += Array(repeating: 0x20, count: length) }
                if place == 1 { document.payload += Array(repeating: 0x20, count: length) }
                changed = try document.signed(by: chain.leafKey).split(separator: ".")
                    .map(String.init)
            }
            changed[place] = Self.withTrailingBit(changed[place])
            add(
                "J-09",
                "trailing bits in segment \(place + 1)",
                text: changed.joined(separator: ".")
            )
        }
        let text = parts.joined(separator: ".")
        add("J-10", "percent-encoded dots", .malformed, text: text.replacing(".", with: "%2E"))
        add("J-10", "percent-encoded letter", text: "%65" + text.dropFirst())
        let long = String(repeating: "A", count: 10 << 20)
        let huge = parts[0] + "." + long + "." + parts[2]
        add("J-11", "10 MB", .malformed, body: Array(#"{"signedPayload":"\#(huge)"}"#.utf8))
        try add(
            "J-11",
            "genuine, but 140 KiB",
            .malformed,
            changing: { $0.outer["filler"] = .string(String(repeating: "x", count: 140 << 10)) }
        )
        add("J-12", "full-width dots", .malformed, text: text.replacing(".", with: "\u{ff0e}"))
        add("J-12", "full-width letter", text: "\u{ff45}" + text.dropFirst())
        add("J-12", "ideographic full stop beside", text: text + "\u{3002}")
    }

    /// The same bytes, another text: a bit set that encodes nothing.
    package static func withTrailingBit(_ segment: String) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        guard let last = segment.last, let value = letters.firstIndex(of: last) else {
            preconditionFailure("a segment ends in a letter of its alphabet")
        }
        return segment.dropLast() + String(letters[value | 1 == value ? value ^ 1 : value | 1])
    }

    func x5cText(_ ders: [[UInt8]]) -> String {
        ders.map { "\"\(Base64.text($0))\"" }.joined(separator: ",")
    }

    private mutating func addBodies(_ text: String) throws {
        for (name, body) in [
            ("a number", #"{"signedPayload":1}"#), ("an array", #"{"signedPayload":["\#(text)"]}"#),
            ("null", #"{"signedPayload":null}"#), ("an object", #"{"signedPayload":{}}"#),
            ("true", #"{"signedPayload":true}"#), ("missing", "{}"),
            ("twice", #"{"signedPayload":"\#(text)","signedPayload":"\#(text)"}"#),
            ("twice, once escaped", #"{"signedPayload":"\#(text)","signed\u0050ayload":"a.b.c"}"#),
            ("in another case", #"{"signedpayload":"\#(text)"}"#),
            ("in an array", #"["\#(text)"]"#),
            ("alone", "\"\(text)\""), ("nothing at all", ""),
            ("text after it", #"{"signedPayload":"\#(text)"}x"#),
            ("cut", #"{"signedPayload":"\#(text)"#),
        ] {
            add("J-13", "signedPayload: \(name)", .malformed, body: Array(body.utf8))
        }
        add(
            "J-13",
            "bytes that are no UTF-8",
            .malformed,
            body: Array(#"{"a":""#.utf8) + [0xff, 0x22, 0x7d]
        )
        add("J-14", "a form", .malformed, body: Array("signedPayload=\(text)".utf8))
        add("J-14", "plain text", .malformed, body: Array(text.utf8))
        add("J-75", "compressed", .malformed, body: [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3])
    }
}
