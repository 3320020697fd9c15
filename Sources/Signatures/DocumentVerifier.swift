// Signatures says whether a signed document is genuine, and signs what stores want signed.
//
// In reading order:
//   DocumentVerifier  below: a JWS with its certificate chain, and a Verdict on it
//   SignedDocument    the three parts of a JWS, apart but not yet believed
//   ChainPolicy       the rules for a chain; Certificate is one of it, RootStore what is trusted
//   LeafKey           a leaf's key, kept for the next document with the same chain
//   ReceiptVerifier   an app receipt; ReceiptContainer is its PKCS #7
//   DERScan           whether bytes are DER
//   TokenSigner       tokens for a store's API
//   Digest            SHA-256
//
// Its laws:
//   1. Checks run from cheap to costly; sizes are checked before memory is taken.
//   2. Nothing is taken from a document before its signature holds, but for hints marked as such.
//   3. Only this room and CertificateAuthority call OpenSSL.
//   4. What cannot be decided is undecided: never genuine, and never forged.
//
// It never knows what a payload means, who asks, or which store signed.

import COpenSSL
import JSON
import Synchronization

/// Says whether a signed document is genuine: a JWS in compact form, ES256, with its chain in
/// `x5c`.
///
/// Checks run from cheap to costly, and nothing is decoded for use before the signature holds.
/// Certificates are judged at the time that the document names, because documents outlive the
/// certificates that signed them: Apple changes its leaf about every two years. A chain that
/// verified is remembered by its header's exact bytes, so that the usual cost of a document is one
/// P-256 verification. Only documents whose signature holds put a chain there.
package final class DocumentVerifier: Sendable {
    private let roots: RootStore
    private let policy: ChainPolicy
    private let chains = Mutex(ChainCache())
    private let genuine = Atomic<Int>(0)
    private let forged = Atomic<Int>(0)
    private let undecided = Atomic<Int>(0)

    /// A verifier that trusts these roots, each the bytes of a PEM or DER file.
    ///
    /// A chain in which a certificate has one of `blockedSerials` is refused, also where it
    /// verifies; each is a number's bytes, most significant first, without leading zeros.
    /// Fails with an empty list, or one that cannot be read: nothing is trusted by accident.
    package init(roots: [[UInt8]], blockedSerials: Set<[UInt8]> = []) throws(RootFailure) {
        self.roots = try RootStore(roots, blockedSerials: blockedSerials)
        policy = ChainPolicy(purpose: .documents, blockedSerials: blockedSerials)
    }

    /// How many documents found their chain remembered, and how many did not.
    package var cacheFigures: (hits: Int, misses: Int) {
        chains.withLock { ($0.hits, $0.misses) }
    }

    /// How often each verdict was given; a document that is shown twice counts twice.
    package var verdictFigures: (genuine: Int, forged: Int, undecided: Int) {
        (
            genuine.load(ordering: .relaxed), forged.load(ordering: .relaxed),
            undecided.load(ordering: .relaxed)
        )
    }

    /// How many chains are remembered.
    package var chainCount: Int { chains.withLock { $0.count } }

    /// The verdict on `compact`.
    ///
    /// - Parameters:
    ///   - compact: the document, as it was received.
    ///   - claim: the member that says when it was signed, in ms since 1970: `signedDate`, or
    ///     `receiptCreationDate` in an app transaction.
    /// - Returns: genuine with what was signed, or why not.
    package func verdict(
        on compact: [UInt8],
        timeClaim claim: String = "signedDate"
    ) -> Verdict<VerifiedDocument> {
        let verdict = judgement(on: compact, claim)
        switch verdict {
        case .genuine: genuine.add(1, ordering: .relaxed)
        case .forged: forged.add(1, ordering: .relaxed)
        case .undecided: undecided.add(1, ordering: .relaxed)
        }
        return verdict
    }

    private func judgement(
        on compact: [UInt8],
        _ claim: String
    ) -> Verdict<VerifiedDocument> {
        // What OpenSSL notes about a bad document must not meet the next one on this thread.
        defer { ERR_clear_error() }
        do throws(ForgeryReason) {
            let document = try SignedDocument(compact)
            if let key = chains.withLock({ $0.key(for: document.header) }) {
                return .genuine(try verified(document, by: key, claim))
            }
            let (leaf, intermediate) = try certificates(of: document)
            let validity = try roots.validity(leaf: leaf, intermediate: intermediate)
            let key = try LeafKey(leaf, validity: validity, header: document.header)
            let genuine = try verified(document, by: key, claim)
            chains.withLock { $0.remember(key) }
            return .genuine(genuine)
        } catch {
            return .forged(error)
        }
    }

    private func certificates(
        of document: SignedDocument
    ) throws(ForgeryReason) -> (leaf: Certificate, intermediate: Certificate) {
        let ders = try document.certificates()
        let leaf = try Certificate(der: ders.leaf)
        let intermediate = try Certificate(der: ders.intermediate)
        try policy.check(leaf: leaf, intermediate: intermediate)
        return (leaf, intermediate)
    }

    private func verified(
        _ document: SignedDocument,
        by key: LeafKey,
        _ claim: String
    ) throws(ForgeryReason) -> VerifiedDocument {
        guard key.verifies(document) else {
            throw ForgeryReason(.signature, "the signature does not hold")
        }
        let (value, signed) = try payload(of: document, claim)
        guard key.validity.contains(signed / 1000) else {
            throw ForgeryReason(.chain, "the chain is not valid at the time of signing")
        }
        return VerifiedDocument(value, document.payload, signedDate: signed)
    }

    /// The payload as strict JSON, and the time it names.
    private func payload(
        of document: SignedDocument,
        _ claim: String
    ) throws(ForgeryReason) -> (JSONValue, Int64) {
        let value: JSONValue
        do {
            value = try JSONValue.parse(document.payload)
        } catch {
            throw ForgeryReason(.malformed, "the payload is not strict JSON")
        }
        guard let signed = value.object?[claim]?.int64,
            (0...SignatureLimits.timeMax).contains(signed)
        else { throw ForgeryReason(.malformed, "the payload names no time of signing") }
        return (value, signed)
    }
}

