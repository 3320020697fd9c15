import Entitlements

/// The tables, and how their keys are built.
///
/// Here and nowhere else.
///
/// No two keys of one table share an encoding. Text where an admin would look it up:
///
///     accounts       userId
///     subscriptions  app_store/Production/<original id>
///     tokens         the UUID, lower case
///     unclaimed      <UUID>/app_store/Production/<original id>
///     notifications  signing time 8 (big-endian, sign flipped), SHA-256 32
///     settlements    userId, 0, digest of the key 16 (a userId has no control characters)
///     reservations   r<number>
///     leases         r<number>
///     packs          app_store/Production/<transaction id>
///     alarms         moment 8 (big-endian, sign flipped), userId
///     ticks          moment 8 (big-endian, sign flipped)
///     tombstones     the mark of a name, 32 hex digits
///     appTransactions  the mark of one, 32 hex digits
///     merges         userId
///     meta           a name; `catalog/` and eight digits for a catalog that was in force
package enum TableName: String, CaseIterable, Sendable {
    case accounts
    case subscriptions
    case tokens
    case unclaimed
    case notifications
    case settlements
    case reservations
    case leases
    case packs
    case alarms
    case ticks
    case tombstones
    case meta
    case appTransactions
    case merges

    /// Its place among all, from 0.
    @inline(__always)
    var number: UInt8 {
        switch self {
        case .accounts: 0
        case .subscriptions: 1
        case .tokens: 2
        case .unclaimed: 3
        case .notifications: 4
        case .settlements: 5
        case .reservations: 6
        case .leases: 7
        case .packs: 8
        case .alarms: 9
        case .ticks: 10
        case .tombstones: 11
        case .meta: 12
        case .appTransactions: 13
        case .merges: 14
        }
    }
}

enum Keys {
    static func account(_ user: UserID) -> [UInt8] { user.bytes }

    static func subscription(_ key: SubscriptionKey) -> [UInt8] { Array(key.description.utf8) }

    static func token(_ token: Token) -> [UInt8] { Array(token.description.utf8) }

    static func unclaimed(_ unclaimed: Unclaimed) -> [UInt8] {
        token(unclaimed.token) + [UInt8(ascii: "/")] + subscription(unclaimed.key)
    }

    static func notification(_ id: NotificationID) -> [UInt8] {
        let signed = moment(id.signed)
        let room = signed.count + 32
        return [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            bytes.copyBytes(from: signed)
            write(id.digest, to: bytes, at: signed.count)
            count = room
        }
    }

    static func alarm(_ passing: Tick.Passing) -> [UInt8] {
        moment(passing.due) + passing.user.bytes
    }

    static func tick(_ first: Moment) -> [UInt8] { moment(first) }

    static func tombstone(_ mark: NameMark) -> [UInt8] { digits(mark.low, mark.high) }

    static func appTransaction(_ mark: AppTransactionMark) -> [UInt8] {
        digits(mark.digest.words.0, mark.digest.words.1)
    }

    private static func digits(_ first: UInt64, _ second: UInt64) -> [UInt8] {
        let digits = [first, second]
            .map { half in
                let text = String(half, radix: 16)
                return String(repeating: "0", count: 16 - text.count) + text
            }
        return Array(digits.joined().utf8)
    }

    /// What the key of a settlement has at most.
    static let settlementBytesMax = Limits.userIDBytesMax + settlementTailBytes
    /// A zero and a digest.
    private static let settlementTailBytes = 1 + 16

