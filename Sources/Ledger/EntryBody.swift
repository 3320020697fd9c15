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
        }
        writer.list(events) { $0.event($1) }
        bytes = writer.bytes
    }

    /// The events of an entry that was read back.
    static func events(
        of kind: UInt8,
        version: UInt8,
        _ bytes: [UInt8]
    ) throws(Malformed) -> [Event] {
        guard version == Self.version, let kind = EntryKind(rawValue: kind) else {
            throw Malformed()
        }
        var reader = ByteReader(bytes)
        switch kind {
        case .register:
            _ = try reader.user()
            _ = try reader.token()
        case .notification:
            _ = try reader.notificationID()
            _ = try reader.text()
            _ = try reader.text()
            _ = try reader.digest()
        case .link:
            _ = try reader.user()
            _ = try reader.list { (reader) throws(Malformed) in try reader.token() }
        case .grant:
            _ = try reader.idempotencyKey()
            _ = try reader.digest()
            _ = try reader.integer(UInt8.self)
            _ = try reader.text()
        case .revokeGrant:
            _ = try reader.user()
            _ = try reader.integer(UInt64.self)
            _ = try reader.text()
        case .install: _ = try reader.integer(UInt32.self)
        }
        let events = try reader.list { (reader) throws(Malformed) in try reader.event() }
        guard reader.isAtEnd else { throw Malformed() }
        return events
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
}

extension ByteWriter {
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
        }
    }
}

extension ByteReader {
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
        default: throw Malformed()
        }
    }
}
