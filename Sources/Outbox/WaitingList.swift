import Entitlements

/// What waits for one receiver: for each user the posts in their order, of which the first alone
/// may be under way.
///
/// Pure: it is told the time, and what became of a post.
struct WaitingList {
    /// A change that was given up.
    struct Parked: Sendable {
        let id: LetterID
        let seq: UInt64
        /// Which of the user's changes of that position it was.
        let ordinal: Int
        let at: Moment
        let failure: String
        let origin: Letter.Origin
    }

    private var lines: [UserID: [Letter]] = [:]
    /// Users whose first letter may be tried for the first time.
    private var fresh = UserQueue()
    /// Users whose first letter may be tried again.
    private var retried = UserQueue()
    /// Users whose first letter waits for the end of a pause, and when the first of these ends.
    private var resting: Set<UserID> = []
    private var wakesAt = Moment.distantFuture
    /// Users whose first letter is held back.
    private var holding: Set<UserID> = []
    /// How many letters wait, those under way among them.
    private(set) var count = 0
    /// Of those, the erasures: they come by call, and none is given up for others' sake.
    private(set) var erasureCount = 0
    private(set) var underWay = 0
    /// How many of those under way have failed before.
    private var retriesUnderWay = 0
    /// Of those that wait, the losses held back and what is behind them, when it was last taken.
    private(set) var heldCount = 0
    /// Up to which moment the journal was read.
    ///
    /// A loss is held back until that has passed its time, not until now: a renewal that stands in
    /// the journal already would be read too late.
    var readUntil = Moment.distantPast
    /// When it was last looked whether something is to be given up for want of room.
    private var lookedAt = Moment.distantPast
    /// The newest of those that were given up.
    private(set) var parked: [Parked] = []
    /// How many were given up before these.
    private(set) var parkedBefore = 0
    /// Users whose posts have failed since one went through, but those who are known to fail while
    /// others' go through.
    private var failing: Set<UserID> = []
    /// How many went through since the start, and when the last one did.
    private var deliveries = 0
    private var delivered = Moment.distantPast
    /// Until when nothing is tried, because nothing goes through; and how often that was so.
    private var pausedUntil: Moment?
    private var pauses = 0
    /// Whether the receiver answered last that the post is at fault: it is not away, and what was
    /// never tried is tried at once.
    private var isAnswering = false
    /// Whose letter was tried last while nothing goes through; and whether one that was never tried
    /// comes next.
    private var probed: UserID?
    private var prefersFresh = true

    /// Everything that waits, those of one user in their order.
    var letters: [Letter] { lines.values.flatMap { $0 } }

    /// How many were given up.
    var parkedCount: Int { parked.count + parkedBefore }

    /// Whether nothing goes through to the receiver.
    private var isDown: Bool { pausedUntil != nil }

    /// The same, where it has lasted long enough to be told: not between two posts that go through.
    func isDown(at now: Moment) -> Bool {
        isDown && now >= delivered.advanced(byMilliseconds: OutboxLimits.downShownMilliseconds)
    }

    /// Notes one that was given up before a restart.
    mutating func restore(_ parked: [Parked], before: Int) {
        self.parked = parked
        parkedBefore = before
    }

    /// Adds what happened after everything else of its user.
    ///
    /// A state says all that was read of its user, and takes the place of what waits; but not of an
    /// erasure: what a receiver keeps of the life before that would stay. A state without access
    /// waits behind a loss that is held back, with which the record notes until when. An erasure
    /// says all that was before it; and a change that brings back, in time, an access whose loss is
    /// held back says that loss and what is behind it.
    mutating func add(_ letter: Letter, at now: Moment) {
        var line = lines[letter.user] ?? []
        let waiting = line.firstIndex { !$0.isUnderWay } ?? line.endIndex
        switch letter.origin {
        case .journal:
            if let loss = line.firstIndex(where: { letter.revokes($0) }) {
                line.removeSubrange(loss...)
            }
            line.append(letter)
        case .state, .again:
            let erasure = line.lastIndex { $0.origin == .erasure }
            let start = max(waiting, erasure.map { $0 + 1 } ?? waiting)
            let loss = letter.hasAccess ? nil : line[start...].last(where: \.isUntriedLoss)
            line.replaceSubrange(start..., with: [loss, letter].compactMap { $0 })
        case .erasure:
            let end = line[waiting...].firstIndex { $0.seq > letter.seq } ?? line.endIndex
            line.replaceSubrange(waiting..<end, with: [letter])
        }
        set(line, of: letter.user, at: now)
    }

