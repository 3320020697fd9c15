import Entitlements

// Events as the journal keeps them:
//
//     1     code
//     …     its parts
//
// Code 4 is a fact without the terms of its transaction, as it was written until entries had
// authors; 26 is one with them; 50 is one with parts that only stores of whole states have. Codes 9
// and 51 name a notification; 45 and 46 are the same of the one that the entry is of. Code 53 is a
// fact of what took the place of a purchase alone.

extension ByteWriter {
    mutating func keyed(_ order: KeyedOrder) {
        idempotencyKey(order.key)
        half(order.fingerprint)
    }

    /// An event of an entry whose command is keyed by `order`, or was of `notification`.
    mutating func event(_ event: Event, of order: KeyedOrder?, _ notification: NotificationID?) {
        switch event {
        case .noticed(notification): integer(UInt8(45))
        case .announced(notification, let announced):
            integer(UInt8(46))
            announcement(announced)
        case .settled(order?.key, let first) where first.fingerprint == order?.fingerprint:
            integer(UInt8(23))
            answered(first)
        case .spent(order?.key.user, let parts):
            integer(UInt8(24))
            list(parts) { $0.bucket($1) }
        default: self.event(event)
        }
    }

    /// An event as it is written for itself: a code, and its parts.
    private mutating func event(_ event: Event) {
        switch event {
        case .accountOpened(let who): about(who, 1)
        case .registered(let who, let credits): about(who, 2) { $0.integer(credits) }
        case .appTransactionAwaited(let who): about(who, 40)
        case .appTransactionUsed(let mark, let who, let credits): used(mark, who, credits)
        case .tokenClaimed(let claimed, let who):
            integer(UInt8(3))
            token(claimed)
            user(who)
        case .merged(let merged): self.merged(merged)
        case .linked(let purchase, let who, let since):
            about(purchase, since == nil ? 5 : 25) { $0.user(who) }
            if let since { moment(since) }
        case .succeeded(let purchase, let next): about(purchase, 28) { $0.key(next) }
        case .dated(let purchase): about(purchase, 35)
        case .shared(let purchase, let who): about(purchase, 18) { $0.user(who) }
        case .granted(let who, let plan, let given): granted(who, plan, given)
        case .grantRevoked(let who, let id): about(who, 7) { $0.integer(id) }
        case .settled(let under, let first):
            integer(UInt8(8))
            idempotencyKey(under)
            settlement(first)
        case .noticed(let id):
            integer(UInt8(9))
            notificationID(id)
        case .announced(let id, let announced): self.announced(id, announced)
        case .catalogInstalled(let stamp):
            integer(UInt8(10))
            catalogStamp(stamp)
        case .credited(let who, let given): about(who, 11) { $0.bucket(given) }
        case .spent(let who, let parts): about(who, 12) { $0.buckets(parts) }
        case .held(let who, let held, let holder):
            about(who, 13) { $0.hold(held) }
            leaseHolder(holder)
        case .holdEnded(let who, let id, let how, let parts): holdEnded(who, id, how, parts)
        case .reversed(let charge, let parts):
            integer(UInt8(15))
            idempotencyKey(charge)
            buckets(parts)
        case .packCredited(let key, let given): packCredited(key, given)
        case .periodMoved(let key, let who, let move):
            about(key, who, 37) { $0.periodMove(move) }
        case .packRefunded(let key, let who, let parts, let owed):
            refunded(key, who, parts, owed, 17)
        case .packPartRefunded(let key, let who, let parts, let owed, let amount):
            refunded(key, who, parts, owed, 27)
            integer(amount)
        case .debtPaid(let who, let parts): about(who, 52) { $0.buckets(parts) }
        case .refundForgiven(let who, let memory): about(who, 22) { $0.forgiveness(memory) }
        case .passed(let tick): passed(tick)
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

    private mutating func merged(_ merged: Fact) {
        if let replacement = merged.replacement {
            about(merged.key, 53) { $0.replacement(replacement) }
        } else if merged.hasSnapshotParts {
            integer(UInt8(50))
            snapshotFact(merged)
        } else {
            integer(UInt8(26))
            fact(merged)
        }
    }

    // Most events are about one user or one purchase, which is named behind the code.

    @inline(__always)
    private mutating func about(
        _ who: UserID,
        _ code: UInt8,
        _ parts: (inout ByteWriter) -> Void = { _ in }
    ) {
        integer(code)
        user(who)
        parts(&self)
    }

    @inline(__always)
    private mutating func about(
        _ purchase: SubscriptionKey,
        _ code: UInt8,
        _ parts: (inout ByteWriter) -> Void = { _ in }
    ) {
        integer(code)
        key(purchase)
        parts(&self)
    }

    @inline(__always)
    private mutating func about(
        _ pack: PackKey,
        _ who: UserID,
        _ code: UInt8,
        _ parts: (inout ByteWriter) -> Void
    ) {
        integer(code)
        packKey(pack)
        user(who)
        parts(&self)
    }

    private mutating func buckets(_ parts: [Bucket]) { list(parts) { $0.bucket($1) } }

    private mutating func used(_ mark: AppTransactionMark, _ who: UserID, _ credits: Int64) {
        integer(UInt8(41))
        half(mark.digest)
        user(who)
        integer(credits)
    }

    private mutating func granted(_ who: UserID, _ plan: String, _ given: Grant) {
        integer(UInt8(6))
        user(who)
        text(plan)
        grant(given)
    }

    private mutating func holdEnded(
        _ who: UserID,
        _ id: UInt64,
        _ how: Reservation.Ending,
        _ returned: [Bucket]
    ) {
        integer(UInt8(14))
        user(who)
        integer(id)
        ending(how)
        buckets(returned)
    }

    private mutating func packCredited(_ key: PackKey, _ given: Pack) {
        integer(UInt8(given.isPeriod ? 36 : 16))
        packKey(key)
        pack(given)
        guard given.isPeriod else { return }
        integer(given.period)
        moment(given.from)
        moment(given.until)
    }

    private mutating func refunded(
        _ key: PackKey,
        _ who: UserID,
        _ parts: [Bucket],
        _ owed: Int64,
        _ code: UInt8
    ) {
        about(key, who, code) { $0.buckets(parts) }
        integer(owed)
    }

    private mutating func announced(_ id: NotificationID, _ announced: StoreAnnouncement) {
        integer(UInt8(51))
        notificationID(id)
        announcement(announced)
    }

    private mutating func passed(_ tick: Tick) {
        integer(UInt8(tick.isAhead ? 47 : 19))
        list(tick.passings) { writer, passing in
            writer.user(passing.user)
            writer.moment(passing.due)
        }
    }
}

extension ByteReader {
    private mutating func tick(isAhead: Bool) throws(Malformed) -> Tick {
        let passings = try list { (reader) throws(Malformed) in
            Tick.Passing(user: try reader.user(), due: try reader.moment())
        }
        guard !passings.isEmpty else { throw Malformed() }
        return Tick(passings, isAhead: isAhead)
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

    /// An event of an entry whose command is keyed by `order`, or was of `notification`.
    mutating func event(
        of order: KeyedOrder?,
        _ notification: NotificationID?
    ) throws(Malformed) -> Event {
        let code = try integer(UInt8.self)
        switch code {
        case 45, 46:
            guard let notification else { throw Malformed() }
            return code == 45
                ? .noticed(notification) : .announced(notification, try announcement())
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
        case 53: .merged(Fact(replacing: try key(), try replacement()))
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
        case 51: .announced(try notificationID(), try announcement())
        case 10: .catalogInstalled(try catalogStamp())
        case 11: .credited(try user(), try bucket())
        case 12: .spent(try user(), try parts())
        case 13: .held(try user(), try hold(), lease: try leaseHolder())
        case 14: .holdEnded(try user(), try integer(), try ending(), returned: try parts())
        case 15: .reversed(try idempotencyKey(), try parts())
        case 16: .packCredited(try packKey(), try pack())
        case 17: .packRefunded(try packKey(), try user(), try parts(), owed: try integer())
        case 18: .shared(try key(), try user())
        case 19: .passed(try tick(isAhead: false))
        case 47: .passed(try tick(isAhead: true))
        case 20: .erased(try erasure(withFormers: false))
        case 44: .erased(try erasure(withFormers: true))
        case 43: .accountsMerged(try merge())
        case 21: .loaded(try loaded())
        case 52: .debtPaid(try user(), try parts())
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
