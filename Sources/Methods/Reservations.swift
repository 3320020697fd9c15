import Entitlements
import JSON
import Ledger
import Synchronization
import Wire

/// Reservations: credits set aside for a render whose cost or success is not known yet.
extension MethodWorker {
    /// `reserveCredits`.
    func reserving(_ params: ParamsView, _ session: Session) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        guard let amount = try params.count("amount", max: MethodLimits.amountMax) else {
            throw .invalid("amount", "is missing")
        }
        guard let seconds = try params.count("ttlSeconds", max: MethodLimits.holdSecondsMax) else {
            throw .invalid("ttlSeconds", "is missing")
        }
        let isLease = try params.flag("releaseOnDisconnect") ?? false
        let charge = Charge(
            user: user,
            amount: amount,
            key: try params.key(of: user),
            fingerprint: Digest256(
                of: ["reserveCredits", .integer(amount), .integer(seconds), .bool(isLease)]
            )
        )
        let order = ReservationOrder(
            charge: charge,
            milliseconds: seconds * 1000,
            isLease: isLease,
            // The system's numbers, which no answer before tells anything of.
            id: Reservation.id(of: .random(in: .min ... .max))
        )
        let holds = isLease ? leases(of: session) : nil
        return PendingWrite(of: .user(user), .reserve(order)) { (receipt) throws(RPCFailure) in
            guard case .reserved(let result, let id, let remaining, let replay) = receipt.outcome
            else { throw RPCFailure(receipt.outcome) }
            if let holds, let id, result == .reserved, replay == nil { holds.add(id) }
            return [
                "outcome": .string(result.rawValue),
                "reservation": id.map { .string(ReservationName.text($0)) } ?? .null,
                "creditsRemaining": .integer(remaining),
                "replayed": .bool(replay != nil),
            ]
        }
    }

    /// `commitReservation` and `releaseReservation`.
    func ending(
        _ params: ParamsView,
        _ kind: Reservation.Ending.Kind,
        _ session: Session
    ) throws(RPCFailure) -> PendingWrite {
        let name = try params.text("reservation", bytesMax: 64)
        guard let id = ReservationName.id(name) else { throw RPCFailure(Outcome.holdUnknown) }
        var amount: Int64?
        if kind == .committed {
            amount = try params.count("amount", max: MethodLimits.amountMax)
        }
        let order = ReservationEnd(id: id, kind: kind, amount: amount)
        let holds = connectionHolds[session.id]
        return PendingWrite(of: .reservation(id), .endReservation(order)) {
            (receipt) throws(RPCFailure) in
            guard case .holdEnded(let kind, let remaining) = receipt.outcome else {
                throw RPCFailure(receipt.outcome)
            }
            holds?.remove(id)
            return ["outcome": .string(kind.word), "creditsRemaining": .integer(remaining)]
        }
    }

    private func leases(of session: Session) -> ConnectionHolds {
        if let holds = connectionHolds[session.id] { return holds }
        let holds = ConnectionHolds(service.ledger)
        connectionHolds[session.id] = holds
        let id = session.id
        session.onClose = { [weak self] in
            holds.endAll()
            self?.connectionHolds[id] = nil
        }
        return holds
    }
}

/// The holds that return when their connection ends.
final class ConnectionHolds: Sendable {
    private let ledger: Ledger
    private let state = Mutex<State>(State())

    private struct State {
        var isOpen = true
        var made = 0
        /// By id, the how manyth of this connection it is: they end in the order in which they were
        /// made.
        var places: [UInt64: Int] = [:]
    }

    init(_ ledger: Ledger) { self.ledger = ledger }

    /// One more; it returns at once where the connection has ended already.
    func add(_ id: UInt64) {
        let isOpen = state.withLock { state in
            state.made += 1
            state.places[id] = state.made
            return state.isOpen
        }
        if !isOpen { ledger.endLeases([id]) }
    }

    /// One that was committed, released, or has ended.
    func remove(_ id: UInt64) { state.withLock { $0.places[id] = nil } }

    /// The connection has ended.
    func endAll() {
        let places = state.withLock { state in
            defer { state = State(isOpen: false) }
            return state.places
        }
        ledger.endLeases(places.sorted { $0.value < $1.value }.map(\.key))
    }
}

/// How a reservation is written: `r` and its id.
enum ReservationName {
    static func text(_ id: UInt64) -> String { "r\(id)" }

    static func id(_ text: String) -> UInt64? {
        guard text.hasPrefix("r"), let id = UInt64(text.dropFirst()), self.text(id) == text
        else { return nil }
        return id
    }
}

extension Reservation.Ending.Kind {
    /// The word for it in proto/openrpc.json.
    var word: String {
        switch self {
        case .committed: "committed"
        case .released, .disconnected: "released"
        case .expired: "expired"
        }
    }
}
