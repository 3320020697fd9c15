import Entitlements

/// What one journal entry says: the command that was decided, and the events that it caused.
///
/// Byte table, little-endian; the entry's own header (room `Journal`) carries seq, moment, kind,
/// version and links:
///
///     SIZE      MEANING
///     …         the command, by kind (below)
///     2         how many events
///     1 + …     each event: its code, then its parts
///
/// kind 1 register     user, token
/// kind 2 notification id, type, subtype, SHA-256 of the document
/// kind 3 link         user, claimed tokens
/// kind 4 grant        user, key, fingerprint, store, reason
/// kind 5 revoke       user, grant, reason
/// kind 6 install      version
/// kind 7 credit       key, fingerprint, amount, adjustment, source, reason
/// kind 8 charge       key, fingerprint, amount
/// kind 9 reserve      key, fingerprint, amount, milliseconds, lease
/// kind 10 end         reservation, how, amount
/// kind 11 reverse     key, fingerprint, key of the charge
///
/// kind 12 restore     user
/// kind 13 learn       –
/// kind 14 tick        –
/// kind 16 load        –
/// kind 17 erase       –
///
/// A command does not repeat what its events say: the facts of a notification stand in `merged`.
struct EntryBody: Hashable {
    /// The version of this table.
    static let version: UInt8 = 1

    let kind: EntryKind
    let bytes: [UInt8]

    /// The entry of a command that was decided to cause `events`.
    init(_ command: Command, _ events: [Event]) {
        var writer = ByteWriter()
        switch command.kind {
        case .register(let registration):
            kind = .register
            writer.user(registration.user)
            writer.token(registration.token)
        case .record(let notification):
            kind = .notification
            writer.notificationID(notification.id)
            writer.text(notification.type)
            writer.text(notification.subtype)
            writer.digest(notification.document)
        case .link(let purchase):
            kind = .link
            writer.user(purchase.user)
            writer.list(purchase.claimed) { $0.token($1) }
        case .restore(let order):
            kind = .restore
            writer.user(order.user)
        case .learn: kind = .learn
        case .tick: kind = .tick
        case .load: kind = .load
        case .erase: kind = .erase
        case .grant(let order):
            kind = .grant
            writer.idempotencyKey(order.key)
            writer.digest(order.fingerprint)
            writer.integer(order.store?.rawValue ?? 0)
            writer.text(order.reason)
        case .revokeGrant(let revocation):
            kind = .revokeGrant
            writer.user(revocation.user)
            writer.integer(revocation.grant)
            writer.text(revocation.reason)
        case .install(let stamp):
            kind = .install
            writer.integer(stamp.version)
        case .credit(let order):
            kind = .credit
            writer.idempotencyKey(order.key)
            writer.digest(order.fingerprint)
            writer.integer(order.amount)
            writer.flag(order.isAdjustment)
            writer.text(order.source)
            writer.text(order.reason)
        case .charge(let charge):
            kind = .charge
            writer.charge(charge)
        case .reserve(let order):
            kind = .reserve
            writer.charge(order.charge)
            writer.integer(order.milliseconds)
            writer.flag(order.isLease)
        case .endReservation(let order):
            kind = .endReservation
            writer.integer(order.id)
            writer.integer(order.kind.rawValue)
            writer.optional(order.amount) { $0.integer($1) }
        case .reverse(let order):
            kind = .reverse
            writer.idempotencyKey(order.key)
            writer.digest(order.fingerprint)
            writer.idempotencyKey(order.charge)
        }
        writer.list(events) { $0.event($1) }
        bytes = writer.bytes
    }

    /// What an entry that was read back says.
    static func content(
        of kind: UInt8,
        version: UInt8,
        _ bytes: [UInt8],
        noting notes: NameNotes? = nil
    ) throws(Malformed) -> EntryContent {
        guard version == Self.version, let kind = EntryKind(rawValue: kind) else {
            throw Malformed()
        }
        var reader = ByteReader(bytes, noting: notes)
        var content = EntryContent(cause: .registered)
        try reader.command(kind, into: &content)
        content.events = try reader.list { (reader) throws(Malformed) in try reader.event() }
        guard reader.isAtEnd else { throw Malformed() }
        if case .erased(let erasure)? = content.events.first { content.user = erasure.user }
        return content
    }

    /// The events of an entry that was read back.
    static func events(
        of kind: UInt8,
        version: UInt8,
        _ bytes: [UInt8]
    ) throws(Malformed) -> [Event] {
        try content(of: kind, version: version, bytes).events
    }
}

