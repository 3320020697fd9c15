import Chance
import Entitlements
import Journal
import TestSupport
import Testing

@testable import Ledger

/// What time alone changes is noted when it happens, whatever catalog came meanwhile.
struct AlarmTests {
    private static let minute: Int64 = 60_000
    /// More than are looked at in one piece.
    private static let users = LedgerLimits.alarmsMax + 100

    private let hands = HandClock()
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A step of a story: time passes, then these are decided.
    private typealias Step = (minutes: Int64, kinds: [WriteOrder.Kind])

    /// Writes `steps` under `source`, with somebody asking every step.
    ///
    /// - Parameters:
    ///   - steps: what is decided, and when.
    ///   - source: the catalog at the start.
    ///   - jumps: by how many milliseconds somebody sets the clock before which step.
    ///   - flushes: how many minutes the first flush of which step takes.
    /// - Throws: where the store cannot be opened.
    private func play(
        _ steps: [Step],
        under source: Policy.Source = tariff(),
        jumps: [Int: Int64] = [:],
        flushes: [Int: Int64] = [:]
    ) throws {
        let known = [20, 60].map { (stamp($0).digest, catalog(late: Int64($0))) }
        let bench = try WriterBench(
            scratch.store,
            clock: hands.clock,
            source: source,
            catalog: { stamp in known.first { $0.0 == stamp.digest }?.1 },
            // A tick of so many fills more than a small segment.
            limits: JournalLimits(stepBytesMax: 64 << 10)
        )
        let rest = Notebook<Void>()
        let (hands, nudge) = (hands, try Self.nudge())
        let slow = Notebook<Int>()
        bench.journal.onStep = { step in
            let number = rest.notes.count - 1
            guard step == .written, let minutes = flushes[number], !slow.notes.contains(number)
            else { return }
            slow.note(number)
            hands.advance(minutes * Self.minute)
        }
        let gaveUp = bench.run { _ in
            guard rest.notes.count < steps.count else { return nil }
            let step = steps[rest.notes.count]
            hands.jump(jumps[rest.notes.count] ?? 0)
            rest.note(())
            hands.advance(step.minutes * Self.minute)
            return step.kinds.isEmpty ? [nudge] : step.kinds
        }
        #expect(gaveUp == nil)
    }

    /// Changes nothing.
    private static func nudge() throws -> WriteOrder.Kind {
        .command(.revokeGrant(.init(user: try user("nobody"), grant: 0, reason: "")))
    }

    /// Everybody buys a month, and hears nothing for ten minutes after it.
    private func silence(users count: Int = users) throws -> [Step] {
        let now = hands.wall
        var steps: [Step] = []
        for first in stride(from: 0, to: count, by: 100) {
            let kinds = try (first..<first + 100)
                .flatMap { number in
                    let fact = purchase(number, from: now, token: try token(number))
                    return [try registration(number), notification(number, signed: now, [fact])]
                }
            steps.append((0, kinds.map { .command($0) }))
        }
        // One after the other, so that all alarms have fired.
        return steps + [(30 * 24 * 60 + 10, []), (0, []), (0, [])]
    }

    private func catalog(late minutes: Int64) -> Policy.Source {
        var source = tariff()
        source.lateRenewalMilliseconds = minutes * Self.minute
        return source
    }

    private func installing(late minutes: Int64) -> WriteOrder.Kind {
        .install(catalog(late: minutes), stamp(Int(minutes)))
    }

