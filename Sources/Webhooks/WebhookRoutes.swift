import DaemonConfiguration
import NIOHTTP1

/// The paths of the webhook and what a request to them must look like.
struct WebhookRoutes: Sendable {
    /// Where Apple may send, without the secret.
    static let paths = ["/webhooks/apple", "/api/webhooks/apple", "/api/billing/webhooks/apple"]

    private let pathSecret: Secret<[UInt8]>?
    private let bodyBytesMax: Int

    init(pathSecret: Secret<[UInt8]>?, bodyBytesMax: Int) {
        self.pathSecret = pathSecret
        self.bodyBytesMax = bodyBytesMax
    }

    /// The refusal of a head that `HeadRules` let pass, if there is one.
    ///
    /// First match wins: another path, another method, an expectation other than 100-continue, an
    /// encoding, a media type, an announced length.
    func refusal(of head: HTTPRequestHead) -> HTTPRefusal? {
        guard isKnown(HeadRules.split(head.uri).path) else { return .notFound }
        guard head.method == .POST else { return .methodNotAllowed(allow: "POST") }
        let expectations = head.headers["expect"]
        guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
            return .expectation
        }
        // Nothing is ever decompressed: there is no bomb to defuse.
        let encodings = head.headers["content-encoding"]
        guard encodings.allSatisfy({ $0.lowercased() == "identity" }) else { return .mediaType }
        let mediaTypes = head.headers["content-type"]
        guard mediaTypes.count <= 1, mediaTypes.allSatisfy(isJSON) else { return .mediaType }
        return HeadRules.lengthRefusal(of: head.headers, bytesMax: bodyBytesMax)
    }

    private func isKnown(_ path: String) -> Bool {
        guard let pathSecret else { return WebhookRoutes.paths.contains(path) }
        let bytes = Array(path.utf8)
        return WebhookRoutes.paths.contains { known in
            let prefix = Array("\(known)/".utf8)
            return bytes.starts(with: prefix)
                && isEqual(bytes[prefix.count...], pathSecret.revealed)
        }
    }

    /// Compares in a time that tells nothing about where the two differ.
    private func isEqual(_ given: ArraySlice<UInt8>, _ secret: [UInt8]) -> Bool {
        guard !secret.isEmpty else { return false }
        var difference = given.count ^ secret.count
        for (offset, byte) in given.enumerated() {
            difference |= Int(byte ^ secret[offset % secret.count])
        }
        return difference == 0
    }

    private func isJSON(_ mediaType: String) -> Bool {
        let essence = mediaType.prefix { $0 != ";" }
        return essence.filter { $0 != " " && $0 != "\t" }.lowercased() == "application/json"
    }
}
