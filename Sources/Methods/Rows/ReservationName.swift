import Entitlements

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
