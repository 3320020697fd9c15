import Entitlements
import JSON

/// One notification from somebody who does not wish us well, or who is only unusual.
package struct HostileCase: Sendable, CustomStringConvertible {
    /// What the webhook must answer (docs/app-store-connect.md, "What the webhook answers").
    package enum Answer: String, Sendable {
        case applied, stale, duplicate, ignored
        /// 400.
        case malformed
        /// 401.
        case unauthorized
        /// 503.
        case unavailable
    }

    /// Its number in the catalogue of attacks, and which of them: `J-31.2`.
    package let id: String
    /// What is wrong with it, or unusual.
    package let name: String
    /// The whole HTTP body.
    package let body: [UInt8]
    /// What is answered.
    package let expected: Answer
    /// Bodies that were received before, in order.
    package var before: [[UInt8]] = []
    /// The environments that the daemon is configured for.
    package var environments: Set<StoreEnvironment> = [.production]
    /// Serials that the daemon refuses.
    package var blockedSerials: Set<[UInt8]> = []
    /// Judged without X509_STRICT by Apple's verifier, as in Apple's own tests.
    package var isRelaxed = false

    package var description: String { "\(id) \(name)" }

    /// What a body carries for the storefront: the string `signedPayload`, of three segments.
    ///
    /// Written from docs/app-store-connect.md alone, beside the daemon's own reading of bodies.
    package static func signedPayload(in body: [UInt8]) -> [UInt8]? {
        guard body.count <= bodyBytesMax, let value = try? JSONValue.parse(body),
            let text = value["signedPayload"]?.string
        else { return nil }
        let bytes = Array(text.utf8)
        return bytes.count { $0 == UInt8(ascii: ".") } == 2 ? bytes : nil
    }

    /// The longest body that the webhook reads: 128 KiB.
    package static let bodyBytesMax = 128 << 10

    /// The text for Apple's verifier: whatever string stands there; nil where there is none.
    package var oraclePayload: String? {
        (try? JSONValue.parse(body))?["signedPayload"]?.string
    }

    /// A body as Apple sends it.
    package static func body(_ signedPayload: String) -> [UInt8] {
        JSONValue.object(["signedPayload": .string(signedPayload)]).bytes
    }
}
