import Forgery

/// J-41 to J-50: keys, dates and encodings of certificates.
extension HostileSet {
    mutating func addKeys() throws {
        try add("J-41", "leaf says another algorithm inside than outside") {
            $0.leaf.outerAlgorithm = CertificateForm.ecdsaSHA384
        }
        try add("J-41", "leaf signed with SHA-256, called SHA-384") {
            $0.leaf.algorithm = CertificateForm.ecdsaSHA384
        }
        try add("J-41", "leaf signed with SHA-1") {
            $0.leaf.algorithm = DER.sequence([DER.oid("1.2.840.10045.4.1")])
            $0.leaf.hash = .sha1
        }
        try add("J-41", "intermediate signed with SHA-1") {
            $0.middle.algorithm = DER.sequence([DER.oid("1.2.840.10045.4.1")])
            $0.middle.hash = .sha1
        }
        let rsa = try CertificateKey(.rsa)
        for (name, oid, hash) in [
            ("SHA-256", "1.2.840.113549.1.1.11", CertificateKey.Hash.sha256),
            ("MD5", "1.2.840.113549.1.1.4", .md5),
        ] {
            try add("J-41", "RSA intermediate, leaf signed with \(name)") {
                $0.middleKey = rsa
                $0.middle.key = rsa
                $0.leaf.algorithm = DER.sequence([DER.oid(oid), DER.null])
                $0.leaf.hash = hash
            }
        }
        for (place, name, kind) in [
            ("leaf", "P-384", CertificateKey.Kind.curve("P-384")),
            ("leaf", "P-521", .curve("P-521")),
            ("leaf", "secp256k1", .curve("secp256k1")), ("leaf", "Ed25519", .ed25519),
            ("leaf", "explicit P-256", .curve("P-256", isExplicit: true)),
            ("intermediate", "P-521", .curve("P-521")),
            ("intermediate", "explicit P-256", .curve("P-256", isExplicit: true)),
        ] {
            let key = try CertificateKey(kind)
            var changed = chain
            if place == "leaf" {
                changed.leaf.key = key
            } else {
                changed.middleKey = key
                changed.middle.key = key
            }
            let document = HostileDocument(try goodPayload(), ders: try changed.ders())
            let input = Array(document.input.utf8)
            var signature = try chain.leafKey.pair(over: input)
            switch (place, name) {
            case ("leaf", "explicit P-256"), ("leaf", "secp256k1"):
                signature = try key.pair(over: input)
            case ("leaf", "Ed25519"): signature = try key.signature(over: input, .none)
            default: break
            }
            add("J-41", "\(place)'s key on \(name)", text: document.with(signature))
        }
        try addPoints()
    }

    private mutating func addPoints() throws {
        let good = chain.leafKey.publicDER
        let head = DER.sequence([DER.oid("1.2.840.10045.2.1"), DER.oid("1.2.840.10045.3.1.7")])
        var off = good
        off[off.count - 1] ^= 1
        let point = Array(good.suffix(64))
        let sign: UInt8 = 0x02 | point[63] & 1
        let hybrid: UInt8 = 0x06 | point[63] & 1
        for (name, key) in [
            ("not on the curve", off), ("at infinity", DER.sequence([head, DER.bits([0])])),
            ("of no bytes", DER.sequence([head, DER.bits([])])),
            ("compressed", DER.sequence([head, DER.bits([sign] + point.prefix(32))])),
            ("hybrid", DER.sequence([head, DER.bits([hybrid] + point)])),
            ("cut", DER.sequence([head, DER.bits([0x04] + point.dropLast())])),
        ] {
            try add("J-41", "leaf's point \(name)") { $0.leaf.publicKey = key }
        }
    }

    /// J-42 to J-44.
    mutating func addDates() throws {
        let day: Int64 = 86_400_000
        let signed = signed
        try add("J-42", "leaf expired when signed") { $0.leaf.validUntil = signed - day }
        try add("J-42", "leaf not yet valid when signed") { $0.leaf.validFrom = signed + 1000 }
        try add("J-42", "leaf of now, signed before") { $0.leaf.validFrom = signed + 60_000 }
        try add("J-42", "intermediate expired when signed") { $0.middle.validUntil = signed - day }
        try add("J-42", "intermediate not yet valid when signed") {
            $0.middle.validFrom = signed + day
        }
        try add("J-42", "leaf expired since, as after a rotation", .applied) {
            $0.leaf.validUntil = signed + 1000
        }
        let second = signed / 1000 * 1000
        try add("J-42", "signed in the leaf's first second", .applied) {
            $0.leaf.validFrom = second
        }
        try add("J-42", "signed in the second after the leaf's last") {
            $0.leaf.validUntil = second - 1000
        }
        try add("J-42", "signed in the leaf's last second", .applied) {
            $0.leaf.validUntil = second
        }
        try add("J-42", "leaf never valid") { $0.leaf.validUntil = $0.leaf.validFrom - 1000 }
        let times: [(String, [UInt8])] = [
            ("no seconds", DER.element(0x17, Array("2401010000Z".utf8))),
            ("no Z", DER.element(0x17, Array("240101000000".utf8))),
            ("a time zone", DER.element(0x17, Array("240101000000+0100".utf8))),
            ("month 13", DER.element(0x17, Array("241301000000Z".utf8))),
            ("30 February", DER.element(0x17, Array("240230000000Z".utf8))),
            ("letters", DER.element(0x17, Array("24AB01000000Z".utf8))),
            ("empty", DER.element(0x17, [])),
            ("GeneralizedTime before 2050", DER.element(0x18, Array("20240101000000Z".utf8))),
            ("fractions", DER.element(0x18, Array("20240101000000.5Z".utf8))),
            ("an INTEGER", DER.integer([24])),
        ]
        for (name, time) in times {
            try add("J-44", "leaf's notBefore: \(name)") { $0.leaf.notBefore = time }
        }
        try add("J-44", "leaf's notAfter: UTCTime 50, which is 1950") {
            $0.leaf.notAfter = DER.element(0x17, Array("500101000000Z".utf8))
        }
        try add("J-44", "leaf's notAfter: GeneralizedTime 2050", .applied) {
            $0.leaf.notAfter = DER.element(0x18, Array("20500101000000Z".utf8))
        }
        try add("J-44", "leaf's notAfter: UTCTime 49, which is 2049", .applied) {
            $0.leaf.notAfter = DER.element(0x17, Array("491231235959Z".utf8))
        }
    }

