import Entitlements
import Synchronization

/// The users about whom the store was asked lately: each costs it several requests, and an app may
/// ask at every start of a phone.
final class ReconciledUsers: Sendable {
    private let asked = Mutex<[UserID: Int64]>([:])

    /// Whether the store may be asked about `user` at `now`, in monotonic ms, and notes that it is.
    ///
    /// It may not if it was asked about within the last minute, or if the store was asked about as
    /// many users as can be remembered.
    func begin(_ user: UserID, at now: Int64) -> Bool {
        asked.withLock { asked in
            let oldest = now - MethodLimits.reconcileEveryMilliseconds
            if asked.count >= MethodLimits.reconciledUsersMax {
                asked = asked.filter { $0.value > oldest }
            }
            if let last = asked[user] {
                guard last <= oldest else { return false }
            } else {
                guard asked.count < MethodLimits.reconciledUsersMax else { return false }
            }
            asked[user] = now
            return true
        }
    }

    /// Nothing came of it.
    func forget(_ user: UserID) { asked.withLock { $0[user] = nil } }
}
