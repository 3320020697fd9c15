import Foundation
import JSON
import TestSupport
import Testing

@testable import AppStoreSimulator
@testable import CertificateAuthority

/// Who is let in to the store's API.
struct APIAccessTests {
    static let now: Int64 = 1_790_000_000_000

    static func access() throws -> APIAccess {
        APIAccess(
            issuerID: "57246542-96fe-1a63-e053-0824d011072a",
            keyID: "2X9R4HXF34",
            bundleID: "com.example.app",
            key: try ES256Key()
        )
    }

    static func claims() -> JSONObject {
        [
            "iss": "57246542-96fe-1a63-e053-0824d011072a", "iat": .integer(now / 1_000),
            "exp": .integer(now / 1_000 + 300), "aud": "appstoreconnect-v1",
            "bid": "com.example.app",
        ]
    }

    static let header: JSONObject = ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"]

    @Test func `a token of the key is accepted for five minutes`() throws {
        let access = try Self.access()
        let token = try access.authorization(at: Self.now)
        try access.check(token, at: Self.now)
        try access.check(token, at: Self.now + 299_000)
        #expect(throws: APIAccess.Refusal.expired) {
            try access.check(token, at: Self.now + 300_000)
        }
        #expect(throws: APIAccess.Refusal.future) {
            try access.check(token, at: Self.now - 61_000)
        }
    }

    static let second = now / 1_000

    /// A claim, what it says instead or nil for nothing, and why that is refused.
    static let wrongClaims: [(String, JSONValue?, APIAccess.Refusal)] = [
        ("iss", "another", .issuer), ("aud", "appstoreconnect-v2", .audience),
        ("bid", "com.example.other", .bundle), ("iss", nil, .issuer), ("aud", nil, .audience),
        ("bid", nil, .bundle), ("iat", "now", .times), ("exp", nil, .times),
        ("exp", .integer(second + 3_601), .times), ("exp", .integer(second - 1), .times),
        ("iat", .integer(Int64.min), .times), ("exp", .integer(second), .expired),
        ("iat", .integer(second + 61), .future),
    ]

    @Test(arguments: wrongClaims)
    func `each claim is checked`(
        key: String,
        value: JSONValue?,
        refusal: APIAccess.Refusal
    ) throws {
        let access = try Self.access()
        var claims = Self.claims()
        claims[key] = value
        let token = try access.authorization(header: Self.header, claims: claims)
        #expect(throws: refusal) { try access.check(token, at: Self.now) }
    }

    @Test func `a token that does not say when it was issued ends within the hour`() throws {
        let access = try Self.access()
        var claims = Self.claims()
        claims["iat"] = nil
        // Clocks may differ by a minute.
        let ends: [(Int64, APIAccess.Refusal?)] = [
            (300, nil), (3_660, nil), (3_661, .times), (0, .expired), (-1, .expired),
        ]
        for (seconds, refusal) in ends {
            claims["exp"] = .integer(Self.second + seconds)
            let token = try access.authorization(header: Self.header, claims: claims)
            var answer: APIAccess.Refusal?
            do { try access.check(token, at: Self.now) } catch { answer = error }
            #expect(answer == refusal, "\(seconds) s")
        }
    }

    static let wrongHeaders: [(String, JSONValue?)] = [
        ("alg", "none"), ("alg", "HS256"), ("alg", nil), ("kid", "2X9R4HXF35"), ("kid", nil),
        ("typ", "JWS"),
    ]

    @Test(arguments: wrongHeaders)
    func `the header names ES256 and the key`(key: String, value: JSONValue?) throws {
        let access = try Self.access()
        var header = Self.header
        header[key] = value
        let token = try access.authorization(header: header, claims: Self.claims())
        #expect(throws: APIAccess.Refusal.header) { try access.check(token, at: Self.now) }
    }

    @Test func `another key's token, and one that was touched, are refused`() throws {
        let access = try Self.access()
        let foreign = try Self.access().authorization(at: Self.now)
        #expect(throws: APIAccess.Refusal.signature) { try access.check(foreign, at: Self.now) }
        let good = try access.authorization(at: Self.now)
        let segments = good.split(separator: ".").map(String.init)
        var claims = Self.claims()
        claims["exp"] = .integer(Self.now / 1_000 + 301)
        let forged = Base64.urlText(JSONValue.object(claims).bytes)
        #expect(throws: APIAccess.Refusal.signature) {
            try access.check("\(segments[0]).\(forged).\(segments[2])", at: Self.now)
        }
    }

    @Test(arguments: [
        "", "Basic YTpi", "Bearer", "Bearer ", "Bearer a.b", "Bearer a.b.c", "Bearer e30.e30.!",
        "Bearer e30.e30.e30.e30", "Bearer " + String(repeating: "a", count: 10_000),
    ])
    func `what is no token is refused`(text: String) throws {
        let access = try Self.access()
        #expect(throws: APIAccess.Refusal.self) { try access.check(text, at: Self.now) }
        #expect(throws: APIAccess.Refusal.absent) { try access.check(nil, at: Self.now) }
    }

    @Test func `a key goes through its p8 file`() throws {
        let key = try ES256Key()
        let pem = try key.privatePEM()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let bytes = Array("what is signed".utf8)
        let again = try ES256Key(pem: pem)
        #expect(again.accepts(try key.signature(over: bytes), over: bytes))
        #expect(key.accepts(try again.signature(over: bytes), over: bytes))
    }

    @Test func `a signature is refused when one bit, or its length, is another`() throws {
        let key = try ES256Key()
        let bytes = Array("what is signed".utf8)
        let signature = try key.signature(over: bytes)
        for place in signature.indices {
            var touched = signature
            touched[place] ^= 1
            #expect(!key.accepts(touched, over: bytes), "byte \(place)")
        }
        #expect(!key.accepts(signature, over: bytes + [0]))
        #expect(!key.accepts(Array(signature.dropLast()), over: bytes))
        #expect(!key.accepts(signature + [0], over: bytes))
        #expect(!key.accepts([UInt8](repeating: 0, count: 64), over: bytes))
        #expect(!key.accepts([], over: bytes))
    }

    @Test func `a key of another kind, or no key, is refused`() throws {
        let certificate = try SigningAuthority.mint(validFrom: 0, validUntil: 1_000).rootPEM
        let wide = try KeyMaking.key("P-384")
        for text in [certificate, "", try KeyMaking.pem(ofPrivate: wide)] {
            #expect(throws: AuthorityFailure.self) { try ES256Key(pem: text) }
        }
    }

    @Test func `a store's key is minted with it, readable by its owner alone`() throws {
        let scratch = try Scratch()
        let directory = SimulatorDirectory(scratch.path + "/store")
        try directory.mint(StoreSettings(bundleID: "org.example"))
        let access = try directory.apiAccess()
        #expect(access.bundleID == "org.example" && access.keyID.count == 10)
        #expect(UUID(uuidString: access.issuerID) != nil)
        let path = try directory.apiKeyPath()
        #expect(path.hasSuffix("/AuthKey_\(access.keyID).p8"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try directory.apiAccess().check(access.authorization(), at: StoreTime.now())
        let text = try directory.configuration(baseURL: "http://127.0.0.1:8099")
        for line in [
            "bundleId: org.example", "issuerId: \(access.issuerID)", "keyId: \(access.keyID)",
            "privateKeyFile: \(path)", "baseURL: http://127.0.0.1:8099",
            "rootCertificateFiles: [\(directory.rootPath)]", "environments: [Production]",
        ] {
            #expect(text.contains(line), "\(line)")
        }
    }
}
