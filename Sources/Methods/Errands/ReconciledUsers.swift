import Entitlements
import Synchronization

/// The users about whom the store was asked lately: each costs it several requests, and an app may
/// ask at every start of a phone.
final class ReconciledUsers: Sendable {
    private let asked = Mutex<[UserID: Int64]>([:])

    /// Whether the stores may be asked about a user.
    enum Turn {
        case now
        /// They were, within the last minute.
        case wasAsked
        /// They were about as many users as can be remembered.
        case tooMany
    }

    /// Whether the stores may be asked about `user` at `now`, in monotonic ms; notes it if they
    /// may.
    func turn(of user: UserID, at now: Int64) -> Turn {
        asked.withLock { asked in
            let oldest = now - MethodLimits.reconcileEveryMilliseconds
            if asked.count >= MethodLimits.reconciledUsersMax {
                asked = asked.filter { $0.value > oldest }
            }
            if let last = asked[user] {
                guard last <= oldest else { return .wasAsked }
            } else {
                guard asked.count < MethodLimits.reconciledUsersMax else { return .tooMany }
            }
            asked[user] = now
            return .now
        }
    }

    /// Nothing came of it.
    func forget(_ user: UserID) { asked.withLock { $0[user] = nil } }
}
