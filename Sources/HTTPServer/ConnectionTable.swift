import DaemonConfiguration
import NIOCore
import Synchronization

/// The open connections, so that nobody takes all the places.
///
/// When all places, or all places of one source, are taken, the table closes the oldest connection
/// that has not sent a whole request. So slow senders make room for fast ones.
///
/// A place is taken until the descriptor is closed. A new connection may replace another one while
/// that one is still being closed, but only a few such connections may exist at a time.
final class ConnectionTable: Sendable {
    /// The place of one connection.
    struct Place: Sendable {
        let number: Int
        let table: ConnectionTable

        /// Whether the connection may be closed to make room.
        func setIncomplete(_ isIncomplete: Bool) {
            table.seats.withLock { $0.bySeat[number]?.isIncomplete = isIncomplete }
        }

        /// Gives the place back.
        func leave() {
            table.remove(number)
        }
    }

    /// What became of a newcomer.
    enum Admission {
        case admitted(Place, evicted: (any Channel)?)
        case refused(CloseReason)
    }

    private struct Seat {
        let network: SourceNetwork
        let channel: any Channel
        var isIncomplete = true
        /// Whether another connection has taken its place while its descriptor is being closed.
        var isLeaving = false
    }

    private struct Seats {
        var next = 0
        var bySeat: [Int: Seat] = [:]
        var countByNetwork: [SourceNetwork: Int] = [:]
        /// Those that are still open and have lost their place.
        var leaving = 0

        mutating func remove(_ number: Int) {
            guard let seat = bySeat.removeValue(forKey: number) else { return }
            if seat.isLeaving { leaving -= 1 } else { free(seat.network) }
        }

        mutating func evict(_ number: Int) -> (any Channel)? {
            guard let seat = bySeat[number] else { return nil }
            bySeat[number]?.isLeaving = true
            leaving += 1
            free(seat.network)
            return seat.channel
        }

        func oldestIncomplete(where isMeant: (Seat) -> Bool) -> Int? {
            bySeat.filter { $1.isIncomplete && !$1.isLeaving && isMeant($1) }.keys.min()
        }

        private mutating func free(_ network: SourceNetwork) {
            let left = (countByNetwork[network] ?? 1) - 1
            countByNetwork[network] = left > 0 ? left : nil
        }
    }

    private let connectionsMax: Int
    private let perSourceMax: Int
    private let seats = Mutex(Seats())

    init(connectionsMax: Int, perSourceMax: Int) {
        self.connectionsMax = connectionsMax
        self.perSourceMax = perSourceMax
    }

    var count: Int { seats.withLock { $0.bySeat.count } }

    var channels: [any Channel] { seats.withLock { $0.bySeat.values.map(\.channel) } }

    /// Takes a newcomer in.
    ///
    /// `isShared` is a proxy: many people come from its address.
    ///
    /// First match wins: the source has all it may have, all places are taken, too many are being
    /// closed already.
    func admit(_ channel: any Channel, from source: IPAddress, isShared: Bool) -> Admission {
        let network = SourceNetwork(source)
        return seats.withLock { seats in
            var victim: Int?
            if !isShared, (seats.countByNetwork[network] ?? 0) >= perSourceMax {
                victim = seats.oldestIncomplete { $0.network == network }
                guard victim != nil else { return .refused(.sourceMax) }
            } else if seats.bySeat.count - seats.leaving >= connectionsMax {
                victim = seats.oldestIncomplete { _ in true }
                guard victim != nil else { return .refused(.connectionsMax) }
            }
            guard victim == nil || seats.leaving < HTTPServerLimits.evictionsMax else {
                return .refused(.connectionsMax)
            }
            let evicted = victim.flatMap { seats.evict($0) }
            let number = seats.next
            seats.next += 1
            seats.bySeat[number] = Seat(network: network, channel: channel)
            seats.countByNetwork[network, default: 0] += 1
            let place = Place(number: number, table: self)
            return .admitted(place, evicted: evicted)
        }
    }

    private func remove(_ number: Int) {
        seats.withLock { $0.remove(number) }
    }
}

/// The addresses that count as one sender: an address of IPv4, or the first 64 bits of one of IPv6,
/// of which one customer has at least that many to choose from.
struct SourceNetwork: Hashable {
    private let prefix: ArraySlice<UInt8>

    /// An IPv4 address that is mapped into IPv6 is one of IPv4: `IPAddress` sees to that.
    init(_ address: IPAddress) { prefix = address.bytes.prefix(8) }
}
