import Entitlements

/// One row of `settlements`: a first answer that is not kept with its user's account.
///
/// Key: userId, 0, digest of the idempotency key 16 (a userId has no control characters). Value:
/// the most frequent thing that is stored, so in as few bytes as it takes:
///
///     SIZE  MEANING
///     16    digest of the method and its parameters
///     1–10  seq
///     1–10  at, ms
///     1     answer, as in the journal; + 64: put back since; + 128: the clock said something else
///     1–10  what the clock said, only then
///     1–10  credits that remained; of a grant of access
///           and a merger nothing
///     …     of a charge the parts: their number; each: length of the source 1–3, the source,
///           1: 1 where there is an end, + 2 of a paid period; the end 1–10, number 1–10 and
///           beginning 1–10 of the period, amount 1–10
///
/// Numbers have seven bits in each byte, the lowest first, and the highest bit where one more
/// follows; signed ones have their sign in the lowest bit.
struct SettlementRow: TableRow {
    static var table: TableName { .settlements }
    let key: IdempotencyKey
    let record: Settlement

    var value: Row.Value { .settlement(key, record) }
    static var isSwept: Bool { true }

    func isOver(at moment: Moment, behind border: UInt64) -> Bool { !record.isKept(at: moment) }

    static func write(_ first: Settlement, to writer: inout ByteWriter) {
        writer.firstAnswer(first)
    }

    static func record(
        of key: IdempotencyKey,
        from reader: inout ByteReader
    ) throws(Malformed) -> Settlement {
        try reader.firstAnswer()
    }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        for key in desk.settlements.changed {
            changes.put(desk.settlements[key], at: key, as: Self.self)
        }
    }
}

// The key.

extension SettlementRow {
    /// What a key has at most.
    static var keyBytesMax: Int { Limits.userIDBytesMax + tailBytes }
    /// A zero and a digest.
    private static var tailBytes: Int { 1 + 16 }

    static func bytes(of key: IdempotencyKey) -> [UInt8] {
        let room = key.user.bytes.count + tailBytes
        // SAFETY: `write` fills at most `room` bytes, and says how many.
        return [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            count = write(key: key, to: UnsafeMutableRawBufferPointer(bytes))
        }
    }

    /// Writes a key where there is room for it; answers how long it is.
    static func write(key: IdempotencyKey, to bytes: UnsafeMutableRawBufferPointer) -> Int {
        let end = key.user.bytes.count
        bytes.copyBytes(from: key.user.bytes)
        bytes[end] = 0
        let words = key.digest.words
        for (word, place) in [(words.0, end + 1), (words.1, end + 9)] {
            bytes.storeBytes(of: word.bigEndian, toByteOffset: place, as: UInt64.self)
        }
        return end + tailBytes
    }

    static func key(of bytes: [UInt8]) throws(Malformed) -> IdempotencyKey {
        let end = bytes.count - tailBytes
        guard end > 0, bytes[end] == 0 else { throw Malformed() }
        return IdempotencyKey(
            user: try Keys.user(of: Array(bytes[..<end])),
            digest: Digest128(
                Keys.integer(bytes[(end + 1)..<(end + 9)]),
                Keys.integer(bytes[(end + 9)...])
            )
        )
    }

    /// What the keys of one user begin with, and of no other.
    static func prefix(of user: UserID) -> [UInt8] { user.bytes + [0] }
}

// A loaded one: 6, user, digest of the key, and the answer as an event has it.

extension SettlementRow {
    static func rowKey(_ key: IdempotencyKey) -> RowKey? { .settlement(key) }
    static var loadCodes: [UInt8] { [6] }
    func loaded(naming names: [String]) -> LoadedRow? { .settlement(key, record) }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.idempotencyKey(key)
        writer.settlement(record)
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        .settlement(try reader.idempotencyKey(), try reader.settlement())
    }
}

extension IdempotencyKey {
    /// As a row of `settlements` has it.
    package var rowKey: [UInt8] { SettlementRow.bytes(of: self) }
}

