import Entitlements

/// The bytes of one row of `accounts`.
///
/// Little-endian; read on every request.
///
///     OFFSET  SIZE  MEANING
///     0       1     version of this table: 1
///     1       1     flags (`AccountFlags`); + 32: accounts went into this one
///     2       2     slots
///     4       2     grants
///     6       2     balances to come
///     8       8     opened, ms
///     16      8     credits before the first of them
///     24      8     seq of the account's last journal entry
///     32      16 n  balances: from 8, credits 8; sorted by `from`, each once
///             40 n  slots: ordinal 2, store 1, environment 1, product 4, marks 2, 0 6,
///                   from 8, paid until 8, grace until 8
///             32 n  grants: id 8, from 8, until 8, plan 4, store 1, 0 3
///             4     CRC32C over key and everything before: the front, which is all that a check
///                   reads
///             2     subscriptions; each: store 1, environment 1, length 2, original id
///             2     tokens; each 16
///             2     first answers; each: digest of the key 16, `ByteWriter.firstAnswer`
///             3     entries since the newest milestone 2, marks 1; where there are any: milestones
///                   4, low 8, each mark: seq 8, low 8 (`Chain`)
///             2     where the flags say so, the accounts that went into this one; each a user
///             …     purse: buckets, holds, debt, what was forgiven; see `ByteWriter.purse`
///     end-4   4     CRC32C over key and everything before
struct AccountRow: TableRow {
    static var table: TableName { .accounts }
    let key: UserID
    let record: Account

    var value: Row.Value { .account(record) }
    var lastSeq: UInt64? { record.lastSeq }

    static func bytes(of user: UserID) -> [UInt8] { user.bytes }
    static func key(of bytes: [UInt8]) throws(Malformed) -> UserID { try Keys.user(of: bytes) }

    static func take(_ desk: borrowing Desk, into changes: inout RowChanges) {
        for user in desk.accounts.changed {
            changes.put(desk.accounts[user], at: user, as: Self.self)
        }
    }

    func agreesBesideRules(with made: Self) -> Bool { record.agreesBesideRules(with: made.record) }
}

extension Account {
    /// Whether two records of an account agree in what no version of the rules can change: when it
    /// was opened, and its credits, which events name part by part.
    func agreesBesideRules(with other: Account) -> Bool {
        user == other.user && opened == other.opened && purse.buckets == other.purse.buckets
            && purse.holds == other.purse.holds && purse.debt == other.purse.debt
            && answer.credits == other.answer.credits
    }
}

// The record.

extension AccountRow {
    private static var version: UInt8 { 1 }
    /// Beside the flags: accounts went into this one.
    private static var formersMark: UInt8 { 32 }
    static var balancesOffset: Int { 32 }
    static var balanceBytes: Int { 16 }
    static var slotBytes: Int { 40 }
    static var grantBytes: Int { 32 }

    /// Writes a record; nothing else stands before it.
    static func write(_ account: Account, to writer: inout ByteWriter) {
        let answer = account.answer
        writer.integer(version)
        writer.integer(answer.flags.rawValue | (account.formers.isEmpty ? 0 : formersMark))
        writer.integer(UInt16(answer.slots.count))
        writer.integer(UInt16(answer.grants.count))
        writer.integer(UInt16(answer.balances.count))
        writer.moment(account.opened)
        writer.integer(answer.credits)
        writer.integer(account.lastSeq)
        for balance in answer.balances {
            writer.moment(balance.from)
            writer.integer(balance.credits)
        }
        for slot in answer.slots {
            writer.integer(slot.ordinal)
            writer.integer(slot.store.rawValue)
            writer.integer(slot.environment.rawValue)
            writer.integer(slot.product)
            writer.integer(slot.marks.rawValue)
            writer.integer(UInt16(0))
            writer.integer(UInt32(0))
            writer.moment(slot.from)
            writer.moment(slot.paidUntil)
            writer.moment(slot.graceUntil)
        }
        for grant in answer.grants {
            writer.integer(grant.id)
            writer.moment(grant.from)
            writer.moment(grant.until)
            writer.integer(grant.plan)
            writer.integer(UInt32(grant.storeCode))
        }
        writer.seal(account.user.bytes)
        writer.list(account.subscriptions) { $0.key($1) }
        writer.list(account.tokens) { $0.token($1) }
        writer.list(account.firstAnswers) {
            $0.half($1.key)
            $0.firstAnswer($1.settlement)
        }
        writer.chain(account.chain)
        if !account.formers.isEmpty { writer.list(account.formers) { $0.user($1) } }
        writer.purse(account.purse)
    }

    static func record(
        of user: UserID,
        from reader: inout ByteReader
    ) throws(Malformed) -> Account {
        var ahead = reader
        let head = try ahead.take(balancesOffset)
        guard let count = head.withUnsafeBytes({ frontBytes($0) }) else { throw Malformed() }
        let front = try reader.take(count)
        // Callers that read the whole record have checked its sum as a whole.
        _ = try reader.integer(UInt32.self)
        var account = Account(user: user, opened: front.withUnsafeBytes { Moment(integer($0, 8)) })
        let (isRead, hasFormers) = front.withUnsafeBytes { row in
            account.lastSeq = UInt64(bitPattern: integer(row, 24))
            return (decode(row, into: &account.answer), row[1] & formersMark != 0)
        }
        guard isRead else { throw Malformed() }
        try readRest(of: &account, hasFormers: hasFormers, from: &reader)
        return account
    }

