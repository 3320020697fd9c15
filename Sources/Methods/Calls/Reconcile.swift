import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `reconcile`: with a user, asks about their subscriptions and waits, unless that was done a
    /// moment ago; without, begins a round, which is for support.
    static let reconcile = errand("reconcile", for: .app, taking: ["userId"]) {
        (worker, params, session, client) throws(RPCFailure) in
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
        let user = try params.user(under: try worker.awake().policy)
        let service = worker.service
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
}
