import Entitlements
import JSON
import Ledger
import Wire

extension MethodWorker {
    /// `eraseUser`: answered when no file of the data directory names the person any more.
    func erasing(_ params: ParamsView) throws(RPCFailure) -> PendingWrite {
        let user = try params.user(under: try awake().policy)
        let secret = HashKey(
            UInt64.random(in: .min ... .max),
            UInt64.random(in: .min ... .max)
        )
        let service = service
        let search = service.ledger.search(for: user)
        return PendingWrite(
            of: .user(user),
            preparing: .work(.upkeep) { () throws(RPCFailure) in
                // So that writes need not wait for it.
                do throws(LedgerFailure) {
                    try service.ledger.checkJournal()
                    try search.run()
                } catch {
                    throw RPCFailure(error)
                }
                return .erase(ErasureOrder(user: user, secret: secret))
            },
            answeringIn: .upkeep,
            reply: { [search] (receipt, reader) throws(RPCFailure) in
                withExtendedLifetime(search) {}
                // A view that is held would keep pages with the person in them.
                reader.rest()
                // Also where there was nobody: an earlier call may have been cut short.
                do throws(LedgerFailure) {
                    try service.ledger.finishErasures()
                } catch {
                    throw RPCFailure(error)
                }
                return [
                    "erased": .bool(receipt.outcome == .erased(true)),
                    "seq": .integer(Int64(receipt.seq)),
                ]
            }
        )
    }
}
