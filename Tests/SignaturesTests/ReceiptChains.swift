import Forgery
import JSON
import Signatures

/// A chain for receipts, and receipts of a content that names its own time.
struct ReceiptChains {
    /// 2026-02-01T00:00:00Z.
    static let now: Int64 = 1_769_904_000_000
    static let day: Int64 = 86_400_000

    /// Keys of RSA take long to make; all tests of this room share these.
    static let shared: Result<ReceiptAuthority, any Error> = Result {
        try ReceiptAuthority(validFrom: now - 100 * day, validUntil: now + 100 * day)
    }

    var authority: ReceiptAuthority
    let verifier: ReceiptVerifier

    init() throws {
        authority = try Self.shared.get()
        verifier = try ReceiptVerifier(roots: [try authority.rootDER()])
    }

    /// The time in ms since 1970, as text.
    static func content(_ created: Int64 = now) -> [UInt8] { Array("made \(created)".utf8) }

    static func read(_ content: [UInt8]) -> (created: Int64, content: [UInt8])? {
        let text = String(decoding: content, as: UTF8.self)
        guard text.hasPrefix("made "), let created = Int64(text.dropFirst(5)) else { return nil }
        return (created, content)
    }

    func verdict(_ container: [UInt8]) -> Verdict<VerifiedContent<[UInt8]>> {
        verifier.verdict(on: Array(Base64.text(container).utf8), reading: Self.read)
    }

    /// The verdict on a good receipt whose parts were changed: the chain first, then the envelope.
    func verdict(
        created: Int64 = now,
        chain change: (inout ReceiptAuthority) -> Void = { _ in },
        envelope adjust: (inout ReceiptEnvelope) throws -> Void = { _ in }
    ) throws -> Verdict<VerifiedContent<[UInt8]>> {
        var authority = authority
        change(&authority)
        var envelope = try authority.envelope(Self.content(created))
        try adjust(&envelope)
        return verdict(try envelope.der(signedBy: authority.leafKey))
    }
}
