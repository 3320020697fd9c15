import DaemonConfiguration
import Synchronization

/// The addresses that may send, and the proxies that are believed about a sender's address.
final class SourcePolicy: Sendable {
    private struct Ranges {
        var allowed: [AddressRange]
        var proxies: [AddressRange]
    }

    private let ranges: Mutex<Ranges>

    init(allowed: [AddressRange], proxies: [AddressRange]) {
        ranges = Mutex(Ranges(allowed: allowed, proxies: proxies))
    }

    /// Applies to connections and requests from now on.
    func replace(allowed: [AddressRange], proxies: [AddressRange]) {
        ranges.withLock { $0 = Ranges(allowed: allowed, proxies: proxies) }
    }

    /// What a peer's address alone leads to.
    func welcome(_ peer: IPAddress) -> HTTPListener.Welcome {
        ranges.withLock { ranges in
            if ranges.proxies.contains(where: { $0.contains(peer) }) { return .shared }
            return SourcePolicy.isAllowed(peer, ranges) ? .welcome : .unwelcome
        }
    }

    /// The sender of a request that came from `peer` with these X-Forwarded-For fields; nil if it
    /// may not send.
    ///
    /// Only trusted proxies are believed, and only about the last hop, which they wrote themselves.
    func source(of peer: IPAddress, forwardedFor fields: [String]) -> IPAddress? {
        ranges.withLock { ranges in
            var source = peer
            if ranges.proxies.contains(where: { $0.contains(peer) }), let last = fields.last {
                guard let hop = SourcePolicy.lastHop(last) else { return nil }
                source = hop
            }
            return SourcePolicy.isAllowed(source, ranges) ? source : nil
        }
    }

    private static func isAllowed(_ source: IPAddress, _ ranges: Ranges) -> Bool {
        ranges.allowed.isEmpty || ranges.allowed.contains { $0.contains(source) }
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