    /// Takes up to so many letters that are to be posted now.
    ///
    /// Those that failed before have half of the places at most.
    mutating func take(_ limit: Int, at now: Moment) -> [Letter] {
        wake(at: now)
        if isDown { return underWay > 0 ? [] : [probe(at: now)].compactMap { $0 } }
        var taken: [Letter] = []
        while underWay < limit, retriesUnderWay < max(1, limit / 2), let user = retried.next() {
            begin(user, at: now).map { taken.append($0) }
        }
        while underWay < limit, let user = fresh.next() {
            begin(user, at: now).map { taken.append($0) }
        }
        return taken
    }

    /// Takes the one that is tried where nothing goes through, also where all of them wait for
    /// later.
    ///
    /// By turns one that was never tried, and one that was: some may be refused for ever.
    private mutating func probe(at now: Moment) -> Letter? {
        if let pausedUntil, now < pausedUntil {
            guard isAnswering, let user = fresh.next() else { return nil }
            probed = user
            return begin(user, at: now)
        }
        if fresh.isEmpty, retried.isEmpty, let user = nextToWake(at: now) {
            hurry(user, at: now)
        }
        probed =
            prefersFresh ? fresh.next() ?? retried.next() : retried.next() ?? fresh.next()
        prefersFresh.toggle()
        return probed.flatMap { begin($0, at: now) }
    }

    /// Who would be tried first of those that wait for the end of a pause: whoever was tried last
    /// comes last.
    private func nextToWake(at now: Moment) -> UserID? {
        resting.filter { isPausing($0, at: now) }
            .min { (lines[$0]?.first?.next ?? now) < (lines[$1]?.first?.next ?? now) }
    }

    /// Takes the first letter of a user.
    private mutating func begin(_ user: UserID, at now: Moment) -> Letter? {
        guard var line = lines[user], var first = line.first else { return nil }
        first.isUnderWay = true
        first.begun = first.begun ?? now
        line[0] = first
        lines[user] = line
        underWay += 1
        if first.failures > 0 { retriesUnderWay += 1 }
        return first
    }

    /// Notes that a letter is under way no more.
    private mutating func isBack(_ letter: Letter) {
        underWay -= 1
        if letter.failures > 0 { retriesUnderWay -= 1 }
    }

    /// Notes that a post went through; answers false where it waits no more.
    @discardableResult
    mutating func delivered(_ id: LetterID, of user: UserID, at now: Moment) -> Bool {
        failing = []
        deliveries += 1
        delivered = now
        let wasDown = isDown
        pausedUntil = nil
        (pauses, probed, prefersFresh) = (0, nil, true)
        // Others failed only because the receiver was down.
        if wasDown {
            for (user, line) in lines where line[0].refusals < 2 {
                hurry(user, at: now)
            }
        }
        return end(id, of: user, at: now) != nil
    }

    /// Notes that a post did not go through; answers it where it was given up.
    ///
    /// `chance` is from 0 up to 1.
    mutating func failed(
        _ id: LetterID,
        of user: UserID,
        because failure: String,
        waiting: Int64?,
        isRefused: Bool = false,
        at now: Moment,
        chance: Double
    ) -> Parked? {
        guard var line = lines[user], var first = line.first, first.id == id, first.isUnderWay
        else { return nil }
        if let before = first.deliveriesBefore, before < deliveries { first.refusals += 1 }
        first.deliveriesBefore = deliveries
        noteFailure(of: first, waiting: waiting, isRefused, at: now, chance)
        // A person who was erased meanwhile is told of no more.
        if line.contains(where: { $0.origin == .erasure && $0.id != id }) {
            _ = end(id, of: user, at: now)
            return nil
        }
        let begun = first.begun ?? now
        if now.milliseconds - begun.milliseconds >= OutboxLimits.parkedAfterMilliseconds {
            _ = end(id, of: user, at: now)
            return park(first, at: now, because: failure)
        }
        isBack(first)
        first.isUnderWay = false
        first.failures += 1
        first.failure = failure
        let pause = Self.pause(first.failures, OutboxLimits.pauseMilliseconds, chance)
        first.next = now.advanced(byMilliseconds: max(pause, waiting ?? 0))
        line[0] = first
        set(line, of: user, at: now)
        return nil
    }

