import Entitlements
import Signatures

/// The header under which Stripe would send a body.
func signature(over body: [UInt8], with secret: String, at now: Moment) -> String {
    let time = String(now.milliseconds / 1000)
    let code = MessageAuthentication.sha256(
        of: Array("\(time).".utf8) + body,
        key: Array(secret.utf8)
    )
    let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "t=\(time),v1=\(digits)"
}
