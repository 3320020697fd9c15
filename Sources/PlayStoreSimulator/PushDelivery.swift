import AppStoreSimulator
import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Pushes as Pub/Sub does: again after every answer but five, with growing pauses.
package struct PushDelivery: Sendable {
    /// Where to.
    package let url: String
    private let signer: PushSigner

    /// A delivery to `url` of what `signer` signs.
    package init(to url: String, _ signer: PushSigner) {
        self.url = url
        self.signer = signer
    }

    /// Delivers one message until it is acknowledged, or for so many attempts.
    package func deliver(
        _ notice: PlayNotice,
        under fate: Weather.Fate = .init(),
        attempts: Int = 5
    ) async throws -> RepeatedPost.Record {
        let id = "\(StoreTime.now())\(UInt16.random(in: 10_000...65_535))"
        let body = signer.body(notice, id: id, at: StoreTime.now())
        // Exactly these five, says Google's page "Push subscriptions".
        let taken = [102, 200, 201, 202, 204]
        let post = RepeatedPost(
            isTaken: { taken.contains($0) },
            request: {
                var request = HTTPClientRequest(url: url)
                request.method = .POST
                let token = try signer.token(at: StoreTime.now())
                request.headers.add(name: "Authorization", value: "Bearer \(token)")
                request.headers.add(name: "Content-Type", value: "application/json")
                request.headers.add(name: "User-Agent", value: "playstoresim")
                request.body = .bytes(ByteBuffer(bytes: body))
                return request
            }
        )
        return try await post.deliver(under: fate, attempts: attempts)
    }
}
