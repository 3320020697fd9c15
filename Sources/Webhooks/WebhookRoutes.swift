import DaemonConfiguration
import Entitlements
import HTTPServer
import NIOHTTP1

/// The routes of the webhook and what a request to them must look like.
struct WebhookRoutes: Sendable {
    private let routes: [WebhookRoute]
    private let pathSecret: Secret<[UInt8]>?

    init(_ routes: [WebhookRoute], pathSecret: Secret<[UInt8]>?) {
        self.routes = routes
        self.pathSecret = pathSecret
    }

    /// The refusal of a head that `HeadRules` let pass, if there is one.
    ///
    /// First match wins: another path, another method, an expectation other than 100-continue, an
    /// encoding, a media type, an announced length.
    func refusal(of head: HTTPRequestHead) -> HTTPRefusal? {
        guard let place = place(of: HeadRules.split(head.uri).path) else { return .notFound }
        let webhook = routes[place].webhook
        guard head.method == .POST else { return .methodNotAllowed(allow: "POST") }
        if let refusal = HeadRules.bodyRefusal(of: head.headers) { return refusal }
        let mediaTypes = head.headers["content-type"]
        guard mediaTypes.count <= 1, !webhook.wantsJSON || mediaTypes.allSatisfy(isJSON) else {
            return .mediaType
        }
        return HeadRules.lengthRefusal(of: head.headers, bytesMax: webhook.bodyBytesMax)
    }

    /// The route of a path, by its place among all; nil where there is none.
    func place(of path: String) -> Int? {
        routes.firstIndex { $0.webhook.paths.contains { isKnown(path, $0) } }
    }

    /// The route of a path; nil where there is none.
    func route(of path: String) -> WebhookRoute? { place(of: path).map { routes[$0] } }

    private func isKnown(_ path: String, _ known: String) -> Bool {
        guard let pathSecret else { return path == known }
        let bytes = Array(path.utf8)
        let prefix = Array("\(known)/".utf8)
        return bytes.starts(with: prefix) && isEqual(bytes[prefix.count...], pathSecret.revealed)
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
