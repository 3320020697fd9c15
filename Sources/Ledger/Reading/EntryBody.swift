import Entitlements
import Journal

/// What one journal entry says: the command that was decided, and the events that it caused.
///
/// Byte table, little-endian; the entry's own header (room `Journal`) carries seq, moment, kind,
/// version and links:
///
///     SIZE      MEANING
///     8         the moment that it was judged at, in versions 2, 4, 6 and 8 alone
///     1 + …     who asked for it (`ByteWriter.author`), from version 5 on
///     …         the command, by kind (below)
///     2         how many events
///     1 + …     each event: its code, then its parts
///     2 + …     in versions 3, 4, 7 and 8, milestones: records as the events have left
///           them (`Milestone`)
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
/// kind 43 merge       key of the one that stays, fingerprint
/// kind 44 move        user, reason
///
/// A command does not repeat what its events say: the facts of a notification stand in `merged`.
/// The events of a keyed command do not repeat its user, its key or its fingerprint either, nor
/// those of a notification its id.
///
/// Version 1 was judged at the moment of the entry. Version 2 is written where the clock was behind
/// that moment, which never falls. Versions 3 and 4 are these two with milestones behind them.
/// Versions 5 to 8 are these four with an author; 1 to 4 are read, and not written any more.
struct EntryBody: Hashable {
    /// The versions of this table.
    private static let (judgedAtMoment, judgedBefore): (UInt8, UInt8) = (1, 2)
    /// What is added to them where milestones follow.
    private static let withMilestones: UInt8 = 2
    /// What is added to them where the author stands before the command: always.
    private static let withAuthor: UInt8 = 4
    /// As many events as two bytes count.
    static let eventsMax = Int(UInt16.max)

    let kind: EntryKind
    let version: UInt8
    let bytes: [UInt8]

    /// The entry of a command that was decided to cause `events`.
    init(_ command: Command, _ events: [Event], keeping milestones: [Milestone] = []) {
        var writer = ByteWriter()
        let judged = command.now == command.at ? Self.judgedAtMoment : Self.judgedBefore
        version = judged + Self.withAuthor + (milestones.isEmpty ? 0 : Self.withMilestones)
        if judged == Self.judgedBefore { writer.moment(command.now) }
        writer.author(command.author)
        let keyed = command.kind.keyed
        if let keyed { writer.keyed(keyed) }
        kind = writer.command(command.kind)
        let notification = command.kind.notificationID
        writer.list(events) { $0.event($1, of: keyed, notification) }
        if !milestones.isEmpty { writer.list(milestones) { $0.raw($1.bytes) } }
        bytes = writer.bytes
    }

    /// What an entry that was read back says.
    static func content(
        of entry: JournalEntry,
        noting notes: NameNotes? = nil
    ) throws(Malformed) -> EntryContent {
        guard let kind = EntryKind(rawValue: entry.kind) else { throw Malformed() }
        var reader = ByteReader(entry.body, noting: notes)
        var now = Moment(entry.moment)
        guard (1...2 * withAuthor).contains(entry.version) else { throw Malformed() }
        if entry.version % judgedBefore == 0 { now = try reader.moment() }
        var content = EntryContent(cause: .registered, now: now)
        if entry.version > withAuthor { content.author = try reader.author() }
        let keyed = kind.isKeyed ? try reader.keyed() : nil
        content.user = keyed?.key.user
        try reader.command(kind, into: &content)
        content.events = try reader.list { (reader) throws(Malformed) in
            try reader.event(of: keyed, content.notification)
        }
        if keepsMilestones(entry) {
            content.milestones = try reader.list { (reader) throws(Malformed) in
                try Milestone(&reader)
            }
        }
        guard reader.isAtEnd else { throw Malformed() }
        if case .erased(let erasure)? = content.events.first { content.user = erasure.user }
        return content
    }

    /// Whether records follow the events of an entry.
    static func keepsMilestones(_ entry: JournalEntry) -> Bool {
        (entry.version - 1) % withAuthor >= withMilestones
    }

    /// The events of an entry that was read back.
    static func events(of entry: JournalEntry) throws(Malformed) -> [Event] {
        try content(of: entry).events
    }
}

/// What one entry of the journal says.
struct EntryContent: Hashable {
    /// Why the status of the user changed of whom the command was.
    var cause: Cause
    /// The moment that it was judged at.
    let now: Moment
    /// Of whom it was; nil where it was of a store's document.
    var user: UserID?
    /// Who asked; nil where a store, time or the daemon itself did, or where nobody was noted.
    var author: Author?
    /// What was asked for, as far as the events do not say it.
    var order = OrderNote()
    /// The notification that it was of.
    var notification: NotificationID?
    /// SHA-256 of a notification's document.
    var document: Digest256?
    /// What happened.
    var events: [Event] = []
    /// Records as they were after that.
    var milestones: [Milestone] = []

    /// Why the status of `user` changed.
    func cause(for user: UserID) -> Cause {
        guard let commander = self.user, commander != user else { return cause }
        return [.verified, .restored, .erased].contains(cause) ? .transferred : cause
    }
}

