import CertificateAuthority
import Entitlements
import Foundation
import JSON
import Signatures
import Testing

@testable import AppStore

/// What is signed for StoreKit has the parts that Apple's pages name, in their order.
///
/// `make oracle` has Apple's own library put the same parts together.
struct OfferTests {
    private let key: ES256Key
    private let offers: OfferSigner
    private let nonce: Token
    private let now = Moment(1_771_149_600_123)

    init() throws {
        key = try ES256Key()
        let signer = try TokenSigner(privateKeyPEM: Array(try key.privatePEM().utf8))
        offers = OfferSigner(signer, keyID: "2X9R4HXF34", issuerID: "issuer")
        nonce = try #require(Token("4F5C1CE6-7B1E-4F0A-9F43-2F0A8F6C9D11"))
    }

    private func promotion(customer: String, transactionID: String?) -> OfferWish {
        OfferWish(
            bundleID: "com.example.app",
            productID: "com.example.Yearly",
            offerID: "Half",
            customer: customer,
            transactionID: transactionID
        )
    }

    @Test func `a token's claims are the offer, and the header names the key`() throws {
        let one = promotion(customer: "", transactionID: "7043")
        let claims = try decoded(offers.token(of: one, nonce: nonce, at: now))
        #expect(
            claims == [
                "productId": "com.example.Yearly", "offerIdentifier": "Half",
                "transactionId": "7043", "bid": "com.example.app", "iss": "issuer",
                "aud": "promotional-offer", "iat": 1_771_149_600,
                "nonce": "4f5c1ce6-7b1e-4f0a-9f43-2f0a8f6c9d11",
            ]
        )
        let other = promotion(customer: "", transactionID: nil)
        #expect(try decoded(offers.token(of: other, nonce: nonce, at: now))["transactionId"] == nil)
        let wish = EligibilityWish(
            bundleID: "com.example.other",
            productID: "p",
            isEligible: false,
            transactionID: "1"
        )
        let introductory = offers.eligibility(wish, nonce: nonce, at: now)
        let said = try decoded(introductory)
        #expect(said["aud"] == "introductory-offer-eligibility" && said["transactionId"] == "1")
        #expect(said["allowIntroductoryOffer"] == false && said["bid"] == "com.example.other")
    }

    @Test func `the older signature is over seven parts with U+2063 between them`() throws {
        let one = promotion(customer: "Alice", transactionID: nil)
        let text = offers.signature(of: one, nonce: nonce, at: now)
        let der = Array(try #require(Data(base64Encoded: text)))
        let parts = [
            "com.example.app", "2X9R4HXF34", "com.example.Yearly", "Half", "alice",
            "4f5c1ce6-7b1e-4f0a-9f43-2f0a8f6c9d11", "1771149600123",
        ]
        let signed = Array(parts.joined(separator: "\u{2063}").utf8)
        let pair = try raw(der)
        #expect(key.accepts(pair, over: signed))
        #expect(!key.accepts(pair, over: signed + [0]))
    }

    /// The two numbers of a signature in DER, 32 bytes each.
    private func raw(_ der: [UInt8]) throws -> [UInt8] {
        try #require(der.count > 8 && der[0] == 0x30 && Int(der[1]) == der.count - 2)
        var (place, pair) = (2, [UInt8]())
        for _ in 0..<2 {
            try #require(der[place] == 0x02)
            let bytes = der[(place + 2)..<(place + 2 + Int(der[place + 1]))].drop { $0 == 0 }
            pair += [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
            place += 2 + Int(der[place + 1])
        }
        return pair
    }

    @Test func `what is signed for Apple's library`() throws {
        guard let directory = OracleTarget.directory else { return }
        var lines: [UInt8] = []
        for (customer, transactionID) in Self.customers {
            let one = promotion(customer: customer, transactionID: transactionID)
            let line: JSONValue = [
                "customer": .string(customer),
                "transactionId": transactionID.map { .string($0) } ?? .null,
                "timestamp": .integer(now.milliseconds), "nonce": .string("\(nonce)"),
                "signature": .string(offers.signature(of: one, nonce: nonce, at: now)),
                "jws": .string(offers.token(of: one, nonce: nonce, at: now)),
                "eligible": .bool(customer.isEmpty),
                "introductory": .string(
                    offers.eligibility(
                        EligibilityWish(
                            bundleID: one.bundleID,
                            productID: one.productID,
                            isEligible: customer.isEmpty,
                            transactionID: transactionID ?? "1"
                        ),
                        nonce: nonce,
                        at: now
                    )
                ),
            ]
            lines += line.bytes + Array("\n".utf8)
        }
        let setup: JSONValue = [
            "privateKey": .string(try key.privatePEM()), "keyId": .string(offers.keyID),
            "issuerId": "issuer", "bundleId": "com.example.app",
            "productId": "com.example.Yearly", "offerId": "Half",
            "cases": .integer(Int64(Self.customers.count)),
        ]
        let place = URL(fileURLWithPath: directory)
        try Data(lines).write(to: place.appendingPathComponent("offers.jsonl"))
        try Data(setup.bytes).write(to: place.appendingPathComponent("offers.json"))
    }

    private static let customers: [(String, String?)] = [
        ("", nil), ("", "2000000000000001"), ("Alice", nil), ("Zoë ÅNGSTRÖM", "7"),
        ("0640EE36-9AEF-80B6-AA42-790840CEC83B", "704346128300986174"),
    ]

    /// The claims of a token whose header and signature hold.
    private func decoded(_ token: String) throws -> JSONValue {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try JSONValue.parse(try bytes(parts[0]))
        #expect(header == ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"])
        let signature = try bytes(parts[2])
        #expect(key.accepts(signature, over: Array("\(parts[0]).\(parts[1])".utf8)))
        return try JSONValue.parse(try bytes(parts[1]))
    }

    private func bytes(_ text: Substring) throws -> [UInt8] {
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
        while standard.count % 4 != 0 { standard += "=" }
        return Array(try #require(Data(base64Encoded: String(standard))))
    }
}
