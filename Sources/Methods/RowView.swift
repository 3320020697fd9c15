import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

/// Rows of the views as JSON, for `dump` and `get`.
enum RowView {
    /// A key as text, or as base64 where it is not UTF-8.
    static func key(_ key: [UInt8]) -> JSONValue {
        if let text = String(validating: key, as: UTF8.self) { return .string(text) }
        return ["base64": .string(Data(key).base64EncodedString())]
    }

    static func value(of row: Row) -> JSONValue {
        switch row.value {
        case .account(let account): view(account)
        case .subscription(let subscription): view(subscription)
        case .token(_, let user): ["userId": .string(user.description)]
        case .unclaimed(let waiting):
            [
                "appAccountToken": .string(waiting.token.description),
                "subscription": .string(waiting.key.description),
            ]
        case .notification(let id, let seq):
            ["signedDate": time(id.signed), "seq": .integer(Int64(seq))]
        case .settlement(let key, let first):
            [
                "userId": .string(key.user.description),
                "at": time(first.at),
                "seq": .integer(Int64(first.seq)),
                "answer": .string(first.answer.word),
            ]
        case .reservation(_, let reservation):
            [
                "userId": .string(reservation.user.description),
                "expiresAt": time(reservation.until),
                "releaseOnDisconnect": .bool(reservation.isLease),
                "outcome": reservation.ending.map { .string($0.kind.word) } ?? .null,
            ]
        case .lease(_, let user): ["userId": .string(user.description)]
        case .pack(_, let pack):
            [
                "userId": .string(pack.user.description),
                "source": .string(pack.source),
                "amount": .integer(pack.amount),
                "takenBack": pack.takenBack.map { .integer($0) } ?? .null,
            ]
        case .alarm(let passing):
            ["userId": .string(passing.user.description), "due": time(passing.due)]
        case .tick(let first, let seq):
            ["from": time(first), "seq": .integer(Int64(seq))]
        case .applied(let seq, let group, let at):
            [
                "seq": .integer(Int64(seq)), "group": .integer(Int64(group)), "at": time(at),
            ]
        case .numbering(let names): .array(names.map { .string($0) })
        case .installed(let catalog):
            [
                "version": .integer(Int64(catalog.stamp.version)),
                "from": time(catalog.from),
                "seq": .integer(Int64(catalog.seq)),
                "text": .string(catalog.stamp.text),
            ]
        case .catalog(let stamp):
            ["version": .integer(Int64(stamp.version)), "text": .string(stamp.text)]
        }
    }

    private static func view(_ account: Account) -> JSONValue {
        let flags = account.answer.flags
        return [
            "userId": .string(account.user.description),
            "openedAt": time(account.opened),
            "registered": .bool(flags.contains(.registered)),
            "hadSubscription": .bool(flags.contains(.hadSubscription)),
            "credits": view(account.purse),
            "subscriptions": .array(account.subscriptions.map { .string($0.description) }),
            "tokens": .array(account.tokens.map { .string($0.description) }),
            "grants": .array(
                account.answer.grants.map { grant in
                    [
                        "grant": .string(GrantName.text(grant.id)),
                        "from": time(grant.from),
                        "until": time(grant.until),
                    ]
                }
            ),
            "slots": .array(
                account.answer.slots.map { slot in
                    [
                        "subscription": .string(
                            account.subscriptions[Int(slot.ordinal)].description
                        ),
                        "product": .integer(Int64(slot.product)),
                        "marks": .integer(Int64(slot.marks.rawValue)),
                        "from": time(slot.from),
                        "paidUntil": time(slot.paidUntil),
                        "graceUntil": time(slot.graceUntil),
                    ]
                }
            ),
            "lastSeq": .integer(Int64(account.lastSeq)),
        ]
    }

    private static func view(_ purse: Purse) -> JSONValue {
        [
            "buckets": .array(purse.buckets.map(view)),
            "holds": .array(
                purse.holds.map { hold in
                    [
                        "reservation": .string(ReservationName.text(hold.id)),
                        "expiresAt": time(hold.until),
                        "parts": .array(hold.parts.map(view)),
                    ]
                }
            ),
            "debt": .integer(purse.debt),
        ]
    }

    private static func view(_ bucket: Bucket) -> JSONValue {
        [
            "amount": .integer(bucket.amount),
            "expiresAt": time(bucket.until),
            "source": .string(bucket.source),
        ]
    }

    static func view(_ subscription: Subscription) -> JSONValue {
        [
            "store": .string(subscription.key.store.name),
            "environment": .string(subscription.key.environment.name),
            "originalTransactionId": .string(subscription.key.originalID),
            "owner": subscription.owner.map { .string($0.description) } ?? .null,
            "link": subscription.link.map { .string($0.description) } ?? .null,
            "sharedWith": .array(subscription.sharers.map { .string($0.description) }),
            "tokens": .array(subscription.tokens.map { .string($0.description) }),
            "everEntitled": .bool(subscription.everEntitled),
            "cancelledAt": time(subscription.renewalDisabled),
            "transactions": .array(subscription.transactions.map(view)),
            "renewal": subscription.renewal.map(view) ?? .null,
            "status": subscription.status.map { status in
                [
                    "code": .integer(status.code),
                    "signedDate": time(status.version.signed),
                ]
            } ?? .null,
        ]
    }

    private static func view(_ transaction: TransactionFact) -> JSONValue {
        [
            "transactionId": .string(transaction.id),
            "productId": .string(transaction.productID),
            "purchaseDate": time(transaction.purchased),
            "expiresDate": time(transaction.expires),
            "revocationDate": time(transaction.revoked),
            "revocationReason": transaction.revocationReason.map { .integer($0) } ?? .null,
            "isUpgraded": .bool(transaction.isUpgraded),
            "type": .string(transaction.kind),
            "inAppOwnershipType": .string(transaction.ownership),
            "offerType": transaction.offerType.map { .integer($0) } ?? .null,
            "offerDiscountType": transaction.offerDiscount.map { .string($0) } ?? .null,
            "appAccountToken": transaction.token.map { .string($0.description) } ?? .null,
            "quantity": .integer(transaction.quantity),
            "transactionReason": transaction.reason.map { .string($0) } ?? .null,
            "signedDate": time(transaction.version.signed),
        ]
    }

    private static func view(_ renewal: RenewalFact) -> JSONValue {
        [
            "autoRenew": renewal.autoRenew.map { .bool($0) } ?? .null,
            "autoRenewProductId": renewal.nextProductID.map { .string($0) } ?? .null,
            "isInBillingRetryPeriod": .bool(renewal.isInBillingRetry),
            "gracePeriodExpiresDate": time(renewal.graceUntil),
            "expirationIntent": renewal.expirationIntent.map { .integer($0) } ?? .null,
            "priceIncreaseStatus": renewal.priceIncreaseStatus.map { .integer($0) } ?? .null,
            "renewalDate": time(renewal.renewalDate),
            "signedDate": time(renewal.version.signed),
        ]
    }

    static func time(_ moment: Moment?) -> JSONValue {
        guard let moment, moment != .distantFuture, moment != .distantPast else { return .null }
        return .string(TimeText.text(moment.milliseconds))
    }
}

extension Settlement.Answer {
    /// What a row of `settlements` says of it.
    fileprivate var word: String {
        switch self {
        case .granted: "granted"
        case .credited: "credited"
        case .consumed(_, _, let isReversed): isReversed ? "consumed, reversed" : "consumed"
        case .insufficient: "insufficient"
        case .reserved: "reserved"
        case .reversed: "reversed"
        case .nothingReversed: "nothing"
        }
    }
}
