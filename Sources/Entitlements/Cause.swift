/// Why a status changed, in the words of proto/openrpc.json.
package enum Cause: String, Hashable, Sendable, CaseIterable {
    case registered
    case notification
    case verified
    case restored
    case transferred
    case reconciled
    case granted
    case grantRevoked = "grant_revoked"
    case creditsGranted = "credits_granted"
    case creditsAdjusted = "credits_adjusted"
    case consumed
    case reserved
    case committed
    case released
    case reversed
    case clock
    case erased
    /// A new catalog; told to all at once, and to nobody's history.
    case catalog
}

extension Command.Kind {
    /// Why the status of `user` changes where this command changes it.
    package func cause(for user: UserID) -> Cause {
        switch self {
        case .register, .load: .registered
        case .record: .notification
        case .link(let purchase): purchase.user == user ? .verified : .transferred
        case .restore(let order): order.user == user ? .restored : .transferred
        case .learn: .reconciled
        case .grant: .granted
        case .revokeGrant: .grantRevoked
        case .merge, .move: .transferred
        case .credit(let order): order.isAdjustment ? .creditsAdjusted : .creditsGranted
        case .charge: .consumed
        case .reserve: .reserved
        case .endReservation(let order): order.kind == .committed ? .committed : .released
        case .reverse: .reversed
        case .tick: .clock
        case .install: .catalog
        case .erase(let order): order.user == user ? .erased : .transferred
        }
    }
}
