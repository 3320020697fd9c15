import Entitlements
import Synchronization

/// The policy in force, for readers that look once per wake-up.
final class PolicyBoard: Sendable {
    private let present: Mutex<Policy>
    private let changes = Atomic<UInt64>(1)

    init(_ policy: Policy) { present = Mutex(policy) }

    /// Grows with every change; cheap to look at.
    var version: UInt64 { changes.load(ordering: .acquiring) }

    var policy: Policy { present.withLock { $0 } }

    func put(_ policy: Policy) {
        present.withLock { $0 = policy }
        changes.add(1, ordering: .acquiringAndReleasing)
    }
}
