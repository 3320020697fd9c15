import COpenSSL
import CertificateAuthority
import Forgery
import JSON
import Signatures
import Testing

/// RS256: checked by numbers as a JWK holds them, signed by a key as a service account holds it.
struct RSATests {
    /// Modulus and exponent out of a SubjectPublicKeyInfo.
    private func numbers(of key: ReceiptKey) throws -> (modulus: [UInt8], exponent: [UInt8]) {
        let outer = try #require(ASN1Element(only: key.publicDER[...]))
        var rest = outer.content
        _ = try #require(ASN1Element(from: &rest))
        let bits = try #require(ASN1Element(from: &rest))
        let pair = try #require(ASN1Element(only: bits.content.dropFirst()))
        var parts = pair.content
        let modulus = try #require(ASN1Element(from: &parts))
        let exponent = try #require(ASN1Element(from: &parts))
        return (Array(modulus.content.drop { $0 == 0 }), Array(exponent.content))
    }

    @Test func `a key accepts its own signatures over these bytes only`() throws {
        let key = try ReceiptKey()
        let (modulus, exponent) = try numbers(of: key)
        let other = try #require(
            RSAPublicKey(modulus: try numbers(of: try ReceiptKey()).modulus, exponent: exponent)
        )
        let known = try #require(RSAPublicKey(modulus: modulus, exponent: exponent))
        #expect(known.bytes == 256)
        for length in [0, 1, 55, 64, 4096] {
            let bytes = [UInt8](repeating: 0x61, count: length)
            let signature = try key.signature(over: bytes, .sha256)
            #expect(known.verifies(signature, over: bytes))
            #expect(!other.verifies(signature, over: bytes))
            #expect(!known.verifies(signature, over: bytes + [0]))
            #expect(!known.verifies([0] + signature, over: bytes))
            #expect(!known.verifies(signature.dropLast(), over: bytes))
            #expect(!known.verifies(try key.signature(over: bytes, .sha1), over: bytes))
            let isPSS = try key.signature(over: bytes, .sha256, isPSS: true)
            #expect(!known.verifies(isPSS, over: bytes))
        }
        #expect(ERR_peek_error() == 0)
    }

    @Test func `numbers that make no sound key are refused`() throws {
        let (modulus, exponent) = try numbers(of: try ReceiptKey())
        func isKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> Bool {
            RSAPublicKey(modulus: modulus, exponent: exponent) != nil
        }
        #expect(isKey(modulus, exponent) && isKey(modulus, [3]))
        #expect(!isKey([], exponent) && !isKey(modulus, []))
        #expect(!isKey([0] + modulus, exponent) && !isKey(modulus, [0] + exponent))
        #expect(!isKey(modulus, [1]) && !isKey(modulus, [4]) && !isKey(modulus, [1, 0, 0, 0, 1]))
        #expect(!isKey(modulus.dropLast() + [2], exponent))
        #expect(!isKey(try numbers(of: try ReceiptKey(bits: 1024)).modulus, exponent))
        #expect(!isKey([0x7f] + [UInt8](repeating: 0xff, count: 255), exponent))
        #expect(isKey([0x80] + [UInt8](repeating: 0xff, count: 511), exponent))
        #expect(!isKey([1] + [UInt8](repeating: 0xff, count: 512), exponent))
        #expect(ERR_peek_error() == 0)
    }

    @Test func `a token is signed by an RSA key, and by no other kind`() throws {
        let text = try ReceiptKey().privatePEM()
        let signer = try RSATokenSigner(privateKeyPEM: Array(text.utf8))
        let token = signer.token(header: Array(#"{"alg":"RS256"}"#.utf8), claims: [0x7b, 0x7d])
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        #expect(parts[1] == "e30")
        let signature = try #require(Base64.urlBytes(String(parts[2])))
        #expect(signature == signer.signature(over: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(signature.count == 256)
        func fault(_ text: String) -> RSAKeyFault? {
            do throws(RSAKeyFault) {
                _ = try RSATokenSigner(privateKeyPEM: Array(text.utf8))
                return nil
            } catch {
                return error
            }
        }
        #expect(fault("") == .unreadable)
        #expect(
            fault(String(repeating: "\n", count: TokenSigner.keyBytesMax) + text) == .unreadable
        )
        #expect(fault(try ES256Key().privatePEM()) == .notRSA)
        #expect(fault(try ReceiptKey(bits: 1024).privatePEM()) == .notRSA)
        #expect(ERR_peek_error() == 0)
    }
}
