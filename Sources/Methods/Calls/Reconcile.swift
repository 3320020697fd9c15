import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `reconcile`: with a user, asks about their subscriptions and waits, unless that was done a
    /// moment ago; without, begins a round, which is for support.
    static let reconcile = reading("reconcile", for: .app, taking: ["userId"]) {
        (worker, params, session) throws(RPCFailure) in
        let service = worker.service
        let clients = service.storeClients
        let named = try params.optionalText(
            "userId",
            bytesMax: Entitlements.Limits.userIDBytesMax
        )
        guard named != nil || session.caller.role >= .support else {
            throw RPCFailure(
                .permissionDenied,
                "This caller is \(session.caller.role.name); reconcile without a user is for"
                    + " support."
            )
        }
        guard !clients.isEmpty else { throw .noStoreClient(of: service.profiles) }
        guard named != nil else {
            for client in clients { _ = client.startRound() }
            return .ask { () throws(RPCFailure) in ["running": true] }
        }
        let user = try params.user(under: try worker.awake().policy)
        return .ask { () async throws(RPCFailure) in
            let turn = service.reconciled.turn(of: user, at: LedgerClock.system.monotonic())
            guard turn != .tooMany else {
                throw .overloaded("The stores were asked about too many users in this minute.")
            }
            let isNews: Bool
            do throws(RPCFailure) {
                isNews = turn == .now ? try await service.ask(clients, about: user, session) : false
            } catch {
                // Nothing was learned: who tries again asks again.
                service.reconciled.forget(user)
                throw error
            }
            return try await service.work(in: .purchases, for: session) {
                (reader) throws(RPCFailure) in
                let view = try service.view(of: user, reader)
                return ["applied": .bool(isNews), "status": .object(view.status)] as JSONObject
            }
        }
    }
}

extension MethodService {
    /// Asks these stores about the purchases of `user`; whether anything was news.
    fileprivate func ask(
        _ clients: [any StoreClient],
        about user: UserID,
        _ session: Session
    ) async throws(RPCFailure) -> Bool {
        let keys = try await work(in: .purchases, for: session) { (reader) throws(RPCFailure) in
            try self.view(of: user, reader).account?.subscriptions ?? []
        }
        var isNews = false
        do throws(StoreAPIFailure) {
            for client in clients where try await client.reconcile(keys) { isNews = true }
        } catch {
            throw RPCFailure(error)
        }
        return isNews
    }
}
