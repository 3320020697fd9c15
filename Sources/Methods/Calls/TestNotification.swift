import Entitlements
import JSON
import Wire

extension Call {
    /// `testNotification`: whether a notification of a store arrives here.
    ///
    /// Apple sends one when it is asked. Google sends one at the press of a button in the Play
    /// Console, which is waited for.
    static let testNotification = reading(
        "testNotification",
        for: .admin,
        taking: ["store", "timeoutSeconds"]
    ) { (worker, params, _) throws(RPCFailure) in
        let max = MethodLimits.testSecondsMax
        let seconds = try params.count("timeoutSeconds", max: max) ?? 60
        let service = worker.service
        let store = try params.optionalText("store", bytesMax: 64)
            .map { (name) throws(RPCFailure) in
                guard let store = Store(name: name) else {
                    throw RPCFailure.invalid("store", "is \(Store.names)")
                }
                return store
            }
        if let store, service.sendsTestsByHand(store) {
            guard service.storefront(of: store)?.hasApps == true else {
                throw .noStoreClient(of: service.profiles.filter { $0.store == store })
            }
            return .ask { () async throws(RPCFailure) in
                let isHeard = await service.testsHeard.hears(store, within: seconds)
                return ["delivered": .bool(isHeard), "sendAttemptResult": nil]
            }
        }
        let client = try service.client {
            $0.errands.contains(.testNotification) && (store == nil || $0.store == store)
        }
        return .ask { () async throws(RPCFailure) in
            async let isHeard = service.testsHeard.hears(service.testedStore, within: seconds)
            do throws(StoreAPIFailure) {
                let result = try await client.testNotification(timeoutSeconds: Int(seconds))
                // A store may be asked too seldom to say so in time.
                let isOpen = !result.delivered && result.sendAttemptResult == nil
                let isDelivered = isOpen ? await isHeard : result.delivered
                return [
                    "delivered": .bool(isDelivered),
                    "sendAttemptResult": result.sendAttemptResult.map { .string($0) } ?? .null,
                ]
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}

extension MethodService {
    /// The store that sends test notifications when it is asked.
    fileprivate var testedStore: Store? {
        profiles.first { $0.errands.contains(.testNotification) }?.store
    }

    /// Whether test notifications of this store come from its console.
    fileprivate func sendsTestsByHand(_ store: Store) -> Bool {
        profiles.contains { $0.store == store && $0.errands.contains(.testsByHand) }
    }
}
