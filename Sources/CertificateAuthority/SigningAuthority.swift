// CertificateAuthority makes keys, certificate chains and signed documents, for demos and tests.
//
// In reading order:
//   SigningAuthority  below: a chain in the shape of Apple's, which signs documents
//   CertificateMaker  X.509 certificates; KeyMaking makes keys
//   ES256Key          keys for a store's API
//
// Its laws:
//   1. What it makes differs from Apple's in the root alone.
//   2. What it signs is genuine; wrong documents are made by the tests alone.
//
// It never is a part of the daemon: a test keeps entitld from importing it.

import COpenSSL
import JSON

/// Why a key or a certificate could not be made.
package struct AuthorityFailure: Error, CustomStringConvertible {
    package let description: String
}

/// An own chain in the shape of Apple's: root, intermediate, leaf, with Apple's marker extensions.
///
/// For demos and tests: its root is trusted only by a configuration that names it.
package final class SigningAuthority: Sendable {
    /// The root certificate, DER.
    package let rootDER: [UInt8]
    /// The chain as it stands in a document's header: leaf, intermediate, root; base64 of DER.
    package let x5c: [String]
    /// The leaf's private key, PEM.
    package let leafKeyPEM: String
    private let header: String
    // SAFETY: an EVP_PKEY may be used for signing from several threads; freed once, in deinit.
    private nonisolated(unsafe) let key: OpaquePointer

    private init(chain: [[UInt8]], key: OpaquePointer) throws(AuthorityFailure) {
        rootDER = chain[2]
        x5c = chain.map(Base64.text)
        leafKeyPEM = try KeyMaking.pem(ofPrivate: key)
        self.key = key
        let list = x5c.map { "\"\($0)\"" }.joined(separator: ",")
        header = "{\"alg\":\"ES256\",\"x5c\":[\(list)]}"
    }

    deinit { EVP_PKEY_free(key) }

    /// A new chain, valid from `validFrom` until `validUntil`, in ms since 1970.
    package static func mint(
        validFrom: Int64,
        validUntil: Int64
    ) throws(AuthorityFailure) -> SigningAuthority {
        let maker = CertificateMaker(validFrom: validFrom, validUntil: validUntil)
        let rootKey = try KeyMaking.key("P-384")
        defer { EVP_PKEY_free(rootKey) }
        let middleKey = try KeyMaking.key("P-384")
        defer { EVP_PKEY_free(middleKey) }
        let leafKey = try KeyMaking.key("P-256")
        let root = try maker.certificate(
            named: "Simulated Root CA",
            key: rootKey,
            issuer: nil,
            [.authority(pathLength: nil), .signsCertificates]
        )
        defer { X509_free(root) }
        let middle = try maker.certificate(
            named: "Simulated WWDR CA",
            key: middleKey,
            issuer: (root, rootKey),
            [.authority(pathLength: 0), .signsCertificates, .marker("1.2.840.113635.100.6.2.1")]
        )
        defer { X509_free(middle) }
        let leaf = try maker.certificate(
            named: "Simulated Store Receipt Signing",
            key: leafKey,
            issuer: (middle, middleKey),
            [.noAuthority, .signsDocuments, .marker("1.2.840.113635.100.6.11.1")]
        )
        defer { X509_free(leaf) }
        return try SigningAuthority(
            chain: [KeyMaking.der(leaf), KeyMaking.der(middle), KeyMaking.der(root)],
            key: leafKey
        )
    }

    /// The root certificate, PEM.
    package var rootPEM: String { KeyMaking.pem(ofCertificate: rootDER) }

    /// The payload as a signed document: compact JWS, ES256, the chain in its header.
    package func sign(_ payload: [UInt8]) throws(AuthorityFailure) -> String {
        try sign(header: header, payload: payload)
    }

    /// The same with another header.
    package func sign(header: String, payload: [UInt8]) throws(AuthorityFailure) -> String {
        let input = Base64.urlText(Array(header.utf8)) + "." + Base64.urlText(payload)
        return input + "." + Base64.urlText(try signature(over: Array(input.utf8)))
    }

    /// ES256 over `bytes`: r and s, 32 bytes each.
    package func signature(over bytes: [UInt8]) throws(AuthorityFailure) -> [UInt8] {
        try KeyMaking.signature(over: bytes, by: key)
    }

    /// Keeps chain and key in `directory`: root.pem, chain.txt, leaf-key.pem.
    package func save(to directory: String) throws(AuthorityFailure) {
        try FileMaking.write(rootPEM, to: directory + "/root.pem", mode: 0o644)
        let chain = x5c.joined(separator: "\n") + "\n"
        try FileMaking.write(chain, to: directory + "/chain.txt", mode: 0o644)
        try FileMaking.write(leafKeyPEM, to: directory + "/leaf-key.pem", mode: 0o600)
    }

    /// The chain and key that `save` kept.
    package static func load(from directory: String) throws(AuthorityFailure) -> SigningAuthority {
        let lines = try FileMaking.read(directory + "/chain.txt").split(separator: "\n")
        let chain = lines.compactMap { Base64.bytes(String($0)) }
        guard chain.count == 3 else {
            throw AuthorityFailure(description: "no chain in \(directory)")
        }
        let key = try KeyMaking.key(pem: try FileMaking.read(directory + "/leaf-key.pem"))
        return try SigningAuthority(chain: chain, key: key)
    }
}
