import Entitlements
import JSON
import Ledger
import Wire

/// The methods that ask the store.
extension MethodWorker {
    /// `reconcile`: with a user, asks about their subscriptions and waits, unless that was done a
    /// moment ago; without, begins a round, which is for support.
    func reconciling(
        _ params: ParamsView,
        _ session: Session
    ) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
        guard try params.optionalText("userId", bytesMax: Entitlements.Limits.userIDBytesMax) != nil
        else {
            guard session.caller.role >= .support else {
                throw RPCFailure(
                    .permissionDenied,
                    "This caller is \(session.caller.role.name); reconcile without a user is for"
                        + " support."
                )
            }
            client.startRound()
            return .ask { () throws(RPCFailure) in ["running": true] }
        }
        let user = try params.user(under: try awake().policy)
        let service = service
        return .ask { () async throws(RPCFailure) in
            let isAsked = service.reconciled.begin(user, at: LedgerClock.system.monotonic())
            let keys = try await service.work(in: .purchases, for: session) {
                (reader) throws(RPCFailure) in
                try service.view(of: user, reader).account?.subscriptions ?? []
            }
            let applied: Bool
            do throws(StoreClientFailure) {
                applied = isAsked ? try await client.reconcile(keys) : false
            } catch {
                // Nothing was learned: who tries again asks again.
                service.reconciled.forget(user)
                throw RPCFailure(error)
            }
            return try await service.work(in: .purchases, for: session) {
                (reader) throws(RPCFailure) in
                let view = try service.view(of: user, reader)
                return ["applied": .bool(applied), "status": .object(view.status)] as JSONObject
            }
        }
    }

    /// `testNotification`: whether a notification of the store arrives here.
    func testing(_ params: ParamsView) throws(RPCFailure) -> LateRead {
        guard let client = service.storeClient else { throw .noStoreClient }
        let max = MethodLimits.testSecondsMax
        let seconds = try params.count("timeoutSeconds", max: max) ?? 60
        return .ask { () async throws(RPCFailure) in
            do throws(StoreClientFailure) {
                let result = try await client.testNotification(timeoutSeconds: Int(seconds))
                return [
                    "delivered": .bool(result.delivered),
                    "sendAttemptResult": result.sendAttemptResult.map { .string($0) } ?? .null,
                ]
            } catch {
                throw RPCFailure(error)
            }
        }
    }
}