    /// Notes what a failure says of the receiver: nothing, where it refuses this user's and takes
    /// others'.
    ///
    /// What was under way when the receiver went down says nothing more.
    private mutating func noteFailure(
        of letter: Letter,
        waiting: Int64?,
        _ isRefused: Bool,
        at now: Moment,
        _ chance: Double
    ) {
        if letter.refusals == 0 { failing.insert(letter.user) }
        let saysDown = failing.count >= OutboxLimits.failingUsersMax
        guard isDown ? letter.user == probed : saysDown else { return }
        isAnswering = isRefused
        // One that was tried within the pause, refused as those before it, says nothing new.
        if isRefused, let pausedUntil, now < pausedUntil { return }
        pauses += 1
        var pause = Self.pause(pauses, OutboxLimits.downMilliseconds, chance)
        if tookLately(at: now) { pause = min(pause, OutboxLimits.probeMilliseconds) }
        pausedUntil = now.advanced(byMilliseconds: max(pause, waiting ?? 0))
    }

    /// Gives up what waits of users whose posts fail again and again while those of others go
    /// through, where it takes half of the room; answers what was given up.
    ///
    /// The longest line goes first, and whole: its user's next change is tried afresh. Where room
    /// runs out before there can be many refusals, one is enough while others' posts go through.
    ///
    /// It looks through all of them, so once a second is enough.
    mutating func makeRoom(at now: Moment) -> [Parked] {
        let isSoon = now >= lookedAt && now < lookedAt.advanced(byMilliseconds: 1_000)
        guard !hasRoom, !isSoon else { return [] }
        lookedAt = now
        let isUrgent = roomTaken >= OutboxLimits.waitingMax * 3 / 2 && tookLately(at: now)
        guard isUrgent || !isDown else { return [] }
        let refusals = isUrgent ? 1 : OutboxLimits.stuckRefusals
        let stuck = lines.filter { isStuck($0.value, after: refusals) }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        var taken = stuck.reduce(0) { $0 + $1.value.count }
        var given: [Parked] = []
        for (user, line) in stuck where !hasRoom && taken >= OutboxLimits.waitingMax / 2 {
            given += line.map { park($0, at: now, because: line[0].failure ?? "") }
            taken -= line.count
            set([], of: user, at: now)
        }
        return given
    }

    /// Whether something went through so lately that the receiver is hardly away.
    private func tookLately(at now: Moment) -> Bool {
        now < delivered.advanced(byMilliseconds: OutboxLimits.recentMilliseconds)
    }

    /// What takes room: held ones have a bound of their own.
    private var roomTaken: Int { count - heldCount - erasureCount }

    /// Whether there is room for any number of changes.
    var hasRoom: Bool { roomTaken < OutboxLimits.waitingMax }

    /// Whether more changes may be read, in small numbers where there is no room: only one that was
    /// never tried shows whether the receiver refuses what waits, or everything.
    var mayRead: Bool {
        hasRoom
            ? fresh.count < OutboxLimits.readyMax
            : fresh.count < 2 && roomTaken < 2 * OutboxLimits.waitingMax
    }

    /// Takes out one that waits or is parked; answers whether there was one.
    mutating func drop(_ id: LetterID, at now: Moment) -> Bool {
        if let place = parked.firstIndex(where: { $0.id == id }) {
            parked.remove(at: place)
            return true
        }
        for (user, line) in lines where line.contains(where: { $0.id == id }) {
            return end(id, of: user, at: now) != nil
        }
        return false
    }

    /// Takes those that are so off the list of what is parked.
    mutating func unpark(where isSo: (Parked) -> Bool) { parked.removeAll(where: isSo) }

    /// Forgets how many were given up that are not listed; answers whether there were any.
    mutating func forgetUnlisted() -> Bool {
        defer { parkedBefore = 0 }
        return parkedBefore > 0
    }

    /// Whether something of this user waits that says this position, or a later one: a state says
    /// more than its own.
    func says(_ seq: UInt64, of user: UserID) -> Bool {
        lines[user]?.last.map { $0.seq >= seq || $0.origin.isState } ?? false
    }

    /// Tries everything at once that waits because of a failure.
    mutating func hurry(at now: Moment) {
        pausedUntil = nil
        delivered = min(delivered, now)
        for user in lines.keys { hurry(user, at: now) }
    }

