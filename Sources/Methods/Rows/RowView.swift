import Entitlements
import FoundationEssentials
import JSON
import Ledger
import Wire

/// Rows of the views as JSON, for `dump` and `get`.
///
/// `RowReading` is the inverse: what `load` needs of a row must be here, and nothing that holds in
/// this ledger alone: the numbers of products, the positions of chains.
enum RowView {
    /// A key as text, or as base64 where it is not UTF-8.
    static func key(_ key: [UInt8]) -> JSONValue {
        if let text = String(validating: key, as: UTF8.self) { return .string(text) }
        return ["base64": .string(Data(key).base64EncodedString())]
    }

    /// The value of `row`; `names` are those of the ledger's numbers.
    static func value(of row: Row, _ names: [String]) -> JSONValue {
        switch row.value {
        case .account(let account): view(account, names)
        case .subscription(let subscription): view(subscription)
        case .token(_, let user): ["userId": .string(user.description)]
        case .unclaimed(let waiting):
            [
                "appAccountToken": .string(waiting.token.description),
                "subscription": .string(waiting.key.description),
            ]
        case .notification(let id, let first): view(id, first)
        case .settlement(let key, let first): view(key, first)
        case .reservation(_, let reservation):
            [
                "userId": .string(reservation.user.description),
                "expiresAt": .exact(reservation.until),
                "releaseOnDisconnect": .bool(reservation.isLease),
                "outcome": reservation.ending.map { .string($0.kind.rowWord) } ?? .null,
                "creditsRemaining": reservation.ending.map { .integer($0.remaining) } ?? .null,
            ]
        case .lease(_, let lease):
            [
                "userId": .string(lease.user.description),
                "host": lease.holder.host.isEmpty ? .null : .string(lease.holder.host),
                "epoch": .integer(Int64(clamping: lease.holder.epoch)),
            ]
        case .pack(_, let pack): view(pack)
        case .appTransaction(_, let shown): ["shownAt": .exact(shown)]
        case .merger(_, let merger):
            [
                "intoUserId": .string(merger.into.description),
                "leftFreeCredits": .bool(merger.leftFreeCredits),
            ]
        case .alarm(let passing):
            ["userId": .string(passing.user.description), "due": .time(passing.due)]
        case .tick(let first, let seq):
            ["from": .time(first), "seq": .integer(Int64(seq))]
        case .applied(let seq, let group, let at, let now):
            [
                "seq": .integer(Int64(seq)), "group": .integer(Int64(group)), "at": .time(at),
                "clock": .time(now),
            ]
        case .numbering(let names): .array(names.map { .string($0) })
        case .idFloor(let id): ["greatest": .integer(Int64(id))]
        case .installed(let catalog):
            [
                "version": .integer(Int64(catalog.stamp.version)),
                "from": .time(catalog.from),
                "seq": .integer(Int64(catalog.seq)),
                "text": .string(catalog.stamp.text),
            ]
        case .tombstone(_, let stone):
            [
                "seq": .integer(Int64(stone.seq)),
                "registered": .bool(stone.wasRegistered),
                "isBack": .bool(stone.isBack),
            ]
        // The secret stays where it is.
        case .secret: [:]
        case .datedProducts(let products): .array(products.map { .string($0) })
        case .rules(let version): ["version": .integer(Int64(version))]
        case .catalog(let stamp):
            ["version": .integer(Int64(stamp.version)), "text": .string(stamp.text)]
        }
    }

    private static func view(_ id: NotificationID, _ first: Sighting) -> JSONValue {
        var object: JSONObject = [:]
        if let signed = id.signedDate { object["signedDate"] = .exact(signed) }
        object["seq"] = .integer(Int64(first.seq))
        object["at"] = .exact(first.at)
        if first.isAwaiting { object["isAwaiting"] = true }
        return .object(object)
    }

    private static func view(_ pack: Pack) -> JSONValue {
        var object: JSONObject = [
            "userId": .string(pack.user.description),
            "source": .string(pack.source),
            "amount": .integer(pack.amount),
            "takenBack": pack.takenBack.map { .integer($0) } ?? .null,
        ]
        object["refunded"] = pack.refundedPart.map { .integer($0) }
        if pack.isPeriod {
            object["period"] = .string(String(pack.period, radix: 16))
            object["beginsAt"] = .exact(pack.from)
            object["expiresAt"] = .exact(pack.until)
        }
        return .object(object)
    }

