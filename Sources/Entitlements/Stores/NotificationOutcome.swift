/// What becomes of a notification that a store sends.
package enum NotificationOutcome: Sendable, Hashable {
    /// It is genuine, and on disk where it says something.
    case received(Reception)
    /// It is genuine and on disk; what it is about could not be asked in time.
    case accepted
    /// It is genuine, and of a shape that is not known here: nothing was made of it.
    case unreadable
    /// It is no notification.
    case malformed
    /// It is not the store's word.
    case unauthorized
    /// It may be; the store should send it again.
    case unavailable

    /// The word for it in metrics and the log.
    package var word: String {
        switch self {
        case .received(let reception): reception.rawValue
        case .accepted: "accepted"
        case .unreadable: "unreadable"
        case .malformed: "malformed"
        case .unauthorized: "unauthorized"
        case .unavailable: "unavailable"
        }
    }
}
