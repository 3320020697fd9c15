import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing
import Threads

@testable import Ledger

typealias Said = Result<Receipt, LedgerFailure>

let day: Int64 = 86_400_000

/// One plan that renders freely, for the products `pro.monthly` and `pro.yearly`.
func tariff(plan name: String = "pro") -> Policy.Source {
    var plan = Policy.Plan(name: name)
    plan.products = ["pro.monthly", "pro.yearly"]
    plan.unlimited = ["render"]
    var source = Policy.Source()
    source.plans = [plan]
    source.freeCredits = 3
    return source
}

func options(
    _ directory: String,
    mapBytes: Int = 64 << 20,
    clock: LedgerClock = .system,
    checkpoints: CheckpointLimits = CheckpointLimits(),
    segmentBytesMax: Int? = nil,
    milestones: MilestonePace = MilestonePace(),
    allowsClockBehind: Bool = false
) -> Ledger.Options {
    var options = Ledger.Options(directory: directory, clock: clock)
    options.allowsClockBehind = allowsClockBehind
    options.mapSizeBytes = mapBytes
    options.checkpoints = checkpoints
    options.segmentBytesMax = segmentBytesMax ?? options.segmentBytesMax
    options.milestones = milestones
    return options
}

func open(
    _ directory: String,
    mapBytes: Int = 64 << 20,
    clock: LedgerClock = .system,
    source: Policy.Source = tariff(),
    notices: Notebook<LedgerNotice> = Notebook(),
    checkpoints: CheckpointLimits = CheckpointLimits(),
    segmentBytesMax: Int? = nil,
    milestones: MilestonePace = MilestonePace(),
    allowsClockBehind: Bool = false
) throws -> Ledger {
    try Ledger.open(
        options(
            directory,
            mapBytes: mapBytes,
            clock: clock,
            checkpoints: checkpoints,
            segmentBytesMax: segmentBytesMax,
            milestones: milestones,
            allowsClockBehind: allowsClockBehind
        ),
        source: source,
        onNotice: { notices.note($0) },
        onFailure: { Issue.record("the writer gave up: \($0)") }
    )
}

/// The base of the ledger in `directory`.
func baseIn(_ directory: String) throws -> Base {
    try Base(
        directory: directory,
        mapSizeBytes: 64 << 20,
        journal: SegmentLocation(directory + "/journal")
    )
}

/// What is stored in `directory`, opened to be read.
func storedViews(_ directory: String) throws -> Views {
    try Views(
        reading: try Environment.open(
            directory: directory,
            options: .init(mapSizeBytes: 64 << 20, isReadOnly: true)
        )
    )
}

/// The journal of the ledger in `directory`, opened to be written.
func openJournal(_ directory: String) throws -> any Journal {
    let environment = try Environment.open(
        directory: directory,
        options: .init(mapSizeBytes: 64 << 20, isReadOnly: true)
    )
    defer { environment.close() }
    let views = try Views(reading: environment)
    let group = try environment.read { try views.appliedState($0).group }
    return try SegmentLocation(directory + "/journal").open(appliedGroup: group).journal
}

/// A ledger of 800 accounts with a base, several segments, and branches in the trees of base and
/// views.
func prunedLedger(_ scratch: Scratch, segmentBytesMax: Int) throws -> Ledger {
    let hands = HandClock()
    let ledger = try open(scratch.store, clock: hands.clock, segmentBytesMax: segmentBytesMax)
    for round in 0..<8 {
        try ledger.orderTogether((round * 100..<round * 100 + 100).map { try registration($0) })
        hands.advance(day)
    }
    try ledger.checkpointer.settle()
    let report = try ledger.prune(olderThan: Moment(hands.wall - 3 * day), reserveBytes: 0)
    guard case .pruned = report else {
        Issue.record("not pruned: \(report)")
        return ledger
    }
    return ledger
}

/// Replays and compares; answers the report for more questions.
@discardableResult
func expectClean(
    _ directory: String,
    mapBytes: Int = 64 << 20,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> VerificationReport {
    let report = try Ledger.verify(options(directory, mapBytes: mapBytes))
    #expect(report.differences == [], sourceLocation: sourceLocation)
    #expect(report.differencesCount == 0, sourceLocation: sourceLocation)
    #expect(report.applied == report.lastSeq, sourceLocation: sourceLocation)
    return report
}

/// Answers the failure that `body` throws.
func failure(_ body: () throws -> Void) -> LedgerFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? LedgerFailure
    }
}

