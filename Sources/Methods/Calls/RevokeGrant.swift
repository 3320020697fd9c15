import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `revokeGrant`: ends what `grantEntitlement` gave.
    static let revokeGrant = writing(
        "revokeGrant",
        for: .support,
        taking: ["userId", "grant", "reason"]
    ) { (worker, params, _) throws(RPCFailure) in
        let user = try params.user(under: try worker.awake().policy)
        let name = try params.text("grant", bytesMax: 64)
        guard let grant = GrantName.id(name) else { throw RPCFailure(Outcome.grantUnknown) }
        let max = MethodLimits.textBytesMax
        let reason = try params.optionalText("reason", bytesMax: max) ?? ""
        let revocation = GrantRevocation(user: user, grant: grant, reason: reason)
        let service = worker.service
        return PendingWrite(
            of: .user(user),
            preparing: .ready(.revokeGrant(revocation)),
            reply: { (receipt, reader) throws(RPCFailure) in
                guard receipt.outcome == .grantRevoked else { throw RPCFailure(receipt.outcome) }
                let view = try service.view(of: user, reader)
                return ["status": .object(view.status), "seq": .integer(Int64(receipt.seq))]
            }
        )
    }
}