// The value, which accounts keep too.

extension ByteWriter {
    mutating func firstAnswer(_ value: Settlement) {
        half(value.fingerprint)
        number(value.seq)
        varying(value.at.milliseconds)
        let clock: UInt8 = value.now == value.at ? 0 : Mark.clock
        integer(value.answer.code | clock)
        if clock != 0 { varying(value.now.milliseconds) }
        switch value.answer {
        case .granted, .merged: break
        case .consumed(let remaining, let parts, _):
            varying(remaining)
            number(UInt64(parts.count))
            for part in parts { firstAnswerPart(part) }
        case .credited(let remaining), .insufficient(let remaining), .reserved(let remaining),
            .reversed(let remaining), .nothingReversed(let remaining):
            varying(remaining)
        }
    }

    private mutating func firstAnswerPart(_ part: Bucket) {
        let source = Array(part.source.utf8)
        number(UInt64(source.count))
        raw(source)
        let end: UInt8 = part.until == .distantFuture ? 0 : Mark.end
        integer(end | (part.isOfPeriod ? Mark.period : 0))
        if end != 0 { varying(part.until.milliseconds) }
        if part.isOfPeriod {
            number(part.period)
            varying(part.from.milliseconds)
        }
        varying(part.amount)
    }
}

extension ByteReader {
    mutating func firstAnswer() throws(Malformed) -> Settlement {
        let fingerprint = try half()
        let (seq, at) = (try number(), Moment(try varying()))
        let code = try integer(UInt8.self)
        var now = at
        if code & Mark.clock != 0 {
            now = Moment(try varying())
            guard now != at else { throw Malformed() }
        }
        return Settlement(
            fingerprint: fingerprint,
            seq: seq,
            at: at,
            now: now,
            answer: try firstAnswer(code & ~Mark.clock)
        )
    }

    private mutating func firstAnswer(_ code: UInt8) throws(Malformed) -> Settlement.Answer {
        switch code {
        case 1: return .granted
        case 2: return .credited(remaining: try varying())
        case 3, 3 | Mark.reversed:
            let remaining = try varying()
            var parts: [Bucket] = []
            // As many as there are bytes for, whatever the number says.
            for _ in 0..<(try number()) { parts.append(try firstAnswerPart()) }
            return .consumed(remaining: remaining, parts: parts, isReversed: code != 3)
        case 4: return .insufficient(remaining: try varying())
        case 5: return .reserved(remaining: try varying())
        case 6: return .reversed(remaining: try varying())
        case 7: return .nothingReversed(remaining: try varying())
        case 8: return .merged
        default: throw Malformed()
        }
    }

    private mutating func firstAnswerPart() throws(Malformed) -> Bucket {
        guard let count = Int(exactly: try number()) else { throw Malformed() }
        let source = try string(try take(count))
        let marks = try integer(UInt8.self)
        guard marks <= Mark.end | Mark.period else { throw Malformed() }
        let until = marks & Mark.end != 0 ? Moment(try varying()) : .distantFuture
        guard marks & Mark.period != 0 else {
            return Bucket(source: source, until: until, amount: try varying())
        }
        let period = try number()
        guard period != 0 else { throw Malformed() }
        return Bucket(
            source: source,
            period: period,
            from: Moment(try varying()),
            until: until,
            amount: try varying()
        )
    }
}

/// What stands in the byte of the answer beside it, and in that of a part.
private enum Mark {
    static let end: UInt8 = 1
    static let period: UInt8 = 2
    static let reversed: UInt8 = 64
    static let clock: UInt8 = 128
}

extension Settlement.Answer {
    fileprivate var code: UInt8 {
        switch self {
        case .granted: 1
        case .credited: 2
        case .consumed(_, _, let isReversed): isReversed ? 3 | Mark.reversed : 3
        case .insufficient: 4
        case .reserved: 5
        case .reversed: 6
        case .nothingReversed: 7
        case .merged: 8
        }
    }
}