/// A document whose signature was verified.
///
/// Only the verifier makes one.
package struct VerifiedDocument: Sendable {
    /// What was signed, as strict JSON.
    package let payload: JSONValue
    /// The bytes that were signed, decoded.
    package let payloadBytes: [UInt8]
    /// SHA-256 of those bytes.
    package let digest: [UInt8]
    /// The time at which the certificates were judged, in ms since 1970: the document's own.
    package let signedDate: Int64

    fileprivate init(_ payload: JSONValue, _ bytes: [UInt8], signedDate: Int64) {
        self.payload = payload
        payloadBytes = bytes
        digest = Digest.sha256(bytes)
        self.signedDate = signedDate
    }
}

/// The chains that verified, by the exact bytes of their documents' headers.
///
/// Bounded: the one that was not used for longest makes room. A list and no dictionary: headers
/// have kilobytes, and to hash one costs more than to compare it with the few that are in use.
private struct ChainCache {
    /// The one used last stands last.
    private var chains: [LeafKey] = []
    private(set) var hits = 0
    private(set) var misses = 0

    var count: Int { chains.count }

    mutating func key(for header: [UInt8]) -> LeafKey? {
        guard let place = place(of: header) else {
            misses += 1
            return nil
        }
        hits += 1
        let found = chains[place]
        if place != chains.count - 1 { chains.append(chains.remove(at: place)) }
        return found
    }

    mutating func remember(_ key: LeafKey) {
        if let place = place(of: key.header) { chains.remove(at: place) }
        chains.append(key)
        if chains.count > SignatureLimits.chainsMax { chains.removeFirst() }
    }

    private func place(of header: [UInt8]) -> Int? {
        chains.lastIndex { $0.isBegun(with: header) }
    }
}
