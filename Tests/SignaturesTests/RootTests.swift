import CertificateAuthority
import Fixtures
import Signatures
import Testing

@Suite struct `Trusted roots` {
    /// As published on https://www.apple.com/certificateauthority/.
    @Test func `the built-in roots have Apple's fingerprints`() {
        let rows = [
            (
                DocumentVerifier.appleRootG3,
                "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179"
            ),
            (
                DocumentVerifier.appleIncRoot,
                "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024"
            ),
        ]
        for (root, fingerprint) in rows { #expect(hex(Digest.sha256(root)) == fingerprint) }
    }

    @Test func `both built-in roots can be trusted`() throws {
        let roots = [DocumentVerifier.appleRootG3, DocumentVerifier.appleIncRoot]
        _ = try DocumentVerifier(roots: roots)
    }

    @Test func `an empty list is refused`() {
        #expect(throws: RootFailure.self) { try DocumentVerifier(roots: []) }
    }

    @Test func `a root that cannot be read is refused`() throws {
        let root = try Chains.rootDER()
        let cut = Array(root.dropLast())
        let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        for bad in [[], [0x30], cut, root + [0], Array("hello".utf8), Array(pem.utf8)] {
            #expect(throws: RootFailure.self) { try DocumentVerifier(roots: [bad]) }
            #expect(throws: RootFailure.self) { try DocumentVerifier(roots: [root, bad]) }
        }
    }

    @Test func `a root may be PEM or DER`() throws {
        let now = Chains.now
        let authority = try SigningAuthority.mint(
            validFrom: now - 1000,
            validUntil: now + 1_000_000
        )
        let text = Array(try authority.sign(Chains.payload).utf8)
        for root in [authority.rootDER, Array(authority.rootPEM.utf8)] {
            let verifier = try DocumentVerifier(roots: [root])
            #expect(verifier.verdict(on: text).isGenuine)
        }
    }

    @Test func `only the configured root is trusted`() throws {
        let now = Chains.now
        let authority = try SigningAuthority.mint(
            validFrom: now - 1000,
            validUntil: now + 1_000_000
        )
        let text = Array(try authority.sign(Chains.payload).utf8)
        let verifier = try DocumentVerifier(roots: [DocumentVerifier.appleRootG3])
        #expect(verifier.verdict(on: text).fault == .chain)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
