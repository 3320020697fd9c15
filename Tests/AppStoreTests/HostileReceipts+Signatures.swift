import AppStore
import Entitlements
import Forgery
import JSON
import Signatures

/// Whose containers and signatures are not as they have to be.
extension `The hostile receipts` {
    func containers() throws -> [HostileReceipt] {
        let other = try stage.authority.envelope(ReceiptStage.good.bytes)
        let signature = try stage.authority.leafKey.signature(over: other.input, .sha256)
        return [
            try altered("enveloped data", .malformed) {
                $0.containerType = "1.2.840.113549.1.7.3"
            },
            try altered("content of another type", .malformed) {
                $0.contentType = "1.2.840.113549.1.7.2"
            },
            try altered("content of a type of CMS", .malformed) {
                $0.contentType = "1.2.840.113549.1.9.16.1.4"
            },
            try altered("no content", .malformed) { $0.isDetached = true },
            try altered("two signers", .malformed) { $0.moreSigners = [other.signer(signature)] },
            try altered("no digest announced", .malformed) { $0.announced = [] },
            try altered("two digests announced", .malformed) { $0.announced = [.sha1, .sha256] },
            try altered("another digest announced", .malformed) { $0.announced = [.sha1] },
            try altered("a digest announced very often", .malformed) {
                $0.announced = [ReceiptHash](repeating: .sha256, count: 40_000)
            },
            // As CMS has them, and PKCS #7 does not.
            try altered("a signer named by a key", .malformed) {
                $0.keyIdentifier = [UInt8](repeating: 7, count: 20)
            },
            try altered("revocation information", .malformed) {
                let form = ReceiptDER.sequence(
                    ReceiptDER.oid("1.3.6.1.5.5.7.16.2"),
                    ReceiptDER.integer(1)
                )
                $0.revocationLists = [[0xa1] + form.dropFirst()]
            },
        ]
    }

    func signatures() throws -> [HostileReceipt] {
        let authority = stage.authority
        let data = "1.2.840.113549.1.7.1"
        let envelope = try authority.envelope(ReceiptStage.good.bytes)
        let pss = try authority.leafKey.signature(over: envelope.input, .sha256, isPSS: true)
        let foreign = try authority.middleKey.signature(over: envelope.input, .sha256)
        let digest = ReceiptHash.sha256.digest(envelope.content)
        let overDigest = try authority.leafKey.signature(over: digest, .sha256)
        func with(_ signature: [UInt8]) -> String {
            Base64.text(envelope.der(signature: signature))
        }
        var other = envelope
        other.content = Self.replaced(
            other.content,
            "com.example.monthly",
            "com.example.forever"
        )
        let good = try authority.leafKey.signature(over: envelope.input, .sha256)
        return [
            .init("another product", .signature, Base64.text(other.der(signature: good))),
            .init("another's signature", .signature, with(foreign)),
            .init("PSS", .signature, with(pss)),
            .init("over the digest", .signature, with(overDigest)),
            .init("an empty signature", .signature, with([])),
            .init("a signature of zeros", .signature, with([UInt8](repeating: 0, count: 256))),
            .init("a signature of one", .signature, with([UInt8](repeating: 0, count: 255) + [1])),
            .init("a signature cut", .signature, with(Array(good.dropLast()))),
            .init("a signature prolonged", .signature, with([0] + good)),
            try receipt("signed with MD5", .signature, chain: { $0.hash = .md5 }),
            try receipt("signed with SHA-512", .signature, chain: { $0.hash = .sha512 }),
            try altered("named as PSS", .signature) { $0.encryption = "1.2.840.113549.1.1.10" },
            try altered("named as another digest's", .signature) {
                $0.encryption = ReceiptHash.sha1.rsaOID
            },
            try altered("attributes with another digest", .signature) {
                $0.signAttributes(type: data, digest: [UInt8](repeating: 1, count: 32))
            },
            try altered("attributes with another type", .signature) {
                $0.signAttributes(type: "1.2.840.113549.1.7.2", digest: digest)
            },
            try altered("attributes without a digest", .signature) {
                $0.signAttributes(type: data, digest: digest)
                $0.attributes?.removeLast()
            },
            try altered("attributes without a type", .signature) {
                $0.signAttributes(type: data, digest: digest)
                $0.attributes?.removeFirst()
            },
        ]
    }

    static func replaced(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        precondition(old.utf8.count == new.utf8.count, "lengths stay as they are")
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        var bytes = bytes
        for start in bytes.indices.dropLast(old.count - 1) where bytes[start...].starts(with: old) {
            bytes.replaceSubrange(start..<(start + old.count), with: new)
        }
        return bytes
    }
}
