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
            isLease: isLease
        )
        let holds = isLease ? leases(of: session) : nil
        return PendingWrite(.reserve(order)) { (receipt) throws(RPCFailure) in
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
        return PendingWrite(.endReservation(order)) { (receipt) throws(RPCFailure) in
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
    /// Nil once the connection has ended.
    private let ids = Mutex<Set<UInt64>?>([])

    init(_ ledger: Ledger) { self.ledger = ledger }

    /// One more; it returns at once where the connection has ended already.
    func add(_ id: UInt64) {
        let isOpen = ids.withLock { ids in
            ids?.insert(id)
            return ids != nil
        }
        if !isOpen { end([id]) }
    }

    /// One that was committed, released, or has ended.
    func remove(_ id: UInt64) { ids.withLock { _ = $0?.remove(id) } }

    func endAll() {
        let open = ids.withLock { ids in
            defer { ids = nil }
            return ids ?? []
        }
        end(open.sorted())
    }

    /// Ends them a few at a time, so that they leave room in the queue.
    ///
    /// What the queue does not take ends by itself in time, or when the daemon starts again.
    private func end(_ ids: [UInt64]) {
        let rest = Rest(ids)
        for _ in 0..<min(ids.count, MethodLimits.leasesEndingMax) { endNext(of: rest) }
    }

    private func endNext(of rest: Rest) {
        rest.next { id in
            let order = ReservationEnd(id: id, kind: .disconnected)
            ledger.submit(.endReservation(order)) { result in
                if case .success = result { self.endNext(of: rest) }
            }
        }
    }

    /// What is still to be ended.
    private final class Rest: Sendable {
        private let ids: Mutex<ArraySlice<UInt64>>

        init(_ ids: [UInt64]) { self.ids = Mutex(ids[...]) }

        /// Has `submit` put the next one in the queue before another is taken: they end in the
        /// order in which they were made.
        func next(_ submit: (UInt64) -> Void) {
            ids.withLock { ids in
                if let id = ids.popFirst() { submit(id) }
            }
        }
    }
}

/// How a reservation is written: `r` and the journal position that made it.
enum ReservationName {
    static func text(_ id: UInt64) -> String { "r\(id)" }

    static func id(_ text: String) -> UInt64? {
        guard text.hasPrefix("r"), let id = UInt64(text.dropFirst()), self.text(id) == text
        else { return nil }
        return id
    }
}

extension Reservation.Ending.Kind {
    /// The contract's word.
    var word: String {
        switch self {
        case .committed: "committed"
        case .released, .disconnected: "released"
        case .expired: "expired"
        }
    }
}
