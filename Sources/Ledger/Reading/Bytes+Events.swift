import Entitlements

// Events as the journal keeps them:
//
//     1     code
//     …     its parts
//
// Code 4 is a fact without the terms of its transaction, as it was written until entries had
// authors; 26 is one with them; 50 is one with parts that only stores of whole states have.

extension ByteWriter {
    mutating func keyed(_ order: KeyedOrder) {
        idempotencyKey(order.key)
        half(order.fingerprint)
    }

    /// An event of an entry whose command is keyed by `order`, where it is.
    mutating func event(_ event: Event, of order: KeyedOrder?) {
        switch event {
        case .settled(order?.key, let first) where first.fingerprint == order?.fingerprint:
            integer(UInt8(23))
            answered(first)
        case .spent(order?.key.user, let parts):
            integer(UInt8(24))
            list(parts) { $0.bucket($1) }
        default: self.event(event)
        }
    }

    private mutating func event(_ event: Event) {
        switch event {
        case .accountOpened(let who):
            integer(UInt8(1))
            user(who)
        case .registered(let who, let freeCredits):
            integer(UInt8(2))
            user(who)
            integer(freeCredits)
        case .appTransactionAwaited(let who):
            integer(UInt8(40))
            user(who)
        case .appTransactionUsed(let mark, let who, let freeCredits):
            integer(UInt8(41))
            half(mark.digest)
            user(who)
            integer(freeCredits)
        case .tokenClaimed(let claimed, let who):
            integer(UInt8(3))
            token(claimed)
            user(who)
        case .merged(let merged):
            if merged.hasSnapshotParts {
                integer(UInt8(50))
                snapshotFact(merged)
            } else {
                integer(UInt8(26))
                fact(merged)
            }
        case .linked(let subscription, let who, let since):
            integer(UInt8(since == nil ? 5 : 25))
            key(subscription)
            user(who)
            if let since { moment(since) }
        case .succeeded(let subscription, let successor):
            integer(UInt8(28))
            key(subscription)
            key(successor)
        case .dated(let purchase):
            integer(UInt8(35))
            key(purchase)
        case .granted(let who, let plan, let given):
            integer(UInt8(6))
            user(who)
            text(plan)
            grant(given)
        case .grantRevoked(let who, let id):
            integer(UInt8(7))
            user(who)
            integer(id)
        case .settled(let under, let first):
            integer(UInt8(8))
            idempotencyKey(under)
            settlement(first)
        case .noticed(let id):
            integer(UInt8(9))
            notificationID(id)
        case .catalogInstalled(let stamp):
            integer(UInt8(10))
            catalogStamp(stamp)
        case .credited(let who, let given):
            integer(UInt8(11))
            user(who)
            bucket(given)
        case .spent(let who, let parts):
            integer(UInt8(12))
            user(who)
            list(parts) { $0.bucket($1) }
        case .held(let who, let held, let isLease):
            integer(UInt8(13))
            user(who)
            hold(held)
            flag(isLease)
        case .holdEnded(let who, let id, let how, let returned):
            integer(UInt8(14))
            user(who)
            integer(id)
            ending(how)
            list(returned) { $0.bucket($1) }
        case .reversed(let charge, let parts):
            integer(UInt8(15))
            idempotencyKey(charge)
            list(parts) { $0.bucket($1) }
        case .packCredited(let key, let given):
            integer(UInt8(given.isPeriod ? 36 : 16))
            packKey(key)
            pack(given)
            if given.isPeriod {
                integer(given.period)
                moment(given.from)
                moment(given.until)
            }
        case .periodMoved(let key, let who, let move):
            integer(UInt8(37))
            packKey(key)
            user(who)
            periodMove(move)
        case .packRefunded(let key, let who, let parts, let owed):
            integer(UInt8(17))
            packKey(key)
            user(who)
            list(parts) { $0.bucket($1) }
            integer(owed)
        case .packPartRefunded(let key, let who, let parts, let owed, let amount):
            integer(UInt8(27))
            packKey(key)
            user(who)
            list(parts) { $0.bucket($1) }
            integer(owed)
            integer(amount)
        case .refundForgiven(let who, let memory):
            integer(UInt8(22))
            user(who)
            forgiveness(memory)
        case .shared(let subscription, let who):
            integer(UInt8(18))
            key(subscription)
            user(who)
        case .passed(let tick):
            integer(UInt8(19))
            list(tick.passings) { writer, passing in
                writer.user(passing.user)
                writer.moment(passing.due)
            }
        case .loaded(let row):
            integer(UInt8(21))
            loaded(row)
        case .accountsMerged(let merged):
            integer(UInt8(43))
            merge(merged)
        case .erased(let erased):
            integer(UInt8(erased.traces.formers.isEmpty ? 20 : 44))
            erasure(erased)
        }
    }
}