/// What a command asked for, as far as its events do not say it.
package struct OrderNote: Hashable, Sendable {
    /// The store's word for what happened.
    package var type = ""
    /// The store's word for how.
    package var subtype = ""
    /// How many credits.
    package var amount: Int64?
    /// The source of credits.
    package var source = ""
    /// Why, as the caller said.
    package var reason = ""
    /// The store named in a grant.
    package var store: Store?
}

extension ByteWriter {
    /// What the parts of a command are that its events do not say; answers what kind it is.
    fileprivate mutating func command(_ command: Command.Kind) -> EntryKind {
        switch command {
        case .register(let registration):
            user(registration.user)
            token(registration.token)
            return .register
        case .record(let notification):
            notificationID(notification.id)
            text(notification.type)
            text(notification.subtype)
            digest(notification.document)
            return .notification
        case .link(let purchase):
            user(purchase.user)
            list(purchase.claimed) { $0.token($1) }
            return .link
        case .restore(let order):
            user(order.user)
            return .restore
        case .learn: return .learn
        case .tick: return .tick
        case .load: return .load
        case .erase: return .erase
        case .grant(let order):
            integer(order.store?.rawValue ?? 0)
            text(order.reason)
            return .grant
        case .revokeGrant(let revocation):
            user(revocation.user)
            integer(revocation.grant)
            text(revocation.reason)
            return .revokeGrant
        case .merge: return .merge
        case .move(let order):
            user(order.user)
            text(order.reason)
            return .move
        case .install(let stamp):
            integer(stamp.version)
            return .install
        case .credit(let order):
            integer(order.amount)
            flag(order.isAdjustment)
            text(order.source)
            text(order.reason)
            return .credit
        case .charge(let charge):
            integer(charge.amount)
            return .charge
        case .reserve(let order):
            integer(order.charge.amount)
            integer(order.milliseconds)
            leaseHolder(order.lease)
            return .reserve
        case .endReservation(let order):
            integer(order.id)
            integer(order.kind.rawValue)
            optional(order.amount) { $0.integer($1) }
            return .endReservation
        case .reverse(let order):
            idempotencyKey(order.charge)
            return .reverse
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
            content.notification = try notificationID()
            content.order.type = try text()
            content.order.subtype = try text()
            content.document = try digest()
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
            content.order.store = Store(rawValue: try integer())
            content.order.reason = try reason()
        case .revokeGrant:
            content.cause = .grantRevoked
            content.user = try user()
            _ = try integer(UInt64.self)
            content.order.reason = try reason()
        case .merge: content.cause = .transferred
        case .move:
            content.cause = .transferred
            content.user = try user()
            content.order.reason = try reason()
        case .install:
            content.cause = .catalog
            _ = try integer(UInt32.self)
        case .credit:
            content.order.amount = try integer(Int64.self)
            content.cause = try flag() ? .creditsAdjusted : .creditsGranted
            content.order.source = try text()
            content.order.reason = try reason()
        case .charge:
            content.cause = .consumed
            content.order.amount = try integer(Int64.self)
        case .reserve:
            content.cause = .reserved
            content.order.amount = try integer(Int64.self)
            _ = try integer(Int64.self)
            _ = try leaseHolder()
        case .endReservation:
            _ = try integer(UInt64.self)
            let how = Reservation.Ending.Kind(rawValue: try integer())
            content.cause = how == .committed ? .committed : .released
            content.order.amount = try optional { (reader) throws(Malformed) in
                try reader.integer()
            }
        case .reverse:
            content.cause = .reversed
            _ = try idempotencyKey()
        }
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
    case merge = 43
    case move = 44

    /// Whether its entries begin with a key and a fingerprint.
    var isKeyed: Bool {
        switch self {
        case .grant, .credit, .charge, .reserve, .reverse, .merge: true
        case .register, .notification, .link, .revokeGrant, .install, .endReservation, .restore,
            .learn, .tick, .load, .erase, .move:
            false
        }
    }
}

/// What a keyed command says first, and its events do not repeat.
struct KeyedOrder: Hashable {
    let key: IdempotencyKey
    let fingerprint: Digest128
}

extension Command.Kind {
    /// The id of a notification.
    var notificationID: NotificationID? {
        if case .record(let notification) = self { notification.id } else { nil }
    }

    /// The key and fingerprint of a command that has them.
    var keyed: KeyedOrder? {
        switch self {
        case .grant(let order): KeyedOrder(key: order.key, fingerprint: order.fingerprint)
        case .merge(let order): KeyedOrder(key: order.key, fingerprint: order.fingerprint)
        case .credit(let order): KeyedOrder(key: order.key, fingerprint: order.fingerprint)
        case .charge(let order): KeyedOrder(key: order.key, fingerprint: order.fingerprint)
        case .reserve(let order):
            KeyedOrder(key: order.charge.key, fingerprint: order.charge.fingerprint)
        case .reverse(let order): KeyedOrder(key: order.key, fingerprint: order.fingerprint)
        case .register, .record, .link, .restore, .learn, .revokeGrant, .endReservation, .tick,
            .load, .erase, .install, .move:
            nil
        }
    }
}