    /// J-46, J-47, J-50: certificates that are no DER, or odd DER.
    ///
    /// Loops are in the tests.
    mutating func addEncodings() throws {
        let payload = try goodPayload()
        let body = chain.leaf.body
        let contents: [UInt8] = Array(body.dropFirst(4))
        precondition(body[1] == 0x82, "the body's length takes two bytes")
        let digits = Array(body[2...3])
        let whole = ders[0]
        let indefinite: [UInt8] = [0x30, 0x80] + Array(whole.dropFirst(4)) + [0, 0]
        let wide: [UInt8] = [0x30, 0x83, 0] + Array(whole.dropFirst(2))
        let innerIndefinite: [UInt8] = [0x30, 0x80] + contents + [0, 0]
        let innerWide: [UInt8] = [0x30, 0x83, 0] + digits + contents
        let key = chain.middleKey
        var rows: [(String, String, [UInt8])] = [
            ("J-46", "a byte after", whole + [0]), ("J-46", "a certificate after", whole + ders[1]),
            ("J-46", "indefinite length", indefinite),
            ("J-46", "length not minimal", wide),
            (
                "J-46", "indefinite length inside",
                try CertificateForm.sealed(innerIndefinite, signedBy: key)
            ),
            (
                "J-46", "length not minimal inside",
                try CertificateForm.sealed(innerWide, signedBy: key)
            ),
        ]
        for (id, name, first) in [
            ("J-47", "length 2^31", [0x30, 0x84, 0x80, 0, 0, 0] as [UInt8]),
            ("J-47", "length 2^63", [0x30, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            ("J-47", "length 2^64 - 1", [0x30, 0x88] + Array(repeating: 0xff, count: 8)),
            ("J-47", "length of 126 bytes", [0x30, 0xfe] + Array(repeating: 0xff, count: 126)),
        ] {
            rows.append((id, name, first + whole.dropFirst(4)))
        }
        for depth in [900, 10_000] {
            let nested = (0..<depth).reduce(into: [UInt8]()) { made, _ in made += [0x30, 0x80] }
            rows.append(("J-47", "\(depth) sequences, open", nested))
        }
        var nested: [UInt8] = []
        for _ in 0..<900 { nested = DER.element(0x30, nested) }
        rows.append(("J-47", "900 sequences", nested))
        for (id, name, list) in rows {
            add(id, "leaf: \(name)", text: try chain.sign(payload, ders: [list, ders[1], ders[2]]))
        }
        try addValuesInside()
    }

    private mutating func addValuesInside() throws {
        for (name, serial) in [
            ("not minimal", [0x02, 0x03, 0x00, 0x40, 0x03] as [UInt8]),
            ("negative", [0x02, 0x01, 0x80]),
            ("of 64 bytes", DER.integer(Array(repeating: 0x41, count: 64))),
            ("of 21 bytes", DER.integer(Array(repeating: 0x41, count: 21))),
            ("of no bytes", [0x02, 0x00]),
        ] {
            try add("J-46", "leaf's serial \(name)") { $0.leaf.serial = serial }
        }
        let loose: [UInt8] = [0x01, 0x01, 0x01]
        try add("J-50", "critical written as 0x01") { $0.leaf.extensions[0].criticalDER = loose }
        try add("J-50", "critical written as false") {
            $0.leaf.extensions[1].criticalDER = [0x01, 0x01, 0x00]
        }
        try add("J-50", "CA written as 0x01") {
            $0.middle.extensions[0].value = DER.sequence([loose, DER.integer([0])])
        }
        try add("J-50", "CA:FALSE written out") {
            $0.leaf.extensions[0].value = DER.sequence([[0x01, 0x01, 0x00]])
        }
        try add("J-50", "bytes after basicConstraints") {
            $0.leaf.extensions[0].value = DER.sequence([]) + [0x05, 0x00]
        }
        try add("J-50", "bits set in keyUsage that are unused") {
            $0.leaf.extensions[1].value = DER.bits([0x81], unused: 7)
        }
        for (name, subject) in [
            ("PrintableString with @", CertificateForm.name("a@b", tag: 0x13)),
            ("IA5String beyond ASCII", CertificateForm.name("\u{e9}", tag: 0x16)),
            ("NUL in CN", CertificateForm.name("Hostile\u{0}.invalid")),
            ("no UTF-8", Self.nameOfBytes([0xff, 0xfe])),
            ("overlong UTF-8", Self.nameOfBytes([0xc0, 0x80])),
        ] {
            try add("J-50", "leaf's subject: \(name)") { $0.leaf.subject = subject }
        }
    }

    private static func nameOfBytes(_ bytes: [UInt8]) -> [UInt8] {
        let entry = DER.sequence([DER.oid("2.5.4.3"), DER.element(0x0c, bytes)])
        return DER.sequence([DER.set([entry])])
    }
}
