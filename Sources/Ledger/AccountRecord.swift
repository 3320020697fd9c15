import CLinux
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
enum AccountRecord {
    @usableFromInline static var version: UInt8 { 1 }
    /// Beside the flags: accounts went into this one.
    private static let formersMark: UInt8 = 32
    @usableFromInline static var balancesOffset: Int { 32 }
    @usableFromInline static var balanceBytes: Int { 16 }
    @usableFromInline static var slotBytes: Int { 40 }
    @usableFromInline static var grantBytes: Int { 32 }

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

    static func account(
        of user: UserID,
        _ bytes: some Collection<UInt8>,
        noting notes: NameNotes? = nil
    ) throws(Malformed) -> Account {
        var reader = ByteReader(bytes, noting: notes)
        guard try reader.integer(UInt8.self) == version else { throw Malformed() }
        let flags = try reader.integer(UInt8.self)
        let slots = try reader.integer(UInt16.self)
        let grants = try reader.integer(UInt16.self)
        let balances = try reader.integer(UInt16.self)
        var account = Account(user: user, opened: try reader.moment())
        account.answer.flags = AccountFlags(rawValue: flags & ~formersMark)
        account.answer.credits = try reader.integer()
        account.lastSeq = try reader.integer()
        try read(balances, slots, grants, of: &account.answer, from: &reader)
        // Who reads all of it has checked the sum of all of it.
        _ = try reader.integer(UInt32.self)
        try readRest(of: &account, hasFormers: flags & formersMark != 0, from: &reader)
        guard reader.isAtEnd else { throw Malformed() }
        return account
    }

    private static func read(
        _ balances: UInt16,
        _ slots: UInt16,
        _ grants: UInt16,
        of answer: inout Answer,
        from reader: inout ByteReader
    ) throws(Malformed) {
        for _ in 0..<balances {
            let balance = Balance(from: try reader.moment(), credits: try reader.integer())
            guard answer.isNext(balance) else { throw Malformed() }
            answer.balances.append(balance)
        }
        for _ in 0..<slots { answer.slots.append(try slot(from: &reader)) }
        for _ in 0..<grants { answer.grants.append(try grant(from: &reader)) }
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

    private static func slot(from reader: inout ByteReader) throws(Malformed) -> Slot {
        let ordinal = try reader.integer(UInt16.self)
        guard
            let store = Store(rawValue: try reader.integer()),
            let environment = StoreEnvironment(rawValue: try reader.integer())
        else { throw Malformed() }
        let product = try reader.integer(UInt32.self)
        let marks = EraMarks(rawValue: try reader.integer())
        _ = try reader.take(6)
        return Slot(
            ordinal: ordinal,
            store: store,
            environment: environment,
            product: product,
            marks: marks,
            from: try reader.moment(),
            paidUntil: try reader.moment(),
            graceUntil: try reader.moment()
        )
    }

    private static func grant(from reader: inout ByteReader) throws(Malformed) -> Grant {
        let id = try reader.integer(UInt64.self)
        let from = try reader.moment()
        let until = try reader.moment()
        let plan = try reader.integer(UInt32.self)
        let storeCode = UInt8(truncatingIfNeeded: try reader.integer(UInt32.self))
        return Grant(id: id, plan: plan, from: from, until: until, storeCode: storeCode)
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
        guard row.count >= balancesOffset, row[0] == version else { return false }
        let slots = Int(short(row, 2))
        let grants = Int(short(row, 4))
        let balances = Int(short(row, 6))
        let lists = balances * balanceBytes + slots * slotBytes + grants * grantBytes
        let count = balancesOffset + lists
        guard row.count >= count + Seal.bytes else { return false }
        let front = UnsafeRawBufferPointer(rebasing: row[..<(count + Seal.bytes)])
        guard Seal.opened(front, key) != nil else { return false }
        answer.flags = AccountFlags(rawValue: row[1] & ~formersMark)
        answer.credits = integer(row, 16)
        var offset = balancesOffset
        for _ in 0..<balances {
            let balance = Balance(
                from: Moment(integer(row, offset)),
                credits: integer(row, offset + 8)
            )
            guard answer.isNext(balance) else { return false }
            answer.balances.append(balance)
            offset += balanceBytes
        }
        for _ in 0..<slots {
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
        for _ in 0..<grants {
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

extension Answer {
    /// Whether this balance may follow those that were read: they are searched by their moments.
    fileprivate func isNext(_ balance: Balance) -> Bool {
        balances.last.map { $0.from < balance.from } ?? true
    }
}