func isDamage(_ failure: LedgerFailure?) -> Bool {
    if case .damaged = failure { return true }
    return false
}

extension Ledger {
    /// Submits `kind` and waits for the answer.
    @discardableResult
    func order(_ kind: Command.Kind) throws -> Receipt { try say(kind).get() }

    func say(_ kind: Command.Kind) throws -> Said {
        let answers = BlockingQueue<Said>(countMax: 1)
        submit(kind) { _ = answers.offer($0) }
        return try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s")
    }

    /// Has a person forgotten, and waits until no file names them, or until that failed.
    func erase(_ name: String) throws -> Said {
        let answers = BlockingQueue<Said>(countMax: 1)
        erase(ErasureOrder(user: try user(name), secret: HashKey(3, 4))) { _ = answers.offer($0) }
        return try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s")
    }

    func putInForce(_ source: Policy.Source, _ stamp: CatalogStamp) throws -> Said {
        let answers = BlockingQueue<Said>(countMax: 1)
        install(source, stamp) { _ = answers.offer($0) }
        return try #require(answers.take(1, waiting: 30_000)?.first, "no answer in 30 s")
    }

    /// Submits all of `kinds` while the writer is held, so that they are decided in as few groups
    /// as can be; answers them in order.
    @discardableResult
    func orderTogether(_ kinds: [Command.Kind]) throws -> [Said] {
        let answers = BlockingQueue<Said>(countMax: kinds.count)
        let gate = try Gate(self)
        for kind in kinds { submit(kind) { _ = answers.offer($0) } }
        gate.open()
        var said: [Said] = []
        while said.count < kinds.count {
            let more = try #require(answers.take(kinds.count, waiting: 30_000))
            try #require(!more.isEmpty, "no answer in 30 s")
            said += more
        }
        return said
    }

    /// Looks at the newest view.
    func look<Found>(_ body: (LedgerReader) throws -> Found) throws -> Found {
        let reader = try LedgerReader(self)
        try reader.wake()
        defer { reader.rest() }
        return try body(reader)
    }

    func account(_ user: UserID) throws -> Account? { try look { try $0.account(of: user) } }

    /// Every step of the history of `user`, oldest first, and their past behind the last.
    func history(of user: UserID) throws -> (past: Past, steps: [HistoryStep]) {
        try look { try $0.history(of: user) }
    }
}

/// Holds the writer of a ledger, inside an answer, until it is opened.
final class Gate: Sendable {
    private let opened = BlockingQueue<Bool>(countMax: 1)

    init(_ ledger: Ledger) throws {
        let reached = BlockingQueue<Bool>(countMax: 1)
        let opened = opened
        let nobody = GrantRevocation(user: try user("nobody"), grant: 0, reason: "")
        ledger.submit(.revokeGrant(nobody)) { _ in
            _ = reached.offer(true)
            _ = opened.take(1, waiting: 60_000)
        }
        try #require(reached.take(1, waiting: 30_000) == [true], "the writer is not there")
    }

    func open() { _ = opened.offer(true) }
}

func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

func token(_ number: Int) throws -> Token {
    try #require(Token(high: 0xABCD_0000_0000_8000, low: UInt64(number) + 1))
}

func digest(_ number: Int) -> Digest256 {
    Digest256(UInt64(number), 2, 3, ~UInt64(number))
}

/// Credits for somebody, under the key of this number.
func gift(
    _ amount: Int64,
    to name: String,
    key number: Int,
    reason: String = ""
) throws -> Command.Kind {
    let user = try user(name)
    return .credit(
        CreditOrder(
            user: user,
            amount: amount,
            key: IdempotencyKey(user: user, digest: digest(number)),
            fingerprint: digest(number),
            until: nil,
            source: "gift",
            reason: reason,
            isAdjustment: false
        )
    )
}

func registration(_ number: Int) throws -> Command.Kind {
    .register(Registration(user: try user("user \(number)"), token: try token(number)))
}

