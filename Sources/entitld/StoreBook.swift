import Entitlements
import JSON
import Ledger
import Methods
import Reconciler
import Synchronization
import Wire

/// Where reconcilers reach the methods, which are made after them.
final class StoreBook: Sendable {
    fileprivate let present = Mutex<MethodService?>(nil)

    /// The methods, once there are any.
    func connect(_ service: MethodService) { present.withLock { $0 = service } }

    private func service() throws(BookFailure) -> MethodService {
        guard let service = present.withLock({ $0 }) else { throw BookFailure("starting") }
        return service
    }

    /// What the methods tell.
    private func told<Value>(
        _ answer: @autoclosure () async throws(LedgerFailure) -> Value
    ) async throws(BookFailure) -> Value {
        do throws(LedgerFailure) {
            return try await answer()
        } catch {
            throw BookFailure("\(error)")
        }
    }
}

extension StoreBook: ReconciledBook {
    func take(_ notification: Notification) async throws(BookFailure) -> Reception {
        let service = try service()
        return try await told(await service.take(notification))
    }

    func take(_ facts: [Fact]) async throws(BookFailure) -> Bool {
        let service = try service()
        return try await told(await service.take(facts))
    }

    func announced(by store: Store) async throws(BookFailure) -> [WaitingNotification] {
        let service = try service()
        return try await told(await service.announced(by: store))
    }

    func subscriptions(
        after key: SubscriptionKey?,
        limit: Int
    ) async throws(BookFailure) -> [Subscription] {
        let service = try service()
        return try await told(await service.subscriptions(after: key, limit: limit))
    }

    func subscriptions(of keys: [SubscriptionKey]) async throws(BookFailure) -> [Subscription] {
        let service = try service()
        return try await told(await service.subscriptions(of: keys))
    }
}

extension StoreBook {
    func role(of purchase: Subscription) -> PurchaseRole? {
        guard let service = present.withLock({ $0 }) else { return nil }
        return switch service.naming(of: purchase) {
        case .pack: .pack
        case .plan: .plan
        case nil: nil
        }
    }

    func packs(in purchase: Subscription) -> Set<String> {
        guard let service = present.withLock({ $0 }) else { return [] }
        return service.packs(in: purchase)
    }
}

extension Reconciler: StoreClient {
    package func stats(kept: Int?) -> JSONObject {
        let progress = progress
        let walk = progress.walks.values.lazy.compactMap(\.present).first
        let phase = walk.map { $0.onlyFailures ? "failures" : "history" }
        var object: JSONObject = [
            "running": .bool(progress.isRunning),
            "phase": .string(phase ?? (progress.isSweeping ? "sweep" : "idle")),
            "done": .integer(Int64(walk?.documents ?? progress.sweep?.looked ?? 0)),
            // Nobody knows how long a history is before its last page.
            "total": walk == nil ? kept.map { .integer(Int64($0)) } ?? .null : .null,
        ]
        for member in progress.object(time: { TimeText.text($0.milliseconds) }).members {
            object[member.key] = member.value
        }
        return object
    }
}
