import Entitlements
import Signatures

/// Judges whether Stripe signed the body of an event, and for which mode.
package struct WebhookSignatures: Sendable {
    private let secrets: [(environment: StoreEnvironment, secret: EndpointSecret)]

    /// The signing secrets of endpoints in live mode and in test mode.
    ///
    /// Several may be valid, because Stripe keeps an old one for up to a day while a new one is
    /// rolled out.
    package init(live: [EndpointSecret], test: [EndpointSecret]) {
        secrets = live.map { (.production, $0) } + test.map { (.sandbox, $0) }
    }

    /// Whether no secret is configured.
    package var isEmpty: Bool { secrets.isEmpty }

    /// The environments whose secrets made a signature in `header` over the bytes of `body`.
    ///
    /// The result has both environments if one secret is in both lists. Checks run from cheap to
    /// costly: form, moment, signature.
    package func environments(
        signing body: [UInt8],
        header: [UInt8]?,
        at now: Moment
    ) throws(SignatureFault) -> Set<StoreEnvironment> {
        guard let header else { throw .missing }
        let parts = try SignatureHeader(header)
        let age = now.milliseconds - parts.seconds * 1000
        if age > StripeLimits.toleranceMilliseconds { throw .old }
        if age < -StripeLimits.toleranceMilliseconds { throw .future }
        let message = parts.time + [UInt8(ascii: ".")] + body
        var found: Set<StoreEnvironment> = []
        for (environment, secret) in secrets {
            let wanted = Self.hexadecimal(
                MessageAuthentication.sha256(of: message, key: secret.key)
            )
            for signature in parts.signatures
            where MessageAuthentication.areEqual(signature, wanted) {
                found.insert(environment)
            }
        }
        guard !found.isEmpty else { throw .mismatch }
        return found
    }

    /// Lower case, as Stripe writes it.
    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
