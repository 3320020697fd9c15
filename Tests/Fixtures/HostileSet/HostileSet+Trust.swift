import Forgery

/// J-31 to J-40: whom the chain leads to, and what its certificates may do.
extension HostileSet {
    /// A case under the trusted chain, changed in some part and signed anew.
    mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        chain change: (inout HostileChain) throws -> Void,
        adjusting adjust: (inout HostileCase) -> Void = { _ in }
    ) throws {
        var changed = chain
        try change(&changed)
        try add(id, name, expected, under: changed, adjust)
    }

    mutating func addTrust() throws {
        let (from, until) = (chain.root.validFrom, chain.root.validUntil)
        let other = try HostileChain(
            from: from,
            until: until,
            rootName: CertificateForm.name("Another Root")
        )
        try add("J-31", "a chain of its own", under: other)
        let payload = try goodPayload()
        let foreign = try other.ders()
        add(
            "J-31",
            "its own, the trusted root in the third place",
            text: try other.sign(payload, ders: [foreign[0], foreign[1], ders[2]])
        )
        add(
            "J-31",
            "a leaf of its own below the trusted intermediate's certificate",
            text: try other.sign(payload, ders: [foreign[0], ders[1], ders[2]])
        )
        var twin = try HostileChain(from: from, until: until, curve: "P-384")
        try add("J-32", "a root of the trusted root's name", under: twin)
        let identifier = DER.octets(CertificateForm.identifier(of: chain.rootKey))
        twin.root.replace("2.5.29.14", by: .init(oid: "2.5.29.14", value: identifier))
        let authority = DER.sequence([
            DER.element(0x80, CertificateForm.identifier(of: chain.rootKey))
        ])
        twin.middle.replace("2.5.29.35", by: .init(oid: "2.5.29.35", value: authority))
        try add("J-32", "a root of the trusted root's name and identifier", under: twin)
        try add("J-33", "intermediate names another issuer") {
            $0.middle.issuer = CertificateForm.name("Another Root")
        }
        try add("J-33", "leaf names another issuer") {
            $0.leaf.issuer = CertificateForm.name("Another WWDR")
        }
        var below = other
        below.leaf.issuer = chain.leaf.subject
        let signedByLeaf = try below.leaf.der(signedBy: chain.leafKey)
        for (name, list) in [
            ("leaf signed by a genuine leaf", [signedByLeaf, ders[0], ders[1]]),
            ("the same, the root in the third place", [signedByLeaf, ders[0], ders[2]]),
            ("the same, four certificates", [signedByLeaf, ders[0], ders[1], ders[2]]),
        ] {
            add("J-34", name, text: try other.sign(payload, ders: list))
        }
        let ownRoot = try rootLikeLeaf.der(signedBy: rootLikeLeaf.key)
        for list in [
            [roots[1], roots[1], roots[1]], [roots[1], ders[1], ders[2]],
            [ownRoot, ownRoot, ownRoot],
        ] {
            let document = HostileDocument(payload, ders: list)
            add("J-38", "a trusted root as leaf", text: try document.signed(by: rootLikeLeaf.key))
        }
        try add(
            "J-45",
            "the leaf's serial is blocked",
            chain: { _ in },
            adjusting: { $0.blockedSerials = [[0x40, 0x03]] }
        )
        try add(
            "J-45",
            "the intermediate's serial is blocked",
            chain: { _ in },
            adjusting: { $0.blockedSerials = [[0x40, 0x02]] }
        )
    }

    /// J-36: the markers.
    mutating func addMarkers() throws {
        let leaf = CertificateForm.leafMarker
        let middle = CertificateForm.intermediateMarker
        try add("J-35", "intermediate without its marker") { $0.middle.replace(middle, by: nil) }
        try add("J-35", "intermediate with the marker 100.6.2.2") {
            $0.middle.replace(middle, by: .marker("1.2.840.113635.100.6.2.2"))
        }
        try add("J-36", "leaf without its marker") { $0.leaf.replace(leaf, by: nil) }
        try add("J-36", "leaf with the marker 100.6.11.2") {
            $0.leaf.replace(leaf, by: .marker("1.2.840.113635.100.6.11.2"))
        }
        try add("J-36", "marker one arc longer") { $0.leaf.replace(leaf, by: .marker(leaf + ".1")) }
        try add("J-36", "marker on the intermediate alone") {
            $0.leaf.replace(leaf, by: nil)
            $0.middle.extensions.append(.marker(leaf))
        }
        try add("J-36", "marker inside another extension") {
            let value = DER.sequence([DER.oid(leaf)])
            $0.leaf.replace(leaf, by: .init(oid: "1.2.840.113635.100.6.1.99", value: value))
        }
        try add("J-36", "marker twice") { $0.leaf.extensions.append(.marker(leaf)) }
        try add("J-36", "markers exchanged") {
            $0.leaf.replace(leaf, by: .marker(middle))
            $0.middle.replace(middle, by: .marker(leaf))
        }
    }

    /// J-35, J-37, J-39, J-40.
    mutating func addAuthorities() throws {
        let constraints = "2.5.29.19"
        let usage = "2.5.29.15"
        try add("J-35", "intermediate with CA:FALSE") {
            $0.middle.replace(constraints, by: .authority(false))
        }
        try add("J-35", "intermediate without basicConstraints") {
            $0.middle.replace(constraints, by: nil)
        }
        try add("J-35", "intermediate without keyCertSign") {
            $0.middle.replace(usage, by: .usage(0x80))
        }
        try add("J-35", "leaf without digitalSignature") {
            $0.leaf.replace(usage, by: .usage(0x20))
        }
        let payload = try goodPayload()
        var sub = try HostileChain(from: chain.root.validFrom, until: chain.root.validUntil)
        sub.middle.issuer = chain.middle.subject
        sub.middle.subject = CertificateForm.name("Hostile Sub CA")
        sub.leaf.issuer = sub.middle.subject
        let between = try sub.middle.der(signedBy: chain.middleKey)
        let end = try sub.leaf.der(signedBy: sub.middleKey)
        for (name, list) in [
            ("an authority below the intermediate", [end, between, ders[1]]),
            ("the same, the root in the third place", [end, between, ders[2]]),
            ("the same, four certificates", [end, between, ders[1], ders[2]]),
        ] {
            add("J-35", name, text: try sub.sign(payload, ders: list))
        }
        try add("J-37", "the leaf is an authority") {
            $0.leaf.replace(constraints, by: .authority(true))
        }
        var issuing = chain
        issuing.leaf.replace(constraints, by: .authority(true))
        issuing.leaf.replace(usage, by: .usage(0x86))
        let authority = try issuing.leafDER()
        sub.leaf.issuer = chain.leaf.subject
        let fourth = try sub.leaf.der(signedBy: chain.leafKey)
        for list in [[fourth, authority, ders[1]], [fourth, authority, ders[1], ders[2]]] {
            add("J-37", "a leaf that issues", text: try sub.sign(payload, ders: list))
        }
        try addExtensions()
    }

    private mutating func addExtensions() throws {
        try add("J-39", "name constraint violated") {
            let name = DER.element(0xa4, CertificateForm.name("Permitted"))
            let tree = DER.element(0xa0, DER.sequence([name]))
            $0.middle.extensions.append(
                .init(oid: "2.5.29.30", isCritical: true, value: DER.sequence([tree]))
            )
        }
        for place in ["leaf", "intermediate"] {
            try add("J-39", "unknown critical extension in the \(place)") {
                let unknown = CertificateForm.Extension(
                    oid: "1.2.3.4.5",
                    isCritical: true,
                    value: DER.null
                )
                if place == "leaf" { $0.leaf.extensions.append(unknown) }
                if place != "leaf" { $0.middle.extensions.append(unknown) }
            }
            try add("J-39", "extension twice in the \(place)") {
                let unknown = CertificateForm.Extension(oid: "1.2.3.4.5", value: DER.null)
                if place == "leaf" { $0.leaf.extensions += [unknown, unknown] }
                if place != "leaf" { $0.middle.extensions += [unknown, unknown] }
            }
            for (name, version) in [
                ("version 1", []), ("version 2", DER.element(0xa0, DER.integer([1]))),
            ] {
                try add("J-40", "\(place) says \(name)") {
                    if place == "leaf" {
                        $0.leaf.version = version
                    } else {
                        $0.middle.version = version
                    }
                }
            }
            try add("J-40", "\(place) of version 3 without extensions") {
                if place == "leaf" { $0.leaf.extensions = [] } else { $0.middle.extensions = [] }
            }
            try add("J-40", "\(place) of version 1 without extensions") {
                if place == "leaf" {
                    $0.leaf.version = []
                    $0.leaf.extensions = []
                } else {
                    $0.middle.version = []
                    $0.middle.extensions = []
                }
            }
        }
    }
}
