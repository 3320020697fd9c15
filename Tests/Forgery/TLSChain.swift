import JSON

/// A TLS certificate for one host, its key, and the root that vouches for it, PEM.
package struct TLSChain: Sendable {
    package let certificatePEM: String
    package let keyPEM: String
    package let rootPEM: String

    /// A new chain for the host `host`, a name, valid from an hour before `now`, in ms since 1970,
    /// for a year.
    package init(host: String, now: Int64) throws(ForgeryFailure) {
        let (rootKey, key) = (try ReceiptKey(), try ReceiptKey())
        func certificate(
            _ name: String,
            _ serial: Int64,
            _ key: ReceiptKey,
            _ extensions: [ReceiptCertificate.Extension]
        ) throws(ForgeryFailure) -> String {
            let certificate = ReceiptCertificate(
                subject: name,
                issuer: "Simulated TLS Root",
                serial: serial,
                validFrom: now - 3_600_000,
                validUntil: now + 86_400_000 * 365,
                publicKey: key.publicDER,
                extensions: extensions
            )
            let text = Base64.text(try certificate.der(signedBy: rootKey))
            return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
        }
        let names = ReceiptDER.sequence(ReceiptDER.element(0x82, Array(host.utf8)))
        let rights: [ReceiptCertificate.Extension] = [.authority(true), .usage(0x06)]
        rootPEM = try certificate("Simulated TLS Root", 2, rootKey, rights)
        certificatePEM = try certificate(
            host,
            3,
            key,
            [.authority(false), .usage(0x80), .init(oid: "2.5.29.17", value: names)]
        )
        keyPEM = try key.privatePEM()
    }
}
