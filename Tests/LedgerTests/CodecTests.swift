import Chance
import Entitlements
import Journal
import Testing

@testable import Ledger

struct CodecTests {
    private static let rounds = 300

    @Test func `every event reads back as it was written, under every command`() throws {
        var maker = RecordMaker(random: .told())
        for _ in 0..<Self.rounds {
            for kind in maker.commands() {
                let events = maker.events()
                // Judged at its own moment, or before it: a clock may have been ahead.
                for now in [Moment(1), Moment(-5)] {
                    let author = maker.maybe { $0.author() }
                    let command = Command(seq: 1, at: Moment(1), now: now, kind: kind, by: author)
                    let entry = JournalEntry(EntryBody(command, events))
                    let read = try EntryBody.content(of: entry)
                    #expect(read.events == events)
                    #expect(read.now == now)
                    #expect(read.author == author)
                }
            }
        }
    }

    @Test func `a journal entry cut anywhere is malformed, and so is a longer one`() throws {
        var maker = RecordMaker(random: .told())
        for kind in maker.commands() {
            for now in [Moment(1), Moment(0)] {
                let command = Command(seq: 1, at: Moment(1), now: now, kind: kind)
                let body = EntryBody(command, maker.events())
                func read(
                    _ bytes: [UInt8],
                    kind: UInt8? = nil,
                    version: UInt8? = nil
                ) throws {
                    _ = try EntryBody.events(
                        of: JournalEntry(body, kind: kind, version: version, bytes)
                    )
                }
                try read(body.bytes)
                for count in 0..<body.bytes.count {
                    #expect(throws: Malformed.self) { try read(Array(body.bytes[..<count])) }
                }
                #expect(throws: Malformed.self) { try read(body.bytes + [0]) }
                for version in [UInt8(0), 9, 255] {
                    #expect(throws: Malformed.self) { try read(body.bytes, version: version) }
                }
                for code in [UInt8(0), 15, 255] {
                    #expect(throws: Malformed.self) { try read(body.bytes, kind: code) }
                }
            }
        }
    }

