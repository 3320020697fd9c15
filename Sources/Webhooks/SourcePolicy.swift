import DaemonConfiguration
import HTTPServer
import Synchronization

/// Who may send to a route after a reload.
package enum RouteSources: Sendable {
    /// Who may send to any.
    case common
    /// These instead.
    case own([AddressRange])
    /// Those of before: nothing new is said of the route.
    case unchanged
}

/// The addresses that may send, and the proxies that are believed about a sender's address.
final class SourcePolicy: Sendable {
    private struct Ranges {
        var allowed: [AddressRange]
        /// Those of each route that has its own, in the order of the routes.
        var own: [[AddressRange]?]
        var proxies: [AddressRange]
    }

    private let ranges: Mutex<Ranges>

    init(allowed: [AddressRange], own: [[AddressRange]?] = [], proxies: [AddressRange]) {
        ranges = Mutex(Ranges(allowed: allowed, own: own, proxies: proxies))
    }

    /// Applies to connections and requests from now on.
    func replace(
        allowed: [AddressRange],
        own: [RouteSources] = [],
        proxies: [AddressRange]
    ) {
        ranges.withLock { ranges in
            let before = ranges.own
            ranges = Ranges(
                allowed: allowed,
                own: own.enumerated()
                    .map { route, sources in
                        switch sources {
                        case .common: nil
                        case .own(let sources): sources
                        case .unchanged: before.indices.contains(route) ? before[route] : nil
                        }
                    },
                proxies: proxies
            )
        }
    }

    /// What a peer's address alone leads to.
    func welcome(_ peer: IPAddress) -> HTTPListener.Welcome {
        ranges.withLock { ranges in
            if ranges.proxies.contains(where: { $0.contains(peer) }) { return .shared }
            return SourcePolicy.isAllowed(peer, ranges, at: nil) ? .welcome : .unwelcome
        }
    }

    /// The sender of a request to `route` that came from `peer` with these X-Forwarded-For fields;
    /// nil if it may not send.
    ///
    /// A path that is no route's has no sources of its own: the common ones may learn that.
    /// Only trusted proxies are believed, and only about the last hop, which they wrote themselves.
    func source(
        of peer: IPAddress,
        forwardedFor fields: [String],
        to route: Int? = nil
    ) -> IPAddress? {
        ranges.withLock { ranges in
            var source = peer
            if ranges.proxies.contains(where: { $0.contains(peer) }), let last = fields.last {
                guard let hop = SourcePolicy.lastHop(last) else { return nil }
                source = hop
            }
            return SourcePolicy.isAllowed(source, ranges, at: route) ? source : nil
        }
    }

    /// Whether a source may send to a route, or where none is named, to any.
    private static func isAllowed(
        _ source: IPAddress,
        _ ranges: Ranges,
        at route: Int?
    ) -> Bool {
        func isIn(_ allowed: [AddressRange]) -> Bool {
            allowed.isEmpty || allowed.contains { $0.contains(source) }
        }
        guard let route else {
            return isIn(ranges.allowed) || ranges.own.contains { $0.map(isIn) ?? false }
        }
        let own = ranges.own.indices.contains(route) ? ranges.own[route] : nil
        return isIn(own ?? ranges.allowed)
    }

    /// The last element of a list: an address, which some proxies write with a port.
    private static func lastHop(_ field: String) -> IPAddress? {
        var hop = field.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
        while let first = hop.first, first == " " || first == "\t" { hop.removeFirst() }
        while let last = hop.last, last == " " || last == "\t" { hop.removeLast() }
        guard hop.utf8.count <= WebhookLimits.forwardedHopBytesMax else { return nil }
        if let address = IPAddress(String(hop)) { return address }
        if hop.first == "[", hop.last == "]" {
            return IPAddress(String(hop.dropFirst().dropLast()))
        }
        return ListenAddress(String(hop)).flatMap { IPAddress($0.host) }
    }
}
