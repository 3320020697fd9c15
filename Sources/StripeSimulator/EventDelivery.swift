import AppStoreSimulator
import AsyncHTTPClient
import CertificateAuthority
import JSON
import NIOCore
import NIOHTTP1

/// Signs events and posts them as Stripe does: again after every answer that is no 2xx.
package struct EventDelivery: Sendable {
    private let url: String
    private let settings: StripeSettings

    /// A delivery to `url` of events of the account that is like `settings`.
    package init(to url: String, _ settings: StripeSettings) {
        self.url = url
        self.settings = settings
    }

    /// The body that an endpoint gets.
    package static func body(_ event: KeptEvent, _ settings: StripeSettings) -> [UInt8] {
        JSONValue.object(event.json(settings, isListed: false)).bytes
    }

    /// The header `Stripe-Signature` of a body that is sent at `now`, in seconds since 1970: a code
    /// for each secret that counts.
    package static func signature(
        over body: [UInt8],
        _ settings: StripeSettings,
        at now: Int64
    ) -> String {
        let message = Array("\(now).".utf8) + body
        let codes = settings.secrets.map { "v1=" + MessageCode.sha256(of: message, secret: $0) }
        return (["t=\(now)"] + codes).joined(separator: ",")
    }

    /// Delivers one event until it is taken, or for so many attempts.
    package func deliver(
        _ event: KeptEvent,
        under fate: Weather.Fate = .init(),
        attempts: Int = 5
    ) async throws -> RepeatedPost.Record {
        // Each attempt has a time, and so a signature, of its own.
        let post = RepeatedPost(
            isTaken: { (200..<300).contains($0) },
            request: {
                let body = Self.body(event, settings)
                let now = StoreTime.now() / 1_000
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                request.headers.add(
                    name: "Stripe-Signature",
                    value: Self.signature(over: body, settings, at: now)
                )
                request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
                request.headers.add(name: "User-Agent", value: "stripesim")
                request.body = .bytes(ByteBuffer(bytes: body))
                return request
            }
        )
        return try await post.deliver(under: fate, attempts: attempts)
    }
}
