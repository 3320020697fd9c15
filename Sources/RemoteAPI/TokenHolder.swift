import DaemonConfiguration
import Synchronization
import Wire

/// Whoever shows one token, over however many connections.
final class TokenHolder: Sendable {
    /// The line of the file of tokens.
    let token: AccessToken
    /// The caller as the methods see it.
    let caller: Caller
    /// The bytes that may wait.
    let share: CallerBudget
    /// How many requests may come at once.
    let burst: Int
    private let rate: Mutex<RateBucket>
    private let gone = Atomic<Bool>(false)
    /// What ends with the token, by numbers of their own.
    private let guests = Mutex<[UInt64: @Sendable () -> Void]>([:])

    init(
        _ token: AccessToken,
        number: UInt32,
        budget: ByteBudget,
        requestsPerSecond: Int
    ) {
        self.token = token
        let role: Role =
            switch token.role {
            case .reader: .reader
            case .app: .app
            case .support: .support
            case .admin: preconditionFailure("a file of tokens names no admin")
            }
        caller = Caller(uid: number, gid: number, pid: 0, role: role, token: token.name)
        share = budget.enter(number)
        burst = requestsPerSecond
        rate = Mutex(RateBucket(perSecond: requestsPerSecond, at: .now))
    }

    /// Whether the token was taken away.
    var isGone: Bool { gone.load(ordering: .acquiring) }

    /// Counts `requests` against the rate; how long to wait where they are too many.
    func admit(_ requests: Int) -> Duration? {
        let now = ContinuousClock.now
        return rate.withLock { $0.take(requests, at: now) }
    }

    /// Has `end` called when the token is taken away; at once where it is gone.
    ///
    /// - Returns: false where so many follow already that one more would leave others no place;
    ///   then `end` is never called.
    func follow(_ number: UInt64, _ end: @escaping @Sendable () -> Void) -> Bool {
        let hasRoom = guests.withLock { guests in
            guard guests.count < APILimits.watchesPerTokenMax else { return false }
            guests[number] = end
            return true
        }
        if hasRoom, isGone { end() }
        return hasRoom
    }

    /// Nothing is to be called for this number any more.
    func forget(_ number: UInt64) { guests.withLock { $0[number] = nil } }

    /// The token is taken away.
    func leave() {
        gone.store(true, ordering: .releasing)
        share.budget.leave(share)
        for end in guests.withLock({ $0 }).values { end() }
    }
}