    private static func view(_ account: Account, _ names: [String]) -> JSONValue {
        let flags = account.answer.flags
        var value: JSONObject = [
            "userId": .string(account.user.description),
            "openedAt": .exact(account.opened),
            "registered": .bool(flags.contains(.registered)),
            "hadSubscription": .bool(flags.contains(.hadSubscription)),
            "everCredited": .bool(flags.contains(.everCredited)),
            "credits": view(account.purse),
            "subscriptions": .array(account.subscriptions.map { .string($0.description) }),
            "tokens": .array(account.tokens.map { .string($0.description) }),
            "grants": .array(
                account.answer.grants.map { grant in
                    [
                        "grant": .string(GrantName.text(grant.id)),
                        "plan": .string(String(names[Int(grant.plan)].dropFirst())),
                        "from": .exact(grant.from),
                        "until": .exact(grant.until, null: .distantFuture),
                        "store": Store(rawValue: grant.storeCode).map { .string($0.name) } ?? .null,
                    ]
                }
            ),
            "slots": .array(
                account.answer.slots.map { slot in
                    [
                        "subscription": .string(
                            account.subscriptions[Int(slot.ordinal)].description
                        ),
                        "productId": .string(names[Int(slot.product)]),
                        "marks": .integer(Int64(slot.marks.rawValue)),
                        "from": .exact(slot.from, null: .distantPast),
                        "paidUntil": .exact(slot.paidUntil, null: .distantPast),
                        "graceUntil": .exact(slot.graceUntil, null: .distantPast),
                    ]
                }
            ),
        ]
        if flags.contains(.awaitsAppTransaction) { value["awaitsAppTransaction"] = true }
        if !account.formers.isEmpty {
            value["formers"] = .array(account.formers.map { .string($0.description) })
        }
        guard !account.firstAnswers.isEmpty else { return .object(value) }
        value["firstAnswers"] = .array(
            account.firstAnswers.map { first in
                var answer = view(first.settlement)
                answer["key"] = .string(first.key.hex)
                return .object(answer)
            }
        )
        return .object(value)
    }

    private static func view(_ purse: Purse) -> JSONValue {
        var value: JSONObject = [
            "buckets": .array(purse.buckets.map(view)),
            "holds": .array(
                purse.holds.map { hold in
                    [
                        "reservation": .string(ReservationName.text(hold.id)),
                        "expiresAt": .exact(hold.until),
                        "parts": .array(hold.parts.map(view)),
                    ]
                }
            ),
            "debt": .integer(purse.debt),
        ]
        if !purse.moved.isEmpty { value["moved"] = .array(purse.moved.map(view)) }
        if !purse.ended.isEmpty { value["ended"] = .array(purse.ended.map(view)) }
        guard !purse.forgiven.isEmpty else { return .object(value) }
        value["forgiven"] = .array(
            purse.forgiven.map { refund in
                [
                    "pack": .string(name(refund.pack).description),
                    "at": .exact(refund.at),
                    "seq": .integer(Int64(refund.seq)),
                    "amount": .integer(refund.amount),
                ]
            }
        )
        return .object(value)
    }

    /// A pack is called as the purchase that it is.
    private static func name(_ pack: PackKey) -> SubscriptionKey {
        SubscriptionKey(
            store: pack.store,
            environment: pack.environment,
            originalID: pack.transactionID
        )
    }

    static func view(_ key: IdempotencyKey, _ first: Settlement) -> JSONValue {
        var value = view(first)
        value["userId"] = .string(key.user.description)
        return .object(value)
    }

    private static func view(_ first: Settlement) -> JSONObject {
        var value: JSONObject = ["at": .exact(first.at)]
        if case .reserved = first.answer {
            value["reservation"] = .string(ReservationName.text(first.seq))
        } else {
            value["seq"] = .integer(Int64(first.seq))
        }
        value["fingerprint"] = .string(first.fingerprint.hex)
        value["answer"] = .string(first.answer.word)
        if first.now != first.at { value["clock"] = .exact(first.now) }
        switch first.answer {
        case .granted, .merged: break
        case .consumed(let remaining, let parts, _):
            value["creditsRemaining"] = .integer(remaining)
            value["parts"] = .array(parts.map(view))
        case .credited(let remaining), .insufficient(let remaining), .reserved(let remaining),
            .reversed(let remaining), .nothingReversed(let remaining):
            value["creditsRemaining"] = .integer(remaining)
        }
        return value
    }

    static func view(_ bucket: Bucket) -> JSONValue {
        var object: JSONObject = [
            "amount": .integer(bucket.amount),
            "expiresAt": .exact(bucket.until, null: .distantFuture),
            "source": .string(bucket.source),
        ]
        if bucket.isOfPeriod {
            object["period"] = .string(String(bucket.period, radix: 16))
            object["beginsAt"] = .exact(bucket.from)
        }
        return .object(object)
    }

    private static func view(_ move: PeriodMove) -> JSONValue {
        [
            "period": .string(String(move.period, radix: 16)),
            "latest": .exact(move.until),
            "expiresAt": .exact(move.to),
        ]
    }

