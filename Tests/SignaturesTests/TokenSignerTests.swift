import COpenSSL
import CertificateAuthority
import Forgery
import JSON
import Signatures
import Testing

/// Tokens for a store's API: a key of the right kind, a signature that its public half accepts.
struct TokenSignerTests {
    @Test func `a token's three segments decode, and the key accepts its signature`() throws {
        let key = try ES256Key()
        let signer = try TokenSigner(privateKeyPEM: Array(try key.privatePEM().utf8))
        for length in 0..<70 {
            let claims = #"{"iss":"\#(String(repeating: "x", count: length))"}"#
            let header = #"{"alg":"ES256","typ":"JWT"}"#
            let token = signer.token(header: Array(header.utf8), claims: Array(claims.utf8))
            let parts = token.split(separator: ".", omittingEmptySubsequences: false)
            try #require(parts.count == 3)
            #expect(String(parts[0]) == Base64.urlText(Array(header.utf8)))
            #expect(String(parts[1]) == Base64.urlText(Array(claims.utf8)))
            let padded = parts[2].replacing("-", with: "+").replacing("_", with: "/") + "=="
            let signature = try #require(Base64.bytes(String(padded)))
            #expect(signature.count == 64)
            #expect(key.accepts(signature, over: Array("\(parts[0]).\(parts[1])".utf8)))
        }
    }

    @Test func `a key of another kind, a public key and an encrypted one are refused`() throws {
        func fault(_ text: String) -> SigningKeyFault? {
            do throws(SigningKeyFault) {
                _ = try TokenSigner(privateKeyPEM: Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(fault("") == .unreadable)
        #expect(
            fault("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n") == .unreadable
        )
        #expect(fault(try CertificateKey(.curve("P-256")).publicPEM) == .unreadable)
        #expect(fault(Self.encrypted) == .unreadable)
        let long = String(repeating: "\n", count: TokenSigner.keyBytesMax)
        #expect(fault(try ES256Key().privatePEM()) == nil)
        #expect(fault(long + (try ES256Key().privatePEM())) == .unreadable)
        let other = try SigningAuthority.mint(validFrom: 0, validUntil: 1_000_000)
        #expect(fault(other.leafKeyPEM) == nil)
        #expect(fault(Self.onP384) == .notP256)
        #expect(fault(Self.ed25519) == .notP256)
        #expect(ERR_peek_error() == 0)
    }

    @Test func `many threads sign with one key`() async throws {
        let key = try ES256Key()
        let signer = try TokenSigner(privateKeyPEM: Array(try key.privatePEM().utf8))
        let refused = await withTaskGroup(of: Int.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    (0..<50)
                        .count { round in
                            let bytes = Array("\(lane)/\(round)".utf8)
                            return !key.accepts(signer.signature(over: bytes), over: bytes)
                        }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(refused == 0)
    }

    private static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjc2aTByAcENwICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEDw9Y3gZhgo1AhqVhUsO+I4EgZBe
        W5c8G9Q+npz3IFIskV1j9VzZVMx/Y/gSSSC8I5lwyhixNSx2G4x5MfXg2tJP7qgi
        y7KCuRGFTViXtx+32CqwTO/HdwIOisnspkThvu2qab7GmBOTYzsSZLFlmgq/KOT+
        j0Ix9CzCWFNOBS5u7VAR29aSOLUP0v211n/BnoithdbmUmRaiq/BB2RxijZrO2g=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    private static let onP384 = """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAOFAffl/xuAjysy2AK
        eq2bwYO1lP9/ur4KU5kOw62EvfaC7FQnaTlZz1bICWFllDShZANiAAQGEB8zN0f0
        0BPDYlBk09ARoJfnZexI1I1fK+YvkD7WBtC5zzRZC44WONqiJ65emkVcf4hjoowJ
        vonOgCTapM2IwQlLPMXHEptc0wK5fDjYsDvPvYEgBd85e4FahpFeqow=
        -----END PRIVATE KEY-----
        """

    private static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIC1Jb+E+BWg7kPyx8Xr/ZK4zKX35QR2misBR8MtiUzfq
        -----END PRIVATE KEY-----
        """
}
