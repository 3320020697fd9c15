import Entitlements
import JSON
import Wire

/// The members of one object of a dump.
struct RowMembers {
    private let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    func wrong(_ name: String) -> RowReading { .wrong(name) }

    /// Whether it is there and not null.
    func has(_ name: String) -> Bool { object[name].map { !$0.isNull } ?? false }

    func optionalText(_ name: String) throws(RowReading) -> String? {
        guard has(name) else { return nil }
        return try text(name, isEmptyFine: true)
    }

    /// A text of at most 255 bytes, where it is there: its length is kept in one byte.
    func optionalShortText(_ name: String) throws(RowReading) -> String? {
        guard let text = try optionalText(name) else { return nil }
        guard text.utf8.count <= MethodLimits.loadedNameBytesMax else { throw wrong(name) }
        return text
    }

    func text(_ name: String, isEmptyFine: Bool = false) throws(RowReading) -> String {
        guard let text = object[name]?.string, text.utf8.count <= MethodLimits.loadedTextBytesMax,
            isEmptyFine || !text.isEmpty
        else { throw wrong(name) }
        return text
    }

    /// A text without control characters: plans and products have names of one kind (`Numbering`).
    func plainText(_ name: String) throws(RowReading) -> String {
        let text = try text(name, isEmptyFine: true)
        guard Self.isPlain(text) else { throw wrong(name) }
        return text
    }

    /// A store's name for a purchase or a transaction: part of a key, and keys have 511 bytes.
    func name(_ name: String) throws(RowReading) -> String {
        let text = try text(name)
        guard Self.isName(text) else { throw wrong(name) }
        return text
    }

    /// 1 to 255 bytes without control characters.
    static func isName(_ text: String) -> Bool {
        (1...MethodLimits.loadedNameBytesMax).contains(text.utf8.count) && isPlain(text)
    }

    private static func isPlain(_ text: String) -> Bool {
        !Array(text.utf8).withUnsafeBytes { UserID.holdsControl($0) }
    }

    private func list(_ name: String, countMax: Int) throws(RowReading) -> [JSONValue] {
        guard let list = object[name]?.array, list.count <= countMax else { throw wrong(name) }
        return list
    }

    func texts(
        _ name: String,
        countMax: Int = MethodLimits.loadedListMax
    ) throws(RowReading) -> [String] {
        let list = try list(name, countMax: countMax)
        var texts: [String] = []
        for value in list {
            guard let text = value.string, text.utf8.count <= MethodLimits.loadedTextBytesMax else {
                throw wrong(name)
            }
            texts.append(text)
        }
        return texts
    }

    func integer(_ name: String) throws(RowReading) -> Int64 {
        guard let value = object[name]?.int64 else { throw wrong(name) }
        return value
    }

    func optionalInteger(_ name: String) throws(RowReading) -> Int64? {
        has(name) ? try integer(name) : nil
    }

    /// A journal position, or an id.
    func position(_ name: String) throws(RowReading) -> UInt64 {
        guard let seq = UInt64(exactly: try integer(name)),
            seq <= Entitlements.Limits.positionMax
        else { throw wrong(name) }
        return seq
    }

    func flag(_ name: String) throws(RowReading) -> Bool {
        guard let flag = object[name]?.bool else { throw wrong(name) }
        return flag
    }

    func optionalFlag(_ name: String) throws(RowReading) -> Bool {
        has(name) ? try flag(name) : false
    }

    func moment(_ name: String, null: Moment? = nil) throws(RowReading) -> Moment {
        guard let moment = try optionalMoment(name) ?? null else { throw wrong(name) }
        return moment
    }

    func optionalMoment(_ name: String) throws(RowReading) -> Moment? {
        guard has(name), let value = object[name] else { return nil }
        if let milliseconds = value.int64 { return Moment(milliseconds) }
        guard let milliseconds = value.string.flatMap({ TimeText.parse($0) }) else {
            throw wrong(name)
        }
        return Moment(milliseconds)
    }

    func digest(_ name: String) throws(RowReading) -> Digest256 {
        guard let digest = Digest256(hex: try text(name)) else { throw wrong(name) }
        return digest
    }

    func half(_ name: String) throws(RowReading) -> Digest128 {
        guard let digest = Digest128(hex: try text(name)) else { throw wrong(name) }
        return digest
    }

    /// When it was signed, and the SHA-256 of what was.
    func version() throws(RowReading) -> Version {
        Version(signed: try moment("signedDate"), digest: try digest("digest"))
    }

    func user(_ name: String) throws(RowReading) -> UserID {
        guard let user = UserID(try text(name)) else { throw wrong(name) }
        return user
    }

    func optionalUser(_ name: String) throws(RowReading) -> UserID? {
        has(name) ? try user(name) : nil
    }

    func users(_ name: String, countMax: Int) throws(RowReading) -> [UserID] {
        var users: [UserID] = []
        for text in try texts(name, countMax: countMax) {
            guard let user = UserID(text) else { throw wrong(name) }
            users.append(user)
        }
        return users
    }

    func token(_ name: String) throws(RowReading) -> Token {
        guard let token = Token(try text(name)) else { throw wrong(name) }
        return token
    }

    func tokens(_ name: String, countMax: Int) throws(RowReading) -> [Token] {
        var tokens: [Token] = []
        for text in try texts(name, countMax: countMax) {
            guard let token = Token(text) else { throw wrong(name) }
            tokens.append(token)
        }
        return tokens
    }

    func object(_ name: String) throws(RowReading) -> RowMembers {
        guard let object = object[name]?.object else { throw wrong(name) }
        return RowMembers(object)
    }

    func optionalObject<Value>(
        _ name: String,
        _ read: (RowMembers) throws(RowReading) -> Value
    ) throws(RowReading) -> Value? {
        has(name) ? try read(try object(name)) : nil
    }

    func objects(
        _ name: String,
        countMax: Int = MethodLimits.loadedListMax
    ) throws(RowReading) -> [RowMembers] {
        let list = try list(name, countMax: countMax)
        var objects: [RowMembers] = []
        for value in list {
            guard let object = value.object else { throw wrong(name) }
            objects.append(RowMembers(object))
        }
        return objects
    }
}
