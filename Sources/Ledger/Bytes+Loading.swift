import Entitlements

// Rows that an admin loads, as the journal keeps them:
//
//     1     which table
//     …     its parts; an account and a subscription as their records, with a length of four bytes

extension ByteWriter {
    mutating func loaded(_ row: LoadedRow) {
        switch row {
        case .account(let account, let names):
            integer(UInt8(1))
            user(account.user)
            list(names) { $0.text($1) }
            longBytes(ByteWriter.bytes { AccountRecord.write(account, to: &$0) })
        case .subscription(let subscription):
            integer(UInt8(2))
            key(subscription.key)
            longBytes(ByteWriter.bytes { SubscriptionRecord.write(subscription, to: &$0) })
        case .token(let owned, let who):
            integer(UInt8(3))
            token(owned)
            user(who)
        case .unclaimed(let waiting):
            integer(UInt8(4))
            token(waiting.token)
            key(waiting.key)
        case .notification(let id, let first):
            integer(UInt8(5))
            notificationID(id)
            sighting(first)
        case .settlement(let under, let first):
            integer(UInt8(6))
            idempotencyKey(under)
            settlement(first)
        case .reservation(let id, let kept):
            integer(UInt8(7))
            integer(id)
            reservation(kept)
        case .lease(let id, let who):
            integer(UInt8(8))
            integer(id)
            user(who)
        case .pack(let key, let kept):
            integer(UInt8(kept.isPeriod ? 11 : kept.refundedPart == nil ? 9 : 10))
            packKey(key)
            packRecord(kept)
        case .appTransaction(let mark, let shown):
            integer(UInt8(40))
            half(mark.digest)
            moment(shown)
        case .merger(let gone, let merger):
            integer(UInt8(43))
            user(gone)
            mergedAccount(merger)
        }
    }

    private mutating func longBytes(_ value: [UInt8]) {
        integer(UInt32(value.count))
        for byte in value { integer(byte) }
    }
}

extension ByteReader {
    mutating func loaded() throws(Malformed) -> LoadedRow {
        switch try integer(UInt8.self) {
        case 1:
            let user = try user()
            let names = try list { (reader) throws(Malformed) in try reader.text() as String }
            let account = try AccountRecord.account(of: user, try longBytes(), noting: notes)
            let numbers = account.answer.slots.map(\.product) + account.answer.grants.map(\.plan)
            guard numbers.allSatisfy({ $0 < names.count }) else { throw Malformed() }
            return .account(account, names: names)
        case 2:
            let key = try key()
            return .subscription(
                try SubscriptionRecord.subscription(of: key, try longBytes(), noting: notes)
            )
        case 3: return .token(try token(), try user())
        case 4: return .unclaimed(Unclaimed(token: try token(), key: try key()))
        case 5: return .notification(try notificationID(), try sighting())
        case 6: return .settlement(try idempotencyKey(), try settlement())
        case 7: return .reservation(try integer(), try reservation())
        case 8: return .lease(try integer(), try user())
        case 9: return .pack(try packKey(), try pack())
        case 10:
            let (key, kept) = (try packKey(), try pack())
            let part = try integer(Int64.self)
            let pack = Pack(
                user: kept.user,
                source: kept.source,
                amount: kept.amount,
                takenBack: kept.takenBack,
                refundedPart: part
            )
            return .pack(key, pack)
        case 11:
            let (key, kept) = (try packKey(), try pack())
            let part = try integer(Int64.self)
            let pack = Pack(
                user: kept.user,
                source: kept.source,
                amount: kept.amount,
                period: try integer(),
                from: try moment(),
                until: try moment(),
                takenBack: kept.takenBack,
                refundedPart: part < 0 ? nil : part
            )
            return .pack(key, pack)
        case 40: return .appTransaction(AppTransactionMark(try half()), try moment())
        case 43: return .merger(try user(), try mergedAccount())
        default: throw Malformed()
        }
    }

    private mutating func longBytes() throws(Malformed) -> ArraySlice<UInt8> {
        try take(Int(try integer(UInt32.self)))
    }
}
