import Entitlements
import JSON
import Ledger

/// Events of the journal as JSON, for `exportUser`.
enum EventView {
    /// What `event` says; nil where it says nothing of `user`.
    static func view(_ event: Event, of user: UserID) -> JSONValue? {
        guard let (word, value) = content(event, of: user) else { return nil }
        var object: JSONObject = ["event": .string(word)]
        for member in value.members { object[member.key] = member.value }
        return .object(object)
    }

    private static func content(
        _ event: Event,
        of user: UserID
    ) -> (String, JSONObject)? {
        switch event {
        case .accountOpened(let who): who == user ? ("account_opened", [:]) : nil
        case .registered(let who, let free):
            who == user ? ("registered", ["freeCredits": .integer(free)]) : nil
        case .appTransactionAwaited(let who):
            who == user ? ("app_transaction_awaited", [:]) : nil
        case .appTransactionUsed(_, let who, let free):
            who == user ? ("app_transaction_used", ["freeCredits": .integer(free)]) : nil
        case .tokenClaimed(let token, let who):
            who == user
                ? ("token_claimed", ["appAccountToken": .string(token.description)]) : nil
        case .merged(let fact): ("fact_merged", self.fact(fact))
        case .linked(let key, let who, _):
            who == user
                ? ("linked", ["subscription": .string(key.description)])
                : (
                    "unlinked",
                    [
                        "subscription": .string(key.description)
                    ]
                )
        case .succeeded(let key, let successor):
            (
                "migrated",
                [
                    "subscription": .string(key.description),
                    "successor": .string(successor.description),
                ]
            )
        case .dated(let key): ("dated", ["subscription": .string(key.description)])
        case .shared(let key, let who):
            who == user ? ("shared", ["subscription": .string(key.description)]) : nil
        case .granted(let who, let plan, let grant):
            who == user ? ("granted", self.grant(grant, plan)) : nil
        case .grantRevoked(let who, let id):
            who == user ? ("grant_revoked", ["grant": .string(GrantName.text(id))]) : nil
        case .settled(let key, let first):
            key.user == user ? ("settled", ["settlement": RowView.view(key, first)]) : nil
        case .noticed(let id): ("noticed", signing(of: id))
        case .announced(let id, _): ("announced", signing(of: id))
        case .loaded(let row): row.bears(on: user) ? ("loaded", [:]) : nil
        case .passed(let tick):
            tick.passings.first { $0.user == user }
                .map { ("time_passed", ["due": .exact($0.due)]) }
        case .accountsMerged(let merge):
            merge.into == user || merge.from == user
                ? (
                    "accounts_merged",
                    [
                        "fromUserId": .string(merge.from.description),
                        "intoUserId": .string(merge.into.description),
                    ]
                ) : nil
        case .catalogInstalled, .erased: nil
        case .credited, .spent, .held, .holdEnded, .reversed, .packCredited, .packRefunded,
            .packPartRefunded, .periodMoved, .debtPaid, .refundForgiven:
            credits(event, of: user)
        }
    }

    private static func credits(_ event: Event, of user: UserID) -> (String, JSONObject)? {
        switch event {
        case .credited(let who, let bucket):
            who == user ? ("credited", ["bucket": RowView.view(bucket)]) : nil
        case .spent(let who, let parts): who == user ? ("spent", ["parts": view(parts)]) : nil
        case .debtPaid(let who, let parts):
            who == user ? ("debt_paid", ["parts": view(parts)]) : nil
        case .held(let who, let hold, _):
            who == user
                ? (
                    "held",
                    [
                        "reservation": .string(ReservationName.text(hold.id)),
                        "expiresAt": .exact(hold.until),
                        "parts": view(hold.parts),
                    ]
                ) : nil
        case .holdEnded(let who, let id, let ending, let returned):
            who == user
                ? (
                    "hold_ended",
                    [
                        "reservation": .string(ReservationName.text(id)),
                        "outcome": .string(ending.kind.rowWord),
                        "returned": view(returned),
                    ]
                ) : nil
        // The charge may have been made under the id of an account that went into this one.
        case .reversed(_, let parts): ("reversed", ["parts": view(parts)])
        case .packCredited(let key, let pack):
            pack.user == user
                ? (pack.isPeriod ? "period_credited" : "pack_credited", self.pack(key, pack.amount))
                : nil
        case .periodMoved(let key, let who, let move):
            who == user
                ? (
                    "period_moved",
                    pack(key, 0).adding(["expiresAt": .exact(move.to)])
                ) : nil
        case .packRefunded(let key, let who, let parts, let owed):
            who == user ? ("pack_refunded", self.pack(key, parts.total + owed)) : nil
        case .packPartRefunded(let key, let who, let parts, let owed, _):
            who == user ? ("pack_refunded", self.pack(key, parts.total + owed)) : nil
        case .refundForgiven(let who, let memory):
            who == user && memory.amount != 0
                ? (
                    memory.amount > 0 ? "refund_forgiven" : "refund_covered",
                    self.pack(memory.pack, abs(memory.amount))
                ) : nil
        case .accountOpened, .registered, .tokenClaimed, .merged, .linked, .succeeded, .dated,
            .shared, .granted,
            .grantRevoked, .settled, .noticed, .announced, .loaded, .passed, .catalogInstalled,
            .accountsMerged, .erased, .appTransactionAwaited, .appTransactionUsed:
            nil
        }
    }

    private static func view(_ parts: [Bucket]) -> JSONValue { .array(parts.map(RowView.view)) }

    private static func pack(_ key: PackKey, _ amount: Int64) -> JSONObject {
        [
            "store": .string(key.store.name),
            "environment": .string(key.environment.name),
            "transactionId": .string(key.transactionID),
            "amount": .integer(amount),
        ]
    }

    /// When a notification was signed, if that is a part of what recognises it.
    private static func signing(of id: NotificationID) -> JSONObject {
        id.signedDate.map { ["signedDate": .exact($0)] } ?? [:]
    }

    private static func grant(_ grant: Grant, _ plan: String) -> JSONObject {
        [
            "grant": .string(GrantName.text(grant.id)),
            "plan": .string(plan),
            "from": .exact(grant.from),
            "until": .exact(grant.until, null: .distantFuture),
        ]
    }

    private static func fact(_ fact: Fact) -> JSONObject {
        [
            "subscription": .string(fact.key.description),
            "transaction": fact.transaction.map(RowView.view) ?? .null,
            "renewal": fact.renewal.map(RowView.view) ?? .null,
            "statusCode": fact.status.map { .integer($0.code) } ?? .null,
            "cancelledAt": .exact(fact.renewalDisabled),
        ]
    }
}
