import Entitlements

/// What the keys of several tables are made of.
///
/// No two keys of one table share an encoding, and none is longer than LMDB allows. They are text
/// where an admin would look them up.
enum Keys {
    static func user(of bytes: [UInt8]) throws(Malformed) -> UserID {
        guard let user = UserID(bytes) ?? UserID(pseudonym: bytes) else { throw Malformed() }
        return user
    }

    /// 32 hex digits.
    static func digits(_ first: UInt64, _ second: UInt64) -> [UInt8] {
        let digits = [first, second]
            .map { half in
                let text = String(half, radix: 16)
                return String(repeating: "0", count: 16 - text.count) + text
            }
        return Array(digits.joined().utf8)
    }

    static func halves(of key: [UInt8]) throws(Malformed) -> (UInt64, UInt64) {
        let text = String(decoding: key, as: UTF8.self)
        guard key.count == 32, let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.dropFirst(16), radix: 16), digits(first, second) == key
        else { throw Malformed() }
        return (first, second)
    }

    /// So that the order of the bytes is that of the moments.
    static func moment(_ moment: Moment) -> [UInt8] {
        let value = UInt64(bitPattern: moment.milliseconds) ^ 1 << 63
        return withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    static func moment(of key: ArraySlice<UInt8>) -> Moment {
        Moment(Int64(bitPattern: integer(key) ^ 1 << 63))
    }

    /// The most significant byte first.
    static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
