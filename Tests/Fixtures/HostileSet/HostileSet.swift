import CertificateAuthority
import Forgery
import JSON

/// The catalogue of hostile notifications, J-01 to J-75, made with an own chain.
///
/// Keys differ from run to run, ids and names do not. What belongs to HTTP alone (media types,
/// encodings) is tested at the listener; loops over every bit are in the tests of Signatures.
package struct HostileSet: Sendable {
    /// The moment at which everything is judged, in ms since 1970.
    package let now: Int64
    /// The chain that is trusted.
    package let chain: HostileChain
    /// Its leaf, intermediate and root, DER.
    package let ders: [[UInt8]]
    /// A key whose certificate is trusted as a root but marked as a leaf.
    let rootLikeLeaf: CertificateForm
    private let rootLikeLeafDER: [UInt8]
    /// The chain that demos use; trusted, too.
    let demo: SigningAuthority
    /// The cases, in order.
    package private(set) var cases: [HostileCase] = []
    private var counts: [String: Int] = [:]

    /// All cases, with documents signed an hour before `now`.
    package init(now: Int64) throws {
        self.now = now
        chain = try HostileChain(
            from: now - 400 * 86_400_000,
            until: now + 3_000 * 86_400_000,
            curve: "P-384"
        )
        ders = try chain.ders()
        var root = chain.leaf
        root.key = try CertificateKey(.curve("P-256"))
        root.subject = CertificateForm.name("Root like a leaf")
        root.issuer = root.subject
        root.serial = DER.integer([0x40, 0x09])
        root.extensions = [
            .authority(true), .usage(0x86), .marker(CertificateForm.leafMarker),
            .marker(CertificateForm.intermediateMarker),
            .init(oid: "2.5.29.14", value: DER.octets(CertificateForm.identifier(of: root.key))),
        ]
        rootLikeLeaf = root
        demo = try SigningAuthority.mint(
            validFrom: chain.root.validFrom,
            validUntil: chain.root.validUntil
        )
        rootLikeLeafDER = try root.der(signedBy: root.key)
        try addStructure()
        try addHeaders()
        try addKeyConfusion()
        try addChainLists()
        try addTrust()
        try addMarkers()
        try addAuthorities()
        try addKeys()
        try addDates()
        try addEncodings()
        try addSignatures()
        try addPayloads()
        try addIdentities()
        try addKinds()
        try addValues()
        try addSequences()
        try addUnusual()
    }

    /// The roots that a daemon has to trust.
    package var roots: [[UInt8]] { [ders[2], rootLikeLeafDER, demo.rootDER] }

    /// When documents are signed unless a case is about that.
    package var signed: Int64 { now - 3_600_000 }

    var good: HostileNotification { HostileNotification(signed: signed) }

    /// A document under the trusted chain.
    package func sign(_ payload: [UInt8]) throws -> String { try chain.sign(payload, ders: ders) }

    /// A notification, it and its inner documents under the trusted chain.
    package func sign(_ notification: HostileNotification) throws -> String {
        try sign(notification.payload(sign))
    }

    /// The good payload, its inner documents signed.
    func goodPayload() throws -> [UInt8] { try good.payload(sign) }

    mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        body: [UInt8],
        _ adjust: (inout HostileCase) -> Void = { _ in }
    ) {
        let number = counts[id, default: 0] + 1
        counts[id] = number
        var made = HostileCase(id: "\(id).\(number)", name: name, body: body, expected: expected)
        adjust(&made)
        cases.append(made)
    }

    mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        text: String,
        _ adjust: (inout HostileCase) -> Void = { _ in }
    ) {
        add(id, name, expected, body: HostileCase.body(text), adjust)
    }

    /// A case made by changing the good notification before it is signed.
    mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        changing change: (inout HostileNotification) -> Void,
        adjusting adjust: (inout HostileCase) -> Void = { _ in }
    ) throws {
        var notification = good
        change(&notification)
        add(id, name, expected, text: try sign(notification), adjust)
    }

    /// A case whose outer document is under another chain; its inner documents are good.
    mutating func add(
        _ id: String,
        _ name: String,
        _ expected: HostileCase.Answer = .unauthorized,
        under chain: HostileChain,
        ders: [[UInt8]]? = nil,
        _ adjust: (inout HostileCase) -> Void = { _ in }
    ) throws {
        let text = try chain.sign(try goodPayload(), ders: ders)
        add(id, name, expected, text: text, adjust)
    }
}