/// The same with the app transaction of this number.
func registration(_ number: Int, showing shown: UInt64) throws -> Command.Kind {
    let mark = AppTransactionMark(Digest128(7, shown))
    let registration = Registration(
        user: try user("user \(number)"),
        token: try token(number),
        showing: AppTransaction(environment: .production, mark: mark)
    )
    return .register(registration)
}

func key(_ number: Int) -> SubscriptionKey {
    SubscriptionKey(store: .appStore, environment: .production, originalID: "\(2_000 + number)")
}

/// The purchase of a month that began at `from`.
func purchase(_ number: Int, from: Int64, signed: Int64? = nil, token: Token?) -> Fact {
    let version = Version(signed: Moment(signed ?? from), digest: digest(number))
    var transaction = TransactionFact(
        id: "\(9_000 + number)",
        version: version,
        productID: "pro.monthly",
        purchased: Moment(from)
    )
    transaction.expires = Moment(from + 30 * day)
    transaction.kind = "Auto-Renewable Subscription"
    transaction.token = token
    return Fact(key: key(number), transaction: transaction)
}

func notification(_ number: Int, signed: Int64, _ facts: [Fact]) -> Command.Kind {
    .record(
        Notification(
            id: NotificationID(signed: Moment(signed), digest: digest(number)),
            type: "SUBSCRIBED",
            subtype: "",
            document: digest(number + 1),
            facts: facts
        )
    )
}

func grant(
    _ name: String,
    key number: Int,
    fingerprint: Int = 1,
    plan: String = "pro",
    until: Int64? = nil
) throws -> Command.Kind {
    let user = try user(name)
    return .grant(
        GrantOrder(
            user: user,
            plan: plan,
            key: IdempotencyKey(user: user, digest: digest(number)),
            fingerprint: digest(fingerprint),
            from: nil,
            until: until.map { Moment($0) },
            store: .stripe,
            reason: "a gift"
        )
    )
}

/// The id of a reservation, as a door draws it.
func drawnID() -> UInt64 { Reservation.id(of: .random(in: .min ... .max)) }

func stamp(_ number: Int) -> CatalogStamp {
    CatalogStamp(version: 0, digest: digest(number), text: "{\"plans\":\(number)}")
}

/// A little of everything: registrations, purchases claimed before and after, grants, revocations.
func mixture(_ count: Int, from first: Int = 0) throws -> [Command.Kind] {
    var kinds: [Command.Kind] = []
    let now: Int64 = 1_750_000_000_000
    for number in first..<first + count {
        switch number % 6 {
        case 0: kinds.append(try registration(number))
        case 1:
            let fact = purchase(number, from: now, token: try token(number - 1))
            kinds.append(notification(number, signed: now, [fact]))
        case 2:
            // Its token is claimed by the next one.
            let fact = purchase(number, from: now, token: try token(number + 1))
            kinds.append(notification(number, signed: now, [fact]))
        case 3: kinds.append(try registration(number))
        case 4: kinds.append(try grant("user \(number - 1)", key: number))
        default:
            let fact = purchase(number, from: now, token: try token(number + 50_000))
            let buyer = try user("user \(number - 2)")
            let claimed = [try token(number + 50_000)]
            kinds.append(.link(Purchase(user: buyer, facts: [fact], claimed: claimed)))
        }
    }
    return kinds
}

extension LedgerReader {
    /// The flat answer of `user`, as a request would read it.
    func answer(of user: UserID) throws -> Answer? {
        var answer = Answer()
        let isThere = try user.bytes.withUnsafeBytes { try read($0, into: &answer) }
        return isThere ? answer : nil
    }
}

extension LedgerReader {
    /// Every step of the history of `user`, oldest first, and their past behind the last.
    func history(of user: UserID) throws -> (past: Past, steps: [HistoryStep]) {
        var past = try past(of: user)
        var steps: [HistoryStep] = []
        while let step = try past.next() {
            steps.append(step)
            try past.takeStep()
        }
        return (past, steps)
    }
}

extension JournalEntry {
    /// The same entry with another body.
    func with(_ body: [UInt8]) -> JournalEntry {
        JournalEntry(
            seq: seq,
            moment: moment,
            kind: kind,
            version: version,
            links: links,
            body: body
        )
    }
}
