import DaemonConfiguration
import NIOCore
import Synchronization

/// Who is connected, so that nobody takes all the places.
///
/// When all places, or all of one source, are taken, the oldest connection goes that has not sent
/// a whole request: whoever sends slowly makes room for whoever sends at once.
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
        let source: IPAddress
        let channel: any Channel
        var isIncomplete = true
    }

    private struct Seats {
        var next = 0
        var bySeat: [Int: Seat] = [:]
        var countBySource: [IPAddress: Int] = [:]

        mutating func remove(_ number: Int) -> Seat? {
            guard let seat = bySeat.removeValue(forKey: number) else { return nil }
            let left = (countBySource[seat.source] ?? 1) - 1
            countBySource[seat.source] = left > 0 ? left : nil
            return seat
        }

        func oldestIncomplete(where isMeant: (Seat) -> Bool) -> Int? {
            bySeat.filter { $1.isIncomplete && isMeant($1) }.keys.min()
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
    /// First match wins: the source has all it may have, all places are taken.
    func admit(_ channel: any Channel, from source: IPAddress, isShared: Bool) -> Admission {
        seats.withLock { seats in
            var victim: Int?
            if !isShared, (seats.countBySource[source] ?? 0) >= perSourceMax {
                victim = seats.oldestIncomplete { $0.source == source }
                guard victim != nil else { return .refused(.sourceMax) }
            } else if seats.bySeat.count >= connectionsMax {
                victim = seats.oldestIncomplete { _ in true }
                guard victim != nil else { return .refused(.connectionsMax) }
            }
            let evicted = victim.flatMap { seats.remove($0) }
            let number = seats.next
            seats.next += 1
            seats.bySeat[number] = Seat(source: source, channel: channel)
            seats.countBySource[source, default: 0] += 1
            let place = Place(number: number, table: self)
            return .admitted(place, evicted: evicted?.channel)
        }
    }

    private func remove(_ number: Int) {
        _ = seats.withLock { $0.remove(number) }
    }
}