    /// How many users were told of each moment, in minutes after the end of the month.
    private func told(since start: Int64) throws -> [Int64: Int] {
        try order(since: start).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The moments that were told of, in their order.
    private func order(since start: Int64) throws -> [Int64] {
        var found: [Int64] = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                guard case .passed(let tick) = event else { continue }
                for passing in tick.passings {
                    let late = passing.due.milliseconds - start - 30 * day
                    found.append(late / Self.minute)
                }
            }
        }
        return found
    }

    @Test func `moments that pass together are each told of once, in their order`() throws {
        let start = hands.wall
        func credits(until minutes: Int64, of name: String = "ann") throws -> Step {
            let user = try user(name)
            let order = CreditOrder(
                user: user,
                amount: 10,
                key: IdempotencyKey(user: user, digest: digest(Int(minutes))),
                fingerprint: digest(1),
                until: Moment(start + 30 * day + minutes * Self.minute),
                source: "\(minutes)",
                reason: "",
                isAdjustment: false
            )
            return (0, [.command(.credit(order))])
        }
        // Alarms are set for the first and the last; the second is between them.
        try play([credits(until: 30), credits(until: 10), credits(until: 20)])
        // Another's lies between those.
        try play([credits(until: 25, of: "bob")])
        try play([(31 * 24 * 60, []), (0, []), (0, [])])
        #expect(try order(since: start) == [10, 20, 25, 30])
        try expectClean(scratch.store)
    }

    @Test func `a catalog that forgives lateness is heard of when that ends`() throws {
        let start = hands.wall
        // One piece behind each, and one more.
        let pieces = Self.users / LedgerLimits.rearmedAccountsMax + 2
        let quiet: [Step] = Array(repeating: (0, []), count: pieces) + [(49, []), (0, [])]
        try play(try silence() + [(0, [installing(late: 60)])] + quiet)
        #expect(try told(since: start) == [0: Self.users])
        try play([(2, []), (0, []), (0, [])], under: catalog(late: 60))
        #expect(try told(since: start) == [0: Self.users, 60: Self.users])
        try expectClean(scratch.store)
    }

    @Test func `a catalog that forgives less is heard of at the earlier moment, and once`() throws {
        let start = hands.wall
        let first: [Step] = [(0, [installing(late: 60)])]
        let then: [Step] = [(0, [installing(late: 20)]), (0, []), (0, []), (11, []), (0, [])]
        try play(first + (try silence(users: 100)) + then)
        #expect(try told(since: start) == [0: 100, 20: 100])
        try play([(60, []), (0, [])], under: catalog(late: 20))
        #expect(try told(since: start) == [0: 100, 20: 100])
        try expectClean(scratch.store)
    }

    @Test func `a clock that is set back by seconds has nothing told twice`() throws {
        let start = hands.wall
        // The month has just ended; the clock says once more that it has not.
        var story = try silence(users: 100)
        story[story.count - 3].minutes = 30 * 24 * 60
        let back = story.count
        story += [(0, [installing(late: 60)]), (0, [.command(try registration(0))]), (0, [])]
        try play(story + [(5, []), (0, []), (60, []), (0, [])], jumps: [back: -30_000])
        #expect(try told(since: start) == [0: 100, 60: 100])
        try expectClean(scratch.store)
    }

    @Test func `what ends during a slow flush is told of once, also where a catalog follows`()
        throws
    {
        let start = hands.wall
        var story = try silence(users: 100)
        // The hundred-first month ends a minute after the others', while their ends are written.
        let bought = purchase(100, from: start + Self.minute, token: try token(100))
        let late = [try registration(100), notification(100, signed: start, [bought])]
        let ending = story.count - 3
        story.insert((0, late.map { .command($0) }), at: ending)
        story[ending + 1] = (30 * 24 * 60, [installing(late: 60)])
        story += [(30, []), (0, []), (60, []), (0, [])]
        try play(story, flushes: [ending + 1: 2])
        #expect(try told(since: start) == [0: 100, 1: 1, 60: 100, 61: 1])
        try expectClean(scratch.store)
    }

    @Test func `a start goes on where the process ended behind a new catalog`() throws {
        let start = hands.wall
        // The writer ends with the answer, before it has looked at anybody.
        try play(try silence(users: 100) + [(0, [installing(late: 60)])])
        try play([(0, [installing(late: 60)]), (0, []), (51, []), (0, [])])
        #expect(try told(since: start) == [0: 100, 60: 100])
        try expectClean(scratch.store)
    }

    @Test(arguments: [51, 3 * 24 * 60])
    func `a start tells what came since the process ended behind a new catalog`(
        minutes: Int64
    ) throws {
        let start = hands.wall
        try play(try silence(users: 100) + [(0, [installing(late: 60)])])
        hands.advance(minutes * Self.minute)
        try play([(0, [installing(late: 60)]), (0, []), (0, [])])
        #expect(try told(since: start) == [0: 100, 60: 100])
        try expectClean(scratch.store)
    }

    @Test func `a start sets no alarms anew where the process before had set them all`() throws {
        func isWaiting() throws -> Bool {
            let bench = try WriterBench(
                scratch.store,
                clock: hands.clock,
                source: catalog(late: 60),
                catalog: { [source = catalog(late: 60)] _ in source }
            )
            return !bench.writer.rearming.isDone
        }
        try play(try silence(users: 100) + [(0, [installing(late: 60)])])
        #expect(try isWaiting())
        let another = WriteOrder.Kind.command(try registration(500))
        try play([(0, [installing(late: 60)]), (0, []), (0, []), (0, [another])])
        #expect(try !isWaiting())
        try expectClean(scratch.store)
    }

    @Test func `what ended before a start with another catalog is told under the one before`()
        throws
    {
        let start = hands.wall
        try play([(0, [installing(late: 20)])] + (try silence()))
        hands.advance(15 * Self.minute)
        try play([(0, [installing(late: 60)]), (0, [])], under: catalog(late: 60))
        #expect(try told(since: start) == [0: Self.users, 20: Self.users])
        let pieces = Self.users / LedgerLimits.rearmedAccountsMax + 2
        let quiet: [Step] = Array(repeating: (0, []), count: pieces + 2)
        try play([(60, [])] + quiet, under: catalog(late: 60))
        #expect(try told(since: start) == [0: Self.users, 20: Self.users, 60: Self.users])
        try expectClean(scratch.store)
    }

    @Test(arguments: [true, false])
    func `a catalog that names days is heard of when they are over`(isRunning: Bool) throws {
        let start = hands.wall
        var before = tariff()
        before.plans?[0].products.append("pass")
        var then = before
        then.plans?[0].days = ["pass": 30]
        var bought = purchase(0, from: start, token: try token(0))
        bought.transaction?.productID = "pass"
        bought.transaction?.kind = "Non-Renewing Subscription"
        bought.transaction?.expires = nil
        let kinds = [try registration(0), notification(0, signed: start, [bought])]
        let installing = WriteOrder.Kind.install(then, stamp(30))
        let quiet: [Step] = isRunning ? [(0, []), (31 * 24 * 60, []), (0, [])] : []
        try play([(0, kinds.map { .command($0) }), (0, [installing])] + quiet, under: before)
        // Also where the process ended before it has looked at anybody.
        if !isRunning { hands.advance(31 * day) }
        try play([(0, [installing]), (0, []), (0, [])], under: then)
        #expect(try told(since: start) == [0: 1])
        try expectClean(scratch.store)
    }

    /// Who was registered and who was told of, in the order of the journal.
    private func story() throws -> [String] {
        var found: [String] = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                if case .registered(let user, _) = event { found.append("+\(user)") }
                if case .passed(let tick) = event { found += tick.passings.map { "\($0.user)" } }
            }
        }
        return found
    }

    @Test func `an end is told of while others wait for their alarms behind a new catalog`() throws
    {
        // Whose key is the last; the month ends five minutes after everybody has been told.
        let late = try user("zoe")
        let bought = purchase(9_999, from: hands.wall + 15 * Self.minute, token: try token(9_999))
        let before: [Step] = [
            (0, [.command(.register(Registration(user: late, token: try token(9_999))))]),
            (0, [.command(notification(9_999, signed: hands.wall, [bought]))]),
        ]
        let pages = Self.users / LedgerLimits.rearmedAccountsMax
        try #require(pages > 3)
        let marks: [Step] = try (0..<pages)
            .map { (0, [.command(try registration(20_000 + $0))]) }
        var steps = before + (try silence()) + [(0, [installing(late: 60)]), (6, [])]
        steps += marks + [(0, []), (0, []), (60, []), (0, [])]
        try play(steps)
        let story = try story()
        let told = try #require(story.firstIndex(of: "zoe"))
        let mark = try #require(story.firstIndex(of: "+user 20000"))
        #expect(told < mark, "the first accounts behind the catalog have had their turn, no more")
        // Everybody's end, and that of the lateness that the catalog forgives.
        for name in ["zoe", "user 0", "user \(Self.users - 1)"] {
            #expect(story.filter { $0 == name }.count == 2, "\(name)")
        }
        try expectClean(scratch.store)
    }

    /// Whose turn behind a new catalog is the last.
    private static let last = "zoe"

    /// Everybody's month ends; then a catalog forgives twelve minutes, and while accounts wait for
    /// their alarms, `minutes` behind it, zoe gets access that ends twenty minutes behind the
    /// month.
    private func granting(after minutes: Int64) throws -> [Step] {
        let bought = purchase(9_999, from: hands.wall, token: try token(9_999))
        let before: [Step] = [
            (
                0,
                [
                    .command(
                        .register(Registration(user: try user(Self.last), token: try token(9_999)))
                    )
                ]
            ),
            (0, [.command(notification(9_999, signed: hands.wall, [bought]))]),
        ]
        let ends = hands.wall + 30 * day + 20 * Self.minute
        let gift = try grant(Self.last, key: 1, until: ends)
        let silence = try silence()
        return before + silence + [
            (0, [installing(late: 12)]), (minutes, [.command(gift)]),
        ]
            + [(3, []), (0, []), (60, []), (0, [])]
    }

    /// The entries about a user behind the catalog, in the order of the journal: of ends the
    /// minute.
    private func lastStory(of name: String = last, since start: Int64) throws -> [String] {
        var found: [String] = []
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                switch event {
                case .catalogInstalled: found = []
                case .granted: found.append("granted")
                case .passed(let tick):
                    for passing in tick.passings where "\(passing.user)" == name {
                        let late = passing.due.milliseconds - start - 30 * day
                        found.append("\(late / Self.minute)")
                    }
                default: break
                }
            }
        }
        return found
    }

    @Test func `what a command gave to who waits for their alarm is not told by the clock`() throws
    {
        let start = hands.wall
        try play(try granting(after: 1))
        let story = try lastStory(since: start)
        #expect(story == ["granted", "20"])
        try expectClean(scratch.store)
    }

    @Test func `a moment of who waits for their alarm is told before what a command changes`()
        throws
    {
        let start = hands.wall
        try play(try granting(after: 5))
        let story = try lastStory(since: start)
        #expect(story == ["12", "granted", "20"])
        try expectClean(scratch.store)
    }

    @Test func `an end that is due is told before a command, and before a catalog between them`()
        throws
    {
        let start = hands.wall
        var story = try silence()
        // More are due than one round tells, and hers is the last.
        let gift = try grant("user 999", key: 1, until: start + 31 * day)
        story[story.count - 3].kinds = [installing(late: 60), .command(gift)]
        try play(story + [(0, []), (60, []), (0, [])])
        #expect(try lastStory(of: "user 999", since: start).first == "granted")
        #expect(try told(since: start)[0] == Self.users)
        try expectClean(scratch.store)
    }

    @Test func `more ends than one round tells are told before another catalog`() throws {
        let (start, users) = (hands.wall, LedgerLimits.alarmsMax * 3 / 2)
        var story: [Step] = []
        for first in stride(from: 0, to: users, by: 100) {
            let kinds = try (first..<first + 100)
                .map { try grant("user \($0)", key: 1, until: start + 10 * Self.minute) }
            story.append((0, kinds.map { .command($0) }))
        }
        var without = tariff()
        without.plans = []
        story.append((11, [.install(without, stamp(7))]))
        try play(story + [(0, []), (0, [])])
        #expect(try order(since: start).count == users)
        try expectClean(scratch.store)
    }

    @Test(arguments: 0..<4)
    func `whatever catalogs come, each end is told of once`(round: Int) throws {
        var random = SplitMix64(seed: Seed.told(round: round))
        let start = hands.wall
        let count = 2 * LedgerLimits.rearmedAccountsMax + 100
        // Ends at different minutes, so that some come while others wait.
        let ends = (0..<count).map { _ in Int64(1 + random.pick(120)) }
        var steps: [Step] = []
        for first in stride(from: 0, to: count, by: 100) {
            let kinds = try (first..<first + 100)
                .flatMap { number in
                    let from = start + ends[number] * Self.minute
                    let fact = purchase(number, from: from, signed: start, token: try token(number))
                    return [try registration(number), notification(number, signed: start, [fact])]
                }
            steps.append((0, kinds.map { .command($0) }))
        }
        steps.append((30 * 24 * 60, []))
        var passed: Int64 = 0
        while passed < 120 {
            let minutes = Int64(random.pick(6))
            passed += minutes
            let catalog = random.isOne(in: 3)
            steps.append((minutes, catalog ? [installing(late: Int64(1 + random.pick(40)))] : []))
        }
        // The last one has all its accounts looked at before anything more is due.
        steps.append((0, [installing(late: 200)]))
        steps += Array(repeating: (0, []), count: 4 * (count / LedgerLimits.rearmedAccountsMax + 1))
        steps += [(400, []), (0, []), (0, [])]
        try play(steps)
        var told: [UserID: [Int64]] = [:]
        _ = try Segments.readEach(directory: scratch.store + "/journal", afterSeq: 0) { entry, _ in
            for event in try EntryBody.events(of: entry) {
                guard case .passed(let tick) = event else { continue }
                for passing in tick.passings {
                    let late = passing.due.milliseconds - start - 30 * day
                    told[passing.user, default: []].append(late / Self.minute)
                }
            }
        }
        for (number, end) in ends.enumerated() {
            let moments = told[try user("user \(number)")] ?? []
            // In their order, so none twice.
            #expect(
                zip(moments, moments.dropFirst()).allSatisfy { $0 < $1 },
                "user \(number): \(moments)"
            )
            // The end of what was paid, under any catalog, and that of the lateness forgiven by the
            // one that stays.
            #expect(moments.first == end, "user \(number): \(moments), \(end)")
            #expect(moments.last == end + 200, "user \(number): \(moments), \(end)")
        }
        try expectClean(scratch.store)
    }
}
