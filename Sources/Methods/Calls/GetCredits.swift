import Entitlements
import JSON
import Ledger
import Wire

extension Call {
    /// `getCredits`: what a user can spend, what is held, and where it came from.
    static let getCredits = asking("getCredits", for: .reader) {
        (service, user, reader, found) throws(RPCFailure) in
        let now = service.now()
        let account = try fromLedger(reader.account(of: user, knowing: found))
        let purse = account?.purse ?? Purse()
        let buckets = purse.open(at: now)
            .map { bucket -> JSONValue in
                [
                    "amount": .integer(bucket.amount),
                    "expiresAt": .time(bucket.until),
                    "source": .string(bucket.source),
                ]
            }
        return [
            "balance": .integer(purse.balance(at: now)),
            "held": .integer(purse.held(at: now)),
            "buckets": .array(buckets),
        ]
    }
}