    static func settlement(_ key: IdempotencyKey) -> [UInt8] {
        let room = key.user.bytes.count + settlementTailBytes
        return [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            count = write(settlement: key, to: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// Writes the key of a settlement where there is room for it; answers how long it is.
    static func write(
        settlement key: IdempotencyKey,
        to bytes: UnsafeMutableRawBufferPointer
    ) -> Int {
        let end = key.user.bytes.count
        bytes.copyBytes(from: key.user.bytes)
        bytes[end] = 0
        let words = key.digest.words
        for (word, place) in [(words.0, end + 1), (words.1, end + 9)] {
            bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt64.self)
        }
        return end + settlementTailBytes
    }

    static func reservation(_ id: UInt64) -> [UInt8] { Array("r\(id)".utf8) }

    static func pack(_ key: PackKey) -> [UInt8] {
        Array("\(key.store.name)/\(key.environment.name)/\(key.transactionID)".utf8)
    }

    static func catalog(_ version: UInt32) -> [UInt8] {
        let digits = String(version)
        return meta("catalog/" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits)
    }

    static func meta(_ name: String) -> [UInt8] { Array(name.utf8) }

    static func tombstone(of key: [UInt8]) throws(Malformed) -> NameMark {
        let (low, high) = try halves(of: key)
        return NameMark(low: low, high: high)
    }

    static func appTransaction(of key: [UInt8]) throws(Malformed) -> AppTransactionMark {
        let (first, second) = try halves(of: key)
        return AppTransactionMark(Digest128(first, second))
    }

    private static func halves(of key: [UInt8]) throws(Malformed) -> (UInt64, UInt64) {
        let text = String(decoding: key, as: UTF8.self)
        guard key.count == 32, let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.dropFirst(16), radix: 16), digits(first, second) == key
        else { throw Malformed() }
        return (first, second)
    }

    static func user(of key: [UInt8]) throws(Malformed) -> UserID {
        guard let user = UserID(key) ?? UserID(pseudonym: key) else { throw Malformed() }
        return user
    }

    static func subscription(of key: some Collection<UInt8>) throws(Malformed) -> SubscriptionKey {
        guard let text = String(validating: key, as: UTF8.self), let key = SubscriptionKey(text)
        else { throw Malformed() }
        return key
    }

    static func token(of key: some Collection<UInt8>) throws(Malformed) -> Token {
        guard let token = Token(String(decoding: key, as: UTF8.self)) else { throw Malformed() }
        return token
    }

    static func unclaimed(of key: [UInt8]) throws(Malformed) -> Unclaimed {
        guard key.count > 37 else { throw Malformed() }
        return Unclaimed(
            token: try token(of: key.prefix(36)),
            key: try subscription(of: key.dropFirst(37))
        )
    }

    static func notification(of key: [UInt8]) throws(Malformed) -> NotificationID {
        guard key.count == 40 else { throw Malformed() }
        return NotificationID(
            signed: moment(of: key[..<8]),
            digest: Digest256(bytes: Array(key[8...]))
        )
    }

    static func settlement(of key: [UInt8]) throws(Malformed) -> IdempotencyKey {
        let end = key.count - settlementTailBytes
        guard end > 0, key[end] == 0 else { throw Malformed() }
        return IdempotencyKey(
            user: try user(of: Array(key[..<end])),
            digest: Digest128(word(key[(end + 1)...]), word(key[(end + 9)...]))
        )
    }

    /// The eight bytes at the beginning of these, the most significant first.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    static func reservation(of key: [UInt8]) throws(Malformed) -> UInt64 {
        let text = String(decoding: key.dropFirst(), as: UTF8.self)
        guard let id = UInt64(text), reservation(id) == key else { throw Malformed() }
        return id
    }

    static func pack(of key: [UInt8]) throws(Malformed) -> PackKey {
        let written = try subscription(of: key)
        return PackKey(
            store: written.store,
            environment: written.environment,
            transactionID: written.originalID
        )
    }

    static func alarm(of key: [UInt8]) throws(Malformed) -> Tick.Passing {
        guard key.count > 8 else { throw Malformed() }
        return Tick.Passing(user: try user(of: Array(key[8...])), due: moment(of: key[..<8]))
    }

    static func tick(of key: [UInt8]) throws(Malformed) -> Moment {
        guard key.count == 8 else { throw Malformed() }
        return moment(of: key[...])
    }

    /// So that the order of the bytes is that of the moments.
    private static func moment(_ moment: Moment) -> [UInt8] {
        bigEndian(UInt64(bitPattern: moment.milliseconds) ^ 1 << 63)
    }

    private static func moment(of key: ArraySlice<UInt8>) -> Moment {
        Moment(Int64(bitPattern: integer(key) ^ 1 << 63))
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    /// The most significant byte first, as everybody writes a digest.
    private static func write(
        _ digest: Digest256,
        to bytes: UnsafeMutableRawBufferPointer,
        at place: Int
    ) {
        let (first, second, third, fourth) = digest.words
        bytes.storeBytes(of: first.bigEndian, toByteOffset: place, as: UInt64.self)
        bytes.storeBytes(of: second.bigEndian, toByteOffset: place + 8, as: UInt64.self)
        bytes.storeBytes(of: third.bigEndian, toByteOffset: place + 16, as: UInt64.self)
        bytes.storeBytes(of: fourth.bigEndian, toByteOffset: place + 24, as: UInt64.self)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