    @Test func `records that an entry keeps read back, and one cut anywhere is malformed`() throws {
        var maker = RecordMaker(random: .told())
        for round in 0..<40 {
            let (account, subscription) = (maker.account(), maker.subscription())
            func place(_ key: SubscriptionKey) -> UInt64 { UInt64(key.description.utf8.count) }
            let kept = [Milestone(account, place), Milestone(subscription)]
            let now = Moment(Int64(round % 2))
            let kind = maker.commands()[0]
            let command = Command(seq: 1, at: Moment(1), now: now, kind: kind)
            let body = EntryBody(command, maker.events(), keeping: kept)
            let read = try EntryBody.content(of: JournalEntry(body)).milestones.map(\.kind)
            var expected = account
            if case .account(let inOrder, _) = LoadedRow.account(account, names: []).inOrder {
                expected = inOrder
            }
            expected.firstAnswers = []
            var other = subscription
            if case .subscription(let inOrder) = LoadedRow.subscription(subscription).inOrder {
                other = inOrder
            }
            #expect(
                read == [
                    .account(expected, expected.subscriptions.map(place)), .subscription(other),
                ]
            )
            for count in 0..<body.bytes.count {
                let cut = Array(body.bytes[..<count])
                #expect(throws: Malformed.self) {
                    try EntryBody.content(of: JournalEntry(body, cut))
                }
            }
        }
    }

    @Test func `balances that are not in the order of their moments are refused`() throws {
        var account = Account(user: try #require(UserID("alice")), opened: Moment(1))
        var answer = Answer()
        for (moments, isRead) in [
            ([1, 2, 3] as [Int64], true), ([1, 3, 2], false), ([1, 1, 2], false),
        ] {
            account.answer.balances = moments.map { Balance(from: Moment($0), credits: 1) }
            let bytes = accountBytes(account)
            #expect(readFront(of: account, bytes, into: &answer) == isRead)
            #expect(((try? AccountRow.record(of: account.user, bytes)) == account) == isRead)
        }
    }

    @Test func `every account reads back, whole and as its answer alone`() throws {
        var maker = RecordMaker(random: .told())
        var answer = Answer()
        for _ in 0..<Self.rounds {
            let account = maker.account()
            let bytes = accountBytes(account)
            #expect(try AccountRow.record(of: account.user, bytes) == account)
            #expect(readFront(of: account, bytes, into: &answer))
            #expect(answer == account.answer)
        }
    }

    @Test func `a purse with periods, and a period, are read as they were written`() throws {
        var maker = RecordMaker(random: SplitMix64(seed: 45))
        for _ in 0..<200 {
            var account = maker.account()
            account.purse = maker.purse()
            let bytes = ByteWriter.bytes { AccountRow.write(account, to: &$0) }
            #expect(try AccountRow.record(of: account.user, bytes) == account)
            let pack = maker.period()
            let row = ByteWriter.bytes { $0.packRecord(pack) }
            var reader = ByteReader(row)
            #expect(try reader.packRecord() == pack)
        }
    }

    @Test func `an account cut anywhere is malformed`() throws {
        var maker = RecordMaker(random: .told())
        var answer = Answer()
        for _ in 0..<40 {
            let account = maker.account()
            let bytes = accountBytes(account)
            let front = frontBytes(of: account)
            for count in 0..<bytes.count {
                let cut = Array(bytes[..<count])
                #expect(throws: Malformed.self) { try AccountRow.record(of: account.user, cut) }
                let isRead = readFront(of: account, cut, into: &answer)
                #expect(isRead == (count >= front))
            }
            #expect(throws: Malformed.self) {
                try AccountRow.record(of: account.user, bytes + [0])
            }
        }
    }

    @Test func `every subscription reads back, and one cut anywhere is malformed`() throws {
        var maker = RecordMaker(random: .told())
        for round in 0..<Self.rounds {
            let subscription = maker.subscription()
            let key = subscription.key
            let bytes = subscriptionBytes(subscription)
            #expect(try SubscriptionRow.record(of: key, bytes) == subscription)
            guard round < 30 else { continue }
            for count in 0..<bytes.count {
                #expect(throws: Malformed.self) {
                    try SubscriptionRow.record(of: key, Array(bytes[..<count]))
                }
            }
            #expect(throws: Malformed.self) {
                try SubscriptionRow.record(of: key, bytes + [0])
            }
        }
    }

    @Test func `changed bytes are malformed or another record, never a trap`() throws {
        var maker = RecordMaker(random: .told())
        var answer = Answer()
        var (readable, malformed, fronts) = (0, 0, 0)
        for _ in 0..<5_000 {
            let account = maker.account()
            var bytes = accountBytes(account)
            for _ in 0...maker.random.pick(0..<3) {
                bytes[maker.random.pick(0..<bytes.count)] = UInt8(maker.random.pick(0..<256))
            }
            let front = readFront(of: account, bytes, into: &answer)
            // Its checksum would have to be right by chance.
            #expect(!front || answer == account.answer)
            if front { fronts += 1 }
            do {
                _ = try AccountRow.record(of: account.user, bytes)
                readable += 1
            } catch {
                malformed += 1
            }
            let subscription = maker.subscription()
            bytes = subscriptionBytes(subscription)
            bytes[maker.random.pick(0..<bytes.count)] = UInt8(maker.random.pick(0..<256))
            _ = try? SubscriptionRow.record(of: subscription.key, bytes)
            let kind = maker.commands()[maker.random.pick(0..<6)]
            let body = EntryBody(Command(seq: 1, at: Moment(1), kind: kind), maker.events())
            bytes = body.bytes
            bytes[maker.random.pick(0..<bytes.count)] = UInt8(maker.random.pick(0..<256))
            _ = try? EntryBody.events(of: JournalEntry(body, bytes))
        }
        #expect(readable > 100)
        #expect(malformed > 100)
        #expect(fronts > 100)
    }

    @Test func `every other row reads back as it was written, and none may be longer or shorter`()
        throws
    {
        var maker = RecordMaker(random: .told())
        for _ in 0..<Self.rounds {
            let (token, user) = (maker.token(), maker.user())
            let unclaimed = Unclaimed(token: maker.token(), key: maker.key())
            let (id, seq) = (maker.notificationID(), maker.random.next())
            let (key, first) = (maker.idempotencyKey(), maker.settlement())
            let catalog = maker.catalogStamp()
            let passing = Tick.Passing(user: user, due: maker.moment())
            let reservation = Reservation(user: user, until: maker.moment(), isLease: true)
            let packKey = PackKey(store: .appStore, environment: .sandbox, transactionID: "7")
            let pack = Pack(user: user, source: "pack:coins", amount: 10)
            let mark = NameMark(low: maker.random.next(), high: maker.random.next())
            let shown = AppTransactionMark(Digest128(maker.random.next(), seq))
            let stone = Tombstone(seq: seq, person: mark, wasRegistered: true)
            let sighting = Sighting(seq: seq, at: maker.moment())
            let merger = MergedAccount(
                into: key.user,
                seq: seq,
                chain: seq % 3 == 0 ? nil : Chain(),
                leftFreeCredits: seq % 2 == 0
            )
            let installed = InstalledCatalog(seq: seq, from: passing.due, stamp: catalog)
            try check(TokenRow(key: token, record: user))
            try check(UnclaimedRow(key: unclaimed, record: true))
            try check(NotificationRow(key: id, record: sighting))
            try check(SettlementRow(key: key, record: first))
            try check(ReservationRow(key: seq, record: reservation))
            try check(LeaseRow(key: seq, record: Lease(user: user)))
            let holder = LeaseHolder(host: "host-\(seq % 9)", epoch: seq % 5)
            try check(LeaseRow(key: seq, record: Lease(user: user, holder: holder)))
            try check(PackRow(key: packKey, record: pack))
            try check(AppTransactionRow(key: shown, record: maker.moment()))
            try check(MergeRow(key: user, record: merger))
            try check(AlarmRow(key: passing, record: true))
            try check(TickRow(key: passing.due, record: seq))
            try check(TombstoneRow(key: mark, record: stone))
            let due = passing.due
            for (now, told) in [(due, nil), (Moment(7), nil), (due, Moment(-7))] {
                try check(
                    MetaRow(.applied(seq: seq, group: seq &+ 1, at: due, now: now, told: told))
                )
            }
            let version = UInt32(truncatingIfNeeded: seq) | 1
            try check(
                MetaRow(
                    .applied(seq: seq, group: seq, at: due, now: due, told: due, armed: version)
                )
            )
            try check(MetaRow(.numbering(["a", "b"])))
            try check(MetaRow(.catalog(catalog)))
            try check(MetaRow(.installed(installed)))
            try check(MetaRow(.idFloor(seq)))
            try check(MetaRow(.secret(HashKey(seq, 2))))
            try check(MetaRow(.datedProducts(["a", "b"])))
            try check(MetaRow(.rules(UInt32(truncatingIfNeeded: seq))))
        }
    }

    private func check<T: TableRow>(_ row: T) throws {
        let (key, bytes) = (row.keyBytes, row.valueBytes)
        #expect(try T(key: key, value: bytes) == row)
        // The name of a user has no end of its own.
        guard T.table != .tokens else { return }
        #expect(throws: Malformed.self) { try T(key: key, value: bytes + [1]) }
        guard !bytes.isEmpty else { return }
        #expect(throws: Malformed.self) { try T(key: key, value: bytes.dropLast()) }
    }
}