    private mutating func hurry(_ user: UserID, at now: Moment) {
        guard var line = lines[user], line.first?.next != nil else { return }
        line[0].next = nil
        set(line, of: user, at: now)
    }

    /// Whether a user's first letter waits for nothing but the pause after a failure.
    private func isPausing(_ user: UserID, at now: Moment) -> Bool {
        guard let first = lines[user]?.first, !first.isUnderWay, first.next != nil else {
            return false
        }
        return !first.isHeld(havingRead: readUntil)
    }

    /// Whether a user's first letter was refused so often while posts of others went through that
    /// the line may be given up for their sake.
    private func isStuck(_ line: [Letter], after refusals: Int) -> Bool {
        let first = line[0]
        return first.refusals >= refusals && !first.isUnderWay
            && !first.isHeld(havingRead: readUntil) && !line.contains { $0.origin == .erasure }
    }

    /// Notes that one was given up.
    private mutating func park(
        _ letter: Letter,
        at now: Moment,
        because failure: String
    ) -> Parked {
        let given = Parked(
            id: letter.id,
            seq: letter.seq,
            ordinal: letter.ordinal,
            at: now,
            failure: failure,
            origin: letter.origin
        )
        parked.append(given)
        // What is not listed is told as states, and an erasure is in none.
        if parked.count > OutboxLimits.parkedMax,
            let oldest = parked.firstIndex(where: { $0.origin != .erasure })
        {
            parked.remove(at: oldest)
            parkedBefore += 1
        }
        return given
    }

    /// Takes out a letter, and lets the next of its user have its turn.
    private mutating func end(_ id: LetterID, of user: UserID, at now: Moment) -> Letter? {
        guard var line = lines[user], let place = line.firstIndex(where: { $0.id == id }) else {
            return nil
        }
        let letter = line.remove(at: place)
        if letter.isUnderWay { isBack(letter) }
        set(line, of: user, at: now)
        return letter
    }

    private mutating func set(_ line: [Letter], of user: UserID, at now: Moment) {
        let former = lines[user] ?? []
        count += line.count - former.count
        erasureCount += line.erasures - former.erasures
        lines[user] = line.isEmpty ? nil : line
        guard let first = line.first else { return wait(user, nil) }
        guard !first.isUnderWay else { return }
        if first.isHeld(havingRead: readUntil) {
            wait(user, .hold)
        } else if first.isDue(at: now, havingRead: readUntil) {
            wait(user, first.failures == 0 ? .firstTurn : .nextTurn)
        } else {
            wait(user, .pause)
            wakesAt = min(wakesAt, first.next ?? now)
        }
    }

    /// What a user's first letter waits for.
    private enum Wait {
        case firstTurn
        case nextTurn
        case pause
        case hold
    }

    /// Puts a user where they wait; nil: nowhere.
    private mutating func wait(_ user: UserID, _ wait: Wait?) {
        if wait == .firstTurn { fresh.add(user) } else { fresh.remove(user) }
        if wait == .nextTurn { retried.add(user) } else { retried.remove(user) }
        if wait == .pause { resting.insert(user) } else { resting.remove(user) }
        if wait == .hold { holding.insert(user) } else { holding.remove(user) }
    }

    /// Whose time has come is ready.
    private mutating func wake(at now: Moment) {
        heldCount = 0
        for user in holding {
            guard let line = lines[user] else { continue }
            if line[0].isHeld(havingRead: readUntil) {
                heldCount += line.count
            } else {
                set(line, of: user, at: now)
            }
        }
        guard now >= wakesAt else { return }
        wakesAt = .distantFuture
        for user in resting { lines[user].map { set($0, of: user, at: now) } }
    }

    /// The pause after so many failures: it doubles each time, and is between half of that and all
    /// of it; the first is whole.
    private static func pause(_ failures: Int, _ most: Int64, _ chance: Double) -> Int64 {
        let first = OutboxLimits.pauseFirstMilliseconds
        guard failures > 1 else { return first }
        let ceiling = min(first << Int64(min(failures - 1, 30)), most)
        return ceiling / 2 + Int64(Double(ceiling - ceiling / 2) * chance)
    }
}

extension [Letter] {
    /// How many of them are about a person who was erased.
    fileprivate var erasures: Int { count { $0.origin == .erasure } }
}