/// What one entry of the journal says.
struct EntryContent: Hashable {
    /// Why the status of the user changed of whom the command was.
    var cause: Cause
    /// Of whom it was; nil where it was of a store's document.
    var user: UserID?
    /// What happened.
    var events: [Event] = []

    /// Why the status of `user` changed.
    func cause(for user: UserID) -> Cause {
        guard let commander = self.user, commander != user else { return cause }
        switch cause {
        case .verified, .restored, .erased: return .transferred
        default: return cause
        }
    }
}

extension ByteReader {
    /// What stands before the events.
    fileprivate mutating func command(
        _ kind: EntryKind,
        into content: inout EntryContent
    ) throws(Malformed) {
        switch kind {
        case .register:
            content.user = try user()
            _ = try token()
        case .notification:
            content.cause = .notification
            _ = try notificationID()
            _ = try text()
            _ = try text()
            _ = try digest()
        case .link:
            content.cause = .verified
            content.user = try user()
            _ = try list { (reader) throws(Malformed) in try reader.token() }
        case .restore:
            content.cause = .restored
            content.user = try user()
        case .learn: content.cause = .reconciled
        case .tick: content.cause = .clock
        case .load: break
        case .erase: content.cause = .erased
        case .grant:
            content.cause = .granted
            content.user = try idempotencyKey().user
            _ = try digest()
            _ = try integer(UInt8.self)
            try reason()
        case .revokeGrant:
            content.cause = .grantRevoked
            content.user = try user()
            _ = try integer(UInt64.self)
            try reason()
        case .install:
            content.cause = .catalog
            _ = try integer(UInt32.self)
        case .credit:
            content.user = try idempotencyKey().user
            _ = try digest()
            _ = try integer(Int64.self)
            content.cause = try flag() ? .creditsAdjusted : .creditsGranted
            _ = try text()
            try reason()
        case .charge:
            content.cause = .consumed
            content.user = try charge()
        case .reserve:
            content.cause = .reserved
            content.user = try charge()
            _ = try integer(Int64.self)
            _ = try flag()
        case .endReservation:
            _ = try integer(UInt64.self)
            let how = Reservation.Ending.Kind(rawValue: try integer())
            content.cause = how == .committed ? .committed : .released
            _ = try optional { (reader) throws(Malformed) in try reader.integer(Int64.self) }
        case .reverse:
            content.cause = .reversed
            content.user = try idempotencyKey().user
            _ = try digest()
            _ = try idempotencyKey()
        }
    }

    private mutating func charge() throws(Malformed) -> UserID {
        let user = try idempotencyKey().user
        _ = try digest()
        _ = try integer(Int64.self)
        return user
    }
}

/// What kind of command a journal entry keeps.
///
/// The raw value is stored.
enum EntryKind: UInt8 {
    case register = 1
    case notification = 2
    case link = 3
    case grant = 4
    case revokeGrant = 5
    case install = 6
    case credit = 7
    case charge = 8
    case reserve = 9
    case endReservation = 10
    case reverse = 11
    case restore = 12
    case learn = 13
    case tick = 14
    case load = 16
    case erase = 17
}

extension ByteWriter {
    fileprivate mutating func charge(_ charge: Charge) {
        idempotencyKey(charge.key)
        digest(charge.fingerprint)
        integer(charge.amount)
    }

    mutating func event(_ event: Event) {
        switch event {
        case .accountOpened(let who):
            integer(UInt8(1))
            user(who)
        case .registered(let who, let freeCredits):
            integer(UInt8(2))
            user(who)
            integer(freeCredits)
        case .tokenClaimed(let claimed, let who):
            integer(UInt8(3))
            token(claimed)
            user(who)
        case .merged(let merged):
            integer(UInt8(4))
            fact(merged)
        case .linked(let subscription, let who):
            integer(UInt8(5))
            key(subscription)
            user(who)
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
            integer(UInt8(16))
            packKey(key)
            pack(given)
        case .packRefunded(let key, let who, let parts, let owed):
            integer(UInt8(17))
            packKey(key)
            user(who)
            list(parts) { $0.bucket($1) }
            integer(owed)
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
        case .erased(let erased):
            integer(UInt8(20))
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

    mutating func event() throws(Malformed) -> Event {
        switch try integer(UInt8.self) {
        case 1: .accountOpened(try user())
        case 2: .registered(try user(), freeCredits: try integer())
        case 3: .tokenClaimed(try token(), try user())
        case 4: .merged(try fact())
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
        case 20: .erased(try erasure())
        case 21: .loaded(try loaded())
        case 22: .refundForgiven(try user(), try forgiveness())
        default: throw Malformed()
        }
    }
}
