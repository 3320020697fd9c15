import Forgery
import JSON

/// J-15 to J-30: the header, and the list of certificates in it.
extension HostileSet {
    /// A case whose header is `header`, signed by the trusted leaf all the same.
    private mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        header: String
    ) throws {
        let document = HostileDocument(try goodPayload(), header: header)
        add(id, name, expected, text: try document.signed(by: chain.leafKey))
    }

    mutating func addHeaders() throws {
        let list = x5cText(ders)
        for alg in ["none", "None", "nOnE", "NONE"] {
            let header = #"{"alg":"\#(alg)","x5c":[\#(list)]}"#
            add("J-15", alg, text: HostileDocument(try goodPayload(), header: header).with([]))
            try add("J-15", "\(alg), signed", header: header)
        }
        for (name, alg) in [
            ("lower case", #""alg":"es256","#), ("space after", #""alg":"ES256 ","#),
            ("array", #""alg":["ES256"],"#), ("missing", ""), ("null", #""alg":null,"#),
            ("twice, none first", #""alg":"none","alg":"ES256","#),
            ("twice, ES256 first", #""alg":"ES256","alg":"none","#),
            ("key in capitals", #""ALG":"ES256","#), ("NUL after", #""alg":"ES256\u0000","#),
        ] {
            try add("J-19", "alg: \(name)", header: #"{\#(alg)"x5c":[\#(list)]}"#)
        }
        for (id, name, member) in [
            ("J-21", "jku", #""jku":"https://attacker.invalid/keys""#),
            ("J-21", "x5u", #""x5u":"https://attacker.invalid/chain""#),
            ("J-22", "crit", #""crit":["exp"]"#), ("J-22", "crit empty", #""crit":[]"#),
            ("J-22", "b64 false", #""b64":false"#),
            ("J-22", "b64 with crit", #""b64":false,"crit":["b64"]"#),
            ("J-22", "zip", #""zip":"DEF""#), ("J-22", "enc", #""enc":"A128GCM""#),
        ] {
            try add(id, name, header: #"{"alg":"ES256",\#(member),"x5c":[\#(list)]}"#)
        }
        for (name, value) in [
            ("missing", ""), ("null", #","x5c":null"#), ("empty array", #","x5c":[]"#),
            ("string", #","x5c":"\#(Base64.text(ders[0]))""#), ("object", #","x5c":{}"#),
            ("array of numbers", #","x5c":[1,2,3]"#),
            ("twice", #","x5c":[\#(list)],"x5c":[\#(list)]"#),
            ("twice, once escaped", #","x5c":[\#(list)],"x\u0035c":[\#(list)]"#),
        ] {
            let id = name.hasPrefix("twice") ? "J-24" : "J-23"
            try add(id, "x5c: \(name)", header: #"{"alg":"ES256"\#(value)}"#)
        }
        let filler = String(repeating: "x", count: 17 << 10)
        let members = #""alg":"ES256","x5c":[\#(list)]"#
        try add("J-24", "header of 17 KiB more", header: #"{\#(members),"f":"\#(filler)"}"#)
        for depth in [5, 10_000] {
            let nest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            try add("J-24", "header \(depth) deep", header: #"{\#(members),"d":\#(nest)}"#)
        }
        try add("J-24", "header is an array", header: #"[{\#(members)}]"#)
        try add("J-24", "header is a string", header: #""ES256""#)
        try add("J-24", "text after the header", header: #"{\#(members)}x"#)
        try add("J-24", "header with a comma too many", header: #"{\#(members),}"#)
        try add(
            "J-29",
            "x5t#S256 of something else is ignored",
            .applied,
            header: #"{\#(members),"x5t#S256":"AAAA"}"#
        )
        try add(
            "J-29",
            "kid and typ are ignored",
            .applied,
            header: #"{\#(members),"kid":"k","typ":"JWT"}"#
        )
    }

    /// J-16 to J-18 and J-20: keys and algorithms that do not belong together.
    mutating func addKeyConfusion() throws {
        let payload = try goodPayload()
        let pem = chain.leafKey.publicPEM
        for (name, secret) in [("PEM", Array(pem.utf8)), ("DER", chain.leafKey.publicDER)] {
            let document = HostileDocument(payload, x5c: ders.map(Base64.text), alg: "HS256")
            let tag = CertificateKey.hmac(Array(document.input.utf8), secret: secret)
            add("J-16", "HS256 with the public key as \(name)", text: document.with(tag))
        }
        let rows: [(String, String, CertificateKey.Kind, CertificateKey.Hash, Bool, Int)] = [
            ("J-17", "RS256", .rsa, .sha256, false, 0), ("J-17", "PS256", .rsa, .sha256, true, 0),
            ("J-18", "ES384", .curve("P-384"), .sha384, false, 48),
            ("J-18", "ES512", .curve("P-521"), .sha512, false, 66),
            ("J-18", "ES256K", .curve("secp256k1"), .sha256, false, 32),
            ("J-18", "EdDSA", .ed25519, .none, false, 0),
        ]
        for (id, alg, kind, hash, isPSS, width) in rows {
            let key = try CertificateKey(kind)
            var leaf = chain.leaf
            leaf.key = key
            let list = [try leaf.der(signedBy: chain.middleKey), ders[1], ders[2]].map(Base64.text)
            for name in [alg, "ES256"] {
                let document = HostileDocument(payload, x5c: list, alg: name)
                let input = Array(document.input.utf8)
                let signature =
                    width > 0
                    ? try key.pair(over: input, hash, width: width)
                    : try key.signature(over: input, hash, isPSS: isPSS)
                add(id, "\(alg) under its own leaf, called \(name)", text: document.with(signature))
            }
        }
        let stranger = try CertificateKey(.curve("P-256"))
        let point = Array(stranger.publicDER.suffix(64))
        let x = Base64.urlText(Array(point.prefix(32)))
        let y = Base64.urlText(Array(point.suffix(32)))
        let jwk = #""jwk":{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#
        for list in [#","x5c":[\#(x5cText(ders))]"#, ""] {
            let document = HostileDocument(payload, header: #"{"alg":"ES256",\#(jwk)\#(list)}"#)
            add("J-20", "a key of its own", text: try document.signed(by: stranger))
        }
    }

    mutating func addChainLists() throws {
        let payload = try goodPayload()
        let (leaf, middle, root) = (ders[0], ders[1], ders[2])
        for (id, name, list) in [
            ("J-25", "1 certificate", [leaf]), ("J-25", "2 certificates", [leaf, middle]),
            ("J-25", "4 certificates", [leaf, middle, root, root]),
            ("J-25", "100 certificates", Array(repeating: leaf, count: 100)),
            ("J-26", "reversed", [root, middle, leaf]),
            ("J-26", "leaf twice", [leaf, leaf, middle]),
            ("J-26", "root first", [root, leaf, middle]),
            ("J-26", "middle twice", [middle, middle, root]),
        ] {
            add(id, name, text: try chain.sign(payload, ders: list))
        }
        let many = String(repeating: "\"\",", count: 9_999) + "\"\""
        try add("J-25", "10,000 certificates", header: #"{"alg":"ES256","x5c":[\#(many)]}"#)
        let texts = ders.map(Base64.text)
        var url = texts
        for place in 0..<3 {
            url[place] = texts[place].replacing("+", with: "-").replacing("/", with: "_")
        }
        let first = texts[0]
        let pem = "-----BEGIN CERTIFICATE-----\n\(first)\n-----END CERTIFICATE-----"
        for (id, name, text) in [
            ("J-27", "PEM", pem),
            ("J-27", "line feed inside", first.prefix(64) + "\n" + first.dropFirst(64)),
            ("J-27", "space before", " " + first), ("J-27", "space after", first + " "),
            ("J-28", "empty", ""),
            (
                "J-28", "random bytes",
                Base64.text((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            ),
            ("J-28", "5 KiB", Base64.text(Array(repeating: 0x30, count: 5 << 10))),
            ("J-28", "no base64", "!!!!"),
        ] {
            let list = [text, texts[1], texts[2]]
            add(id, "first entry: \(name)", text: try signed(x5c: list, payload))
        }
        add("J-27", "base64url", text: try signed(x5c: url, payload))
        var odd = chain.leaf
        odd.subject = CertificateForm.name("Hostile Receipt Signing")
        var der = try odd.der(signedBy: chain.middleKey)
        while der.count % 3 == 0 { der = try odd.der(signedBy: chain.middleKey) }
        let bare = Base64.text(der).replacing("=", with: "")
        add("J-27", "no padding", text: try signed(x5c: [bare, texts[1], texts[2]], payload))
        let other = try HostileChain(from: chain.root.validFrom, until: chain.root.validUntil)
        add(
            "J-30",
            "another root in the third place",
            .applied,
            text: try chain.sign(payload, ders: [leaf, middle, try other.rootDER()])
        )
        add(
            "J-30",
            "bytes of no meaning in the third place",
            .applied,
            text: try chain.sign(payload, ders: [leaf, middle, [1, 2, 3]])
        )
    }

    private func signed(x5c: [String], _ payload: [UInt8]) throws -> String {
        try HostileDocument(payload, x5c: x5c).signed(by: chain.leafKey)
    }
}
