import DaemonConfiguration
import NIOCore
import NIOSSL

/// Why a certificate and a key were not taken.
package struct TLSFailure: Error, Equatable, CustomStringConvertible {
    /// One sentence, without the key's content.
    package let description: String
}

/// A certificate and its key that were read, checked against each other, and can be served.
///
/// Reading can fail, but using it cannot, so that a reload changes everything or nothing.
package struct PreparedTLS: Sendable {
    let context: NIOSSLContext

    /// Reads the pair; a file that cannot be read, or a key of another certificate, is a failure.
    package init(certificatePath: String, privateKeyPath: String) throws(TLSFailure) {
        context = try TLSIdentity.context(
            certificatePath: certificatePath,
            privateKeyPath: privateKeyPath
        )
    }

    /// The same for the files that `transport` names; nil where it is plain HTTP.
    package init?(_ transport: Settings.Transport) throws(TLSFailure) {
        guard case .tls(let certificatePath, let privateKey) = transport else { return nil }
        try self.init(certificatePath: certificatePath, privateKeyPath: privateKey.path)
    }
}

/// A certificate chain and its key, as a context for new connections.
enum TLSIdentity {
    /// Loads the pair; a file that cannot be read, or a key of another certificate, is a failure.
    static func context(
        certificatePath: String,
        privateKeyPath: String
    ) throws(TLSFailure) -> NIOSSLContext {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(certificatePath)
        } catch {
            throw TLSFailure(description: "No certificate can be read from \(certificatePath).")
        }
        guard !certificates.isEmpty else {
            throw TLSFailure(description: "No certificate is in \(certificatePath).")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: privateKeyPath, format: .pem)
        } catch {
            throw TLSFailure(description: "No private key can be read from \(privateKeyPath).")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // The default is five seconds, for which a silent peer would keep the descriptor.
        configuration.shutdownTimeout = .milliseconds(HTTPServerLimits.shutdownMilliseconds)
        // For TLS 1.2; 1.3 has nothing weaker.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
            .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSFailure(
                description: "\(certificatePath) and \(privateKeyPath) do not belong together."
            )
        }
    }
}
