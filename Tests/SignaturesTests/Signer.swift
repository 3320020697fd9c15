import CertificateAuthority
import JSON
import Signatures

/// An authority for tests, and documents by it.
///
/// All its documents are signed at `now` unless said.
struct Signer {
    /// 2026-02-01T00:00:00Z.
    static let now: Int64 = 1_769_904_000_000
    static let day: Int64 = 86_400_000

    let authority: SigningAuthority
    let verifier: DocumentVerifier

    init(from: Int64 = now - 100 * day, until: Int64 = now + 100 * day) throws {
        authority = try SigningAuthority.mint(validFrom: from, validUntil: until)
        verifier = try DocumentVerifier(roots: [authority.rootDER])
    }

    func document(_ payload: String) throws -> [UInt8] {
        Array(try authority.sign(Array(payload.utf8)).utf8)
    }

    func document(signedAt date: Int64 = now) throws -> [UInt8] {
        try document(#"{"signedDate":\#(date)}"#)
    }

    /// A document whose header differs in what nobody reads, so that its chain is new.
    func document(keyNumber: Int) throws -> [UInt8] {
        try document(header: header(extra: #","kid":"\#(keyNumber)""#))
    }

    func document(header: String) throws -> [UInt8] {
        let payload = Array(#"{"signedDate":\#(Self.now)}"#.utf8)
        return Array(try authority.sign(header: header, payload: payload).utf8)
    }

    func header(extra: String = "", x5c: [String]? = nil) -> String {
        let list = (x5c ?? authority.x5c).map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"alg":"ES256","x5c":[\#(list)]\#(extra)}"#
    }

    /// `document` with other bytes for its signature.
    func replacing(signatureOf document: [UInt8], by signature: [UInt8]) -> [UInt8] {
        let dot = document.lastIndex(of: UInt8(ascii: ".")) ?? 0
        return document[...dot] + Array(Base64.urlText(signature).utf8)
    }
}
