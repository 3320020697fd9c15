import HTTPServer
import Synchronization

/// How many bytes of bodies wait at the webhook, those of all connections together.
///
/// Before a body is whole nobody knows who has sent it, so strangers may fill all of this. The
/// first `freeBytesEach` of a request are not charged: a notification that is not longer than that
/// is taken in nevertheless.
final class BodyBudget: Sendable {
    private let bytesMax: Int
    private let held = Atomic<Int>(0)

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Charges for `more` bytes; false, and nothing is charged, where all would hold too much.
    fileprivate func chargeIfRoom(_ more: Int) -> Bool {
        if held.add(more, ordering: .relaxed).newValue <= bytesMax { return true }
        release(more)
        return false
    }

    fileprivate func release(_ bytes: Int) { held.subtract(bytes, ordering: .relaxed) }
}

/// What one request holds of a `BodyBudget`; given back when this is released.
final class BodyCharge: HTTPCharge {
    private let budget: BodyBudget
    private let held = Atomic<Int>(0)

    init(to budget: BodyBudget) { self.budget = budget }

    deinit { budget.release(held.load(ordering: .relaxed)) }

    func resize(to bytes: Int) -> Bool {
        let more = bytes - WebhookLimits.freeBytesEach - held.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.chargeIfRoom(more) else { return false }
        held.add(more, ordering: .relaxed)
        return true
    }
}
