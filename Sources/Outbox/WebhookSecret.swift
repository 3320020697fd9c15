import JSON
import Signatures

/// What a receiver knows a sender by: `whsec_` and base64, as Standard Webhooks writes it
/// (<https://www.standardwebhooks.com>).
package struct WebhookSecret: Sendable {
    private let key: [UInt8]

    /// The secret that `text` writes; nil where it writes none.
    package init?(_ text: String) {
        let mark = "whsec_"
        guard text.hasPrefix(mark), let key = Base64.bytes(String(text.dropFirst(mark.count))),
            OutboxLimits.secretBytes.contains(key.count)
        else { return nil }
        self.key = key
    }

    /// The secrets in a file, one in a line: while one takes the place of another, both sign.
    ///
    /// Nil where a line is none, or there is no line.
    package static func all(in file: [UInt8]) -> [WebhookSecret]? {
        let lines = String(decoding: file, as: UTF8.self)
            .split(whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        let secrets = lines.compactMap { WebhookSecret(String($0)) }
        return secrets.isEmpty || secrets.count != lines.count ? nil : secrets
    }

    /// The signature of `body` under this id, at so many seconds since 1970: `v1,…`.
    func signature(of body: [UInt8], id: LetterID, seconds: Int64) -> String {
        let signed = Array("\(id).\(seconds).".utf8) + body
        return "v1," + Base64.text(MessageAuthentication.sha256(of: signed, key: key))
    }
}