    static func view(_ subscription: Subscription) -> JSONValue {
        var object: JSONObject = [
            "store": .string(subscription.key.store.name),
            "environment": .string(subscription.key.environment.name),
            "originalTransactionId": .string(subscription.key.originalID),
            "owner": subscription.owner.map { .string($0.description) } ?? .null,
            "link": subscription.link.map { .string($0.description) } ?? .null,
            "linkedAt": .exact(subscription.link == nil ? nil : subscription.linkedAt),
            "sharedWith": .array(subscription.sharers.map { .string($0.description) }),
            "tokens": .array(subscription.tokens.map { .string($0.description) }),
            "everEntitled": .bool(subscription.everEntitled),
            "cancelledAt": .exact(subscription.renewalDisabled),
            "transactions": .array(
                zip(subscription.transactions, subscription.traces)
                    .map { transaction, trace in
                        var value = members(of: transaction)
                        value["firstSignedDate"] = .exact(trace.first)
                        value["unrevokedSignedDate"] = .exact(trace.unrevoked)
                        return .object(value)
                    }
            ),
            "claims": .array(subscription.claims.map(view)),
            "renewal": subscription.renewal.map(view) ?? .null,
            "status": subscription.status.map(view) ?? .null,
            "newestToken": subscription.bearer.map { bearer in
                [
                    "appAccountToken": .string(bearer.token.description),
                    "transactionId": .string(bearer.transactionID),
                    "purchaseDate": .exact(bearer.purchased),
                    "signedDate": .exact(bearer.version.signed),
                    "digest": .string(bearer.version.digest.hex),
                ]
            } ?? .null,
        ]
        if subscription.isDated { object["dated"] = true }
        if !subscription.successors.isEmpty {
            object["successors"] = .array(
                subscription.successors.map { .string($0.originalID) }
            )
        }
        return .object(object.adding(snapshotMembers(of: subscription)))
    }

    private static func view(_ claim: TokenClaim) -> JSONValue {
        [
            "appAccountToken": .string(claim.token.description),
            "transactionId": .string(claim.transactionID),
            "purchaseDate": .exact(claim.purchased),
            "signedDate": .exact(claim.version.signed),
            "digest": .string(claim.version.digest.hex),
        ]
    }

    static func view(_ transaction: TransactionFact) -> JSONValue {
        .object(members(of: transaction))
    }

    private static func members(of transaction: TransactionFact) -> JSONObject {
        let object: JSONObject = [
            "transactionId": .string(transaction.id),
            "productId": .string(transaction.productID),
            "purchaseDate": .exact(transaction.purchased),
            "expiresDate": .exact(transaction.expires),
            "revocationDate": .exact(transaction.revoked),
            "revocationReason": transaction.revocationReason.map { .integer($0) } ?? .null,
            "isUpgraded": .bool(transaction.isUpgraded),
            "type": .string(transaction.kind),
            "inAppOwnershipType": .string(transaction.ownership),
            "offerType": transaction.offerType.map { .integer($0) } ?? .null,
            "offerDiscountType": transaction.offerDiscount.map { .string($0) } ?? .null,
            "appAccountToken": transaction.token.map { .string($0.description) } ?? .null,
            "quantity": .integer(transaction.quantity),
            "transactionReason": transaction.reason.map { .string($0) } ?? .null,
            "signedDate": .exact(transaction.version.signed),
            "digest": .string(transaction.version.digest.hex),
        ]
        let origin = members(of: transaction.origin)
        return object.adding(members(of: transaction.terms)).adding(origin)
    }

    static func view(_ renewal: RenewalFact) -> JSONValue {
        let object: JSONObject = [
            "autoRenew": renewal.autoRenew.map { .bool($0) } ?? .null,
            "autoRenewProductId": renewal.nextProductID.map { .string($0) } ?? .null,
            "isInBillingRetryPeriod": .bool(renewal.isInBillingRetry),
            "gracePeriodExpiresDate": .exact(renewal.graceUntil),
            "expirationIntent": renewal.expirationIntent.map { .integer($0) } ?? .null,
            "priceIncreaseStatus": renewal.priceIncreaseStatus.map { .integer($0) } ?? .null,
            "renewalDate": .exact(renewal.renewalDate),
            "signedDate": .exact(renewal.version.signed),
            "digest": .string(renewal.version.digest.hex),
        ]
        return .object(object.adding(members(of: renewal.terms)))
    }
}

extension Settlement.Answer {
    /// What a row of `settlements` says of it.
    var word: String {
        switch self {
        case .granted: "granted"
        case .merged: "merged"
        case .credited: "credited"
        case .consumed(_, _, let isReversed): isReversed ? "consumed, reversed" : "consumed"
        case .insufficient: "insufficient"
        case .reserved: "reserved"
        case .reversed: "reversed"
        case .nothingReversed: "nothing"
        }
    }
}

extension Reservation.Ending.Kind {
    /// What a row of `reservations` says of it.
    var rowWord: String { self == .disconnected ? "disconnected" : word }
}

extension Digest128 {
    /// 32 digits.
    var hex: String { String(Digest256(0, 0, words.0, words.1).hex.suffix(32)) }

    /// The digest that is written so.
    init?(hex: String) {
        guard let whole = Digest256(hex: String(repeating: "0", count: 32) + hex) else {
            return nil
        }
        self.init(whole)
    }
}

extension Digest256 {
    /// 64 hex digits.
    var hex: String {
        [words.0, words.1, words.2, words.3]
            .map { word in
                let digits = String(word, radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }
            .joined()
    }

    /// The digest that is written so.
    init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 64, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return nil }
        let words = (0..<4).compactMap { UInt64(hex.dropFirst($0 * 16).prefix(16), radix: 16) }
        self.init(words[0], words[1], words[2], words[3])
    }
}
