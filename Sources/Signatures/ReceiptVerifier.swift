import COpenSSL
import JSON

/// Says whether an app receipt is genuine: PKCS #7 signed data, RSA, with its chain in the
/// container (docs/app-store-facts.md, "Receipts").
///
/// The order of checks: cheap ones first, nothing of the content is read before the signature
/// holds. Certificates are judged at the time that the receipt names, because receipts outlive the
/// certificates that signed them. Nothing is remembered: receipts are rare.
package final class ReceiptVerifier: Sendable {
    private let roots: RootStore
    private let policy: ChainPolicy

    /// A verifier that trusts these roots, each the bytes of a PEM or DER file.
    ///
    /// A chain in which a certificate has one of `blockedSerials` is refused, also where it
    /// verifies; each is a number's bytes, most significant first, without leading zeros.
    /// Fails with an empty list, or one that cannot be read: nothing is trusted by accident.
    package init(roots: [[UInt8]], blockedSerials: Set<[UInt8]> = []) throws(RootFailure) {
        self.roots = try RootStore(roots, blockedSerials: blockedSerials)
        policy = ChainPolicy(purpose: .receipts, blockedSerials: blockedSerials)
    }

    /// The verdict on `text`.
    ///
    /// - Parameters:
    ///   - text: the receipt as base64 in its one canonical form.
    ///   - read: reads the signed content; called once, after the signature holds. It answers when
    ///     the receipt was made, in ms since 1970, with what it read; nil where the content is none
    ///     of a receipt.
    /// - Returns: genuine with what was signed, or why not.
    package func verdict<Content: Sendable>(
        on text: [UInt8],
        reading read: ([UInt8]) -> (created: Int64, content: Content)?
    ) -> Verdict<VerifiedContent<Content>> {
        // What OpenSSL notes about a bad receipt must not meet the next one on this thread.
        defer { ERR_clear_error() }
        do throws(ForgeryReason) {
            let receipt = try ReceiptContainer(der: try Self.bytes(of: text))
            let leaf = try receipt.signerCertificate
            let intermediate = try receipt.issuer(of: leaf)
            try policy.check(leaf: leaf, intermediate: intermediate)
            let validity = try roots.validity(leaf: leaf, intermediate: intermediate)
            try receipt.verify(signedBy: leaf)
            let bytes = receipt.content
            guard let (created, content) = read(bytes),
                (0...SignatureLimits.timeMax).contains(created)
            else { throw ForgeryReason(.malformed, "the content is none of a receipt") }
            guard validity.contains(created / 1000) else {
                throw ForgeryReason(.chain, "the chain is not valid when the receipt was made")
            }
            return .genuine(VerifiedContent(content, bytes, created: created))
        } catch {
            return .forged(error)
        }
    }

    /// Whether `text`, which is not genuine, holds a certificate of the name that Xcode's bears:
    /// a hint for people, nothing more.
    package static func namesXcode(_ text: [UInt8]) -> Bool {
        guard let bytes = try? bytes(of: text) else { return false }
        // commonName (2.5.4.3), a tag and a length of one byte each, then the name.
        let identifier: [UInt8] = [0x06, 0x03, 0x55, 0x04, 0x03]
        let name = Array("StoreKit".utf8)
        let length = identifier.count + 2 + name.count
        guard bytes.count >= length else { return false }
        return (0...bytes.count - length)
            .contains { start in
                bytes[start] == identifier[0] && bytes[start...].starts(with: identifier)
                    && bytes[(start + identifier.count + 2)...].starts(with: name)
            }
    }

    private static func bytes(of text: [UInt8]) throws(ForgeryReason) -> [UInt8] {
        // Measured as text, so that nothing too long is decoded.
        guard text.count <= ReceiptLimits.textBytesMax else {
            throw ForgeryReason(.malformed, "the receipt is too long")
        }
        guard !text.isEmpty, let bytes = Base64.decoded(text[...], .standard) else {
            throw ForgeryReason(.malformed, "not canonical base64")
        }
        return bytes
    }
}

/// A receipt's content whose signature was verified.
///
/// Only the verifier makes one.
package struct VerifiedContent<Content: Sendable>: Sendable {
    /// What was read.
    package let content: Content
    /// When the receipt was made, in ms since 1970; the certificates were judged at that time.
    package let created: Int64
    /// SHA-256 of the signed bytes.
    package let digest: [UInt8]

    fileprivate init(_ content: Content, _ bytes: [UInt8], created: Int64) {
        self.content = content
        self.created = created
        digest = Digest.sha256(bytes)
    }
}