extension ByteReader {
    private mutating func tick() throws(Malformed) -> Tick {
        let passings = try list { (reader) throws(Malformed) in
            Tick.Passing(user: try reader.user(), due: try reader.moment())
        }
        guard !passings.isEmpty else { throw Malformed() }
        return Tick(passings)
    }

    /// A pack that is a paid period, as it was given.
    private mutating func period() throws(Malformed) -> Pack {
        let pack = try pack()
        return Pack(
            user: pack.user,
            source: pack.source,
            amount: pack.amount,
            period: try integer(),
            from: try moment(),
            until: try moment(),
            takenBack: pack.takenBack
        )
    }

    mutating func keyed() throws(Malformed) -> KeyedOrder {
        KeyedOrder(key: try idempotencyKey(), fingerprint: try half())
    }

    /// An event of an entry whose command is keyed by `order`, where it is.
    mutating func event(of order: KeyedOrder?) throws(Malformed) -> Event {
        let code = try integer(UInt8.self)
        switch code {
        case 23, 24:
            guard let order else { throw Malformed() }
            return code == 23
                ? .settled(order.key, try answered(under: order.fingerprint))
                : .spent(order.key.user, try parts())
        default: return try event(code)
        }
    }

    private mutating func event(_ code: UInt8) throws(Malformed) -> Event {
        switch code {
        case 1: .accountOpened(try user())
        case 2: .registered(try user(), freeCredits: try integer())
        case 3: .tokenClaimed(try token(), try user())
        case 4: .merged(try bareFact())
        case 26: .merged(try fact())
        case 50: .merged(try snapshotFact())
        case 28: .succeeded(try key(), by: try key())
        case 27:
            .packPartRefunded(
                try packKey(),
                try user(),
                try parts(),
                owed: try integer(),
                of: try integer()
            )
        case 5: .linked(try key(), try user())
        case 6: .granted(try user(), plan: try text(), try grant())
        case 7: .grantRevoked(try user(), try integer())
        case 8: .settled(try idempotencyKey(), try settlement())
        case 9: .noticed(try notificationID())
        case 10: .catalogInstalled(try catalogStamp())
        case 11: .credited(try user(), try bucket())
        case 12: .spent(try user(), try parts())
        case 13: .held(try user(), try hold(), isLease: try flag())
        case 14: .holdEnded(try user(), try integer(), try ending(), returned: try parts())
        case 15: .reversed(try idempotencyKey(), try parts())
        case 16: .packCredited(try packKey(), try pack())
        case 17: .packRefunded(try packKey(), try user(), try parts(), owed: try integer())
        case 18: .shared(try key(), try user())
        case 19: .passed(try tick())
        case 20: .erased(try erasure(withFormers: false))
        case 44: .erased(try erasure(withFormers: true))
        case 43: .accountsMerged(try merge())
        case 21: .loaded(try loaded())
        case 22: .refundForgiven(try user(), try forgiveness())
        case 40: .appTransactionAwaited(try user())
        case 41:
            .appTransactionUsed(
                AppTransactionMark(try half()),
                try user(),
                freeCredits: try integer()
            )
        case 25: .linked(try key(), try user(), at: try moment())
        case 35: .dated(try key())
        case 36: .packCredited(try packKey(), try period())
        case 37: .periodMoved(try packKey(), try user(), try periodMove())
        default: throw Malformed()
        }
    }
}