private func accountBytes(_ account: Account) -> [UInt8] {
    AccountRow(key: account.user, record: account).valueBytes
}

private func subscriptionBytes(_ subscription: Subscription) -> [UInt8] {
    SubscriptionRow(key: subscription.key, record: subscription).valueBytes
}

/// The bytes at the beginning of the record that a check reads, their checksum with them.
func frontBytes(of account: Account) -> Int {
    AccountRow.balancesOffset + account.answer.balances.count * AccountRow.balanceBytes
        + account.answer.slots.count * AccountRow.slotBytes
        + account.answer.grants.count * AccountRow.grantBytes + Seal.bytes
}

private func readFront(of account: Account, _ bytes: [UInt8], into answer: inout Answer) -> Bool {
    bytes.withUnsafeBytes { bytes in
        account.user.bytes.withUnsafeBytes { AccountRow.read(bytes, of: $0, into: &answer) }
    }
}

extension JournalEntry {
    /// The entry of `body` at the moment 1, or one that says something else than it was.
    fileprivate init(
        _ body: EntryBody,
        kind: UInt8? = nil,
        version: UInt8? = nil,
        _ bytes: [UInt8]? = nil
    ) {
        self.init(
            seq: 1,
            moment: 1,
            kind: kind ?? body.kind.rawValue,
            version: version ?? body.version,
            links: [],
            body: bytes ?? body.bytes
        )
    }
}