    /// What stands behind the front.
    private static func readRest(
        of account: inout Account,
        hasFormers: Bool,
        from reader: inout ByteReader
    ) throws(Malformed) {
        account.subscriptions = try reader.list { (reader) throws(Malformed) in try reader.key() }
        account.tokens = try reader.list { (reader) throws(Malformed) in try reader.token() }
        account.firstAnswers = try reader.list { (reader) throws(Malformed) in
            FirstAnswer(key: try reader.half(), settlement: try reader.firstAnswer())
        }
        account.chain = try reader.chain()
        if hasFormers {
            account.formers = try reader.list { (reader) throws(Malformed) in try reader.user() }
            guard !account.formers.isEmpty else { throw Malformed() }
        }
        account.purse = try reader.purse()
    }

    /// Reads the front of the row of `key` into `answer`, without allocating once it has room.
    ///
    /// Answers false where the front is not what was stored.
    static func read(
        _ row: UnsafeRawBufferPointer,
        of key: UnsafeRawBufferPointer,
        into answer: inout Answer
    ) -> Bool {
        answer.clear()
        guard row.count >= balancesOffset, let count = frontBytes(row),
            row.count >= count + Seal.bytes
        else { return false }
        // SAFETY: the row was found to have so many bytes.
        let front = UnsafeRawBufferPointer(rebasing: row[..<(count + Seal.bytes)])
        guard Seal.opened(front, key) != nil else { return false }
        return decode(row, into: &answer)
    }

    /// How long the front is, without its checksum, by its first bytes, which are there; nil where
    /// they are of another version.
    @inline(__always)
    private static func frontBytes(_ row: UnsafeRawBufferPointer) -> Int? {
        guard row[0] == version else { return nil }
        let (slots, grants, balances) = (short(row, 2), short(row, 4), short(row, 6))
        return balancesOffset + Int(balances) * balanceBytes + Int(slots) * slotBytes
            + Int(grants) * grantBytes
    }

    /// Decodes a front, all of whose bytes are there, into an answer that is empty.
    @inline(__always)
    private static func decode(_ row: UnsafeRawBufferPointer, into answer: inout Answer) -> Bool {
        answer.flags = AccountFlags(rawValue: row[1] & ~formersMark)
        answer.credits = integer(row, 16)
        var offset = balancesOffset
        for _ in 0..<short(row, 6) {
            let balance = Balance(
                from: Moment(integer(row, offset)),
                credits: integer(row, offset + 8)
            )
            guard answer.isNext(balance) else { return false }
            answer.balances.append(balance)
            offset += balanceBytes
        }
        for _ in 0..<short(row, 2) {
            guard
                let store = Store(rawValue: row[offset + 2]),
                let environment = StoreEnvironment(rawValue: row[offset + 3])
            else { return false }
            answer.slots.append(
                Slot(
                    ordinal: short(row, offset),
                    store: store,
                    environment: environment,
                    product: UInt32(
                        littleEndian: row.loadUnaligned(
                            fromByteOffset: offset + 4,
                            as: UInt32.self
                        )
                    ),
                    marks: EraMarks(rawValue: short(row, offset + 8)),
                    from: Moment(integer(row, offset + 16)),
                    paidUntil: Moment(integer(row, offset + 24)),
                    graceUntil: Moment(integer(row, offset + 32))
                )
            )
            offset += slotBytes
        }
        for _ in 0..<short(row, 4) {
            answer.grants.append(
                Grant(
                    id: UInt64(bitPattern: integer(row, offset)),
                    plan: UInt32(
                        littleEndian: row.loadUnaligned(
                            fromByteOffset: offset + 24,
                            as: UInt32.self
                        )
                    ),
                    from: Moment(integer(row, offset + 8)),
                    until: Moment(integer(row, offset + 16)),
                    storeCode: row[offset + 28]
                )
            )
            offset += grantBytes
        }
        return true
    }

    private static func integer(_ row: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
        Int64(littleEndian: row.loadUnaligned(fromByteOffset: offset, as: Int64.self))
    }

    private static func short(_ row: UnsafeRawBufferPointer, _ offset: Int) -> UInt16 {
        UInt16(littleEndian: row.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
}

// A loaded account: 1, user, the names that numbers in its front stand for, the record.

extension AccountRow {
    static func rowKey(_ key: UserID) -> RowKey? { .account(key) }
    static var loadCodes: [UInt8] { [1] }
    func loaded(naming names: [String]) -> LoadedRow? { .account(record, names: names) }

    func writeLoaded(naming names: [String], to writer: inout ByteWriter) {
        writer.user(key)
        writer.list(names) { $0.text($1) }
        writer.record { Self.write(record, to: &$0) }
    }

    static func loaded(
        _ code: UInt8,
        from reader: inout ByteReader
    ) throws(Malformed) -> LoadedRow {
        let user = try reader.user()
        let names = try reader.list { (reader) throws(Malformed) in try reader.text() as String }
        let account = try record(of: user, try reader.record(), noting: reader.notes)
        let numbers = account.answer.slots.map(\.product) + account.answer.grants.map(\.plan)
        guard numbers.allSatisfy({ $0 < names.count }) else { throw Malformed() }
        return .account(account, names: names)
    }
}

extension RecordSource {
    /// The account of `user`.
    func account(of user: UserID) throws -> Account? {
        try record(of: AccountRow.self, at: user)
    }
}

extension Answer {
    /// Whether this balance may follow those that were read: they are searched by their moments.
    fileprivate func isNext(_ balance: Balance) -> Bool {
        balances.last.map { $0.from < balance.from } ?? true
    }
}
