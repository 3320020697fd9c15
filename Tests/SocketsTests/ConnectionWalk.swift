import Chance

@testable import Sockets

/// One connection between a loop and a peer that do whatever chance says, with the laws that must
/// hold after every step.
///
/// The socket is a count of bytes with the edges that epoll has still to report. Frames have 40
/// bytes each; one of them, perhaps, has a length that is not allowed.
struct ConnectionWalk {
    private static let frameBytes = 40
    private static let unsentBytesHardMax = 2 * SocketLimits.unsentBytesMax
    private static let patience = Patience(
        frameMs: 500,
        stallMs: 700,
        unreadMs: 900,
        refusalMs: 5_000,
        lingerMs: 800
    )

    private(set) var faults: [String] = []
    private(set) var events = 0
    private(set) var isClosed = false

    private var state: ConnectionState
    private var clock: Int64 = 0
    private let wrongFrame: Int?

    // The peer and the socket between.
    private var written = 0
    private var hasEnded = false
    private var isAway = false
    private var edges: Set<Edge> = []

    // What the loop holds.
    private var read = 0
    private var answered = 0
    private var owed = 0
    private var unsent = 0
    private var isQueued = false
    private var isDirty = false
    private var isCounted = false
    private var awaitsRoom = false
    private var isChecked = false
    private var isDoubted = false
    private var isDraining = false
    private var hasFailed = false
    private var lifeRank = 0

    private enum Edge { case readable, end, away }

    init(_ random: inout SplitMix64) {
        state = ConnectionState(refusedUntil: random.isOne(in: 20) ? 5_000 : nil)
        wrongFrame = random.isOne(in: 4) ? random.pick(30) : nil
    }

    /// Something happens.
    mutating func step(_ random: inout SplitMix64) {
        events += 1
        clock += Int64(random.pick(20))
        switch random.pick(100) {
        case ..<25: write(1 + random.pick(100))
        case ..<27: end()
        case ..<28: goAway()
        case ..<55: deliverEdges(&random)
        case ..<75: takeTurn(&random)
        case ..<80: answerLater(&random)
        case ..<86: takeRoom(&random)
        case ..<90: finishCheck(&random)
        case ..<92: noteShare(random.chance())
        case ..<93: drain(&random)
        case ..<94: flushDirty(&random)
        case ..<95: takeDoubted()
        default: sweep()
        }
        check()
    }

    /// The peer ends, the loop does what it owes: then it must close.
    ///
    /// Before that it must have read all there is.
    mutating func finish() {
        var random = SplitMix64(seed: UInt64(events))
        for _ in 0..<1_000 where !isClosed { work(&random) }
        if !isClosed, state.life == .open, read < written { fault("it leaves bytes unread") }
        end()
        for _ in 0..<1_000 where !isClosed { work(&random) }
        if !isClosed { fault("it never closes") }
    }

    /// All that the loop owes.
    private mutating func work(_ random: inout SplitMix64) {
        events += 1
        noteShare(false)
        deliverEdges(&random)
        takeTurn(&random)
        finishCheck(&random)
        if owed > 0 { answerLater(&random) }
        flushDirty(&random)
        takeRoom(&random)
        takeDoubted()
        check()
    }

    // The peer.

    private mutating func write(_ count: Int) {
        guard !hasEnded else { return }
        written += count
        edges.insert(.readable)
    }

    private mutating func end() {
        guard !hasEnded else { return }
        hasEnded = true
        edges.insert(.end)
    }

    private mutating func goAway() {
        hasEnded = true
        isAway = true
        edges.insert(.away)
    }

    // The loop.

    private mutating func deliverEdges(_ random: inout SplitMix64) {
        guard !isClosed, !edges.isEmpty else { return }
        if edges.contains(.readable) { state.readable() }
        if edges.contains(.end) { state.peerAnnouncedEnd() }
        if edges.contains(.away) { state.hungUp() }
        edges = []
        if state.hasInput { settle() } else { visit(&random) }
    }

    private mutating func takeTurn(_ random: inout SplitMix64) {
        guard !isClosed, isQueued else { return }
        isQueued = false
        state.takesTurn()
        visit(&random)
    }

    private mutating func visit(_ random: inout SplitMix64) {
        switch state.reading {
        case .nothing: settle()
        case .ownInput: answer(&random, isOwnInput: true)
        case .socket: receive(&random, isOwnInput: false)
        case .restOfFrame: receive(&random, isOwnInput: true)
        }
    }

    private mutating func receive(_ random: inout SplitMix64, isOwnInput: Bool) {
        if !state.mayRead { fault("reads without an edge") }
        let room = 16 + random.pick(200)
        var count = min(room, written - read)
        // Descriptors in the stream end a read early.
        if count > 0, random.isOne(in: 10) { count = 1 + random.pick(count) }
        if random.isOne(in: 30) {
            state.received(.interrupted)
        } else if random.isOne(in: 300) {
            hasFailed = true
            state.received(.failed)
        } else if count > 0 {
            read += count
            state.received(count < room ? .short : .full)
            noteDoubt()
            return answer(&random, isOwnInput: isOwnInput)
        } else {
            state.received(hasEnded ? .end : .nothing)
        }
        if isOwnInput { note(state.gotNoRest()) }
        settle()
    }

    private mutating func noteDoubt() {
        guard state.becomesDoubted() else { return }
        if isDoubted { fault("is in doubt twice") }
        isDoubted = true
    }

    private mutating func takeDoubted() {
        guard !isClosed, isDoubted, !state.keepsDoubt() else { return }
        isDoubted = false
        settle()
    }

    private mutating func answer(_ random: inout SplitMix64, isOwnInput: Bool) {
        let before = answered
        for _ in 0..<1 + random.pick(4) where rest == .wholeFrame {
            if answered / Self.frameBytes == wrongFrame {
                state.closes()
                send(100, &random)
                break
            }
            if isOwnInput, random.isOne(in: 10) {
                isChecked = true
                break
            }
            answered += Self.frameBytes
            if random.chance() { owed += 1 } else { send(100, &random) }
        }
        if isOwnInput {
            noteInput(isNewFrame: answered > before)
        } else if read > answered, state.isRead {
            state.readable()
            noteInput(isNewFrame: true)
        }
        settle()
    }

    private var rest: ConnectionState.Rest {
        if isChecked { return .frameBeingChecked }
        let held = read - answered
        if held == 0 { return .nothing }
        let needed = answered / Self.frameBytes == wrongFrame ? 4 : Self.frameBytes
        return held < needed ? .partOfFrame : .wholeFrame
    }

    private mutating func noteInput(isNewFrame: Bool) {
        let (rest, until) = (rest, clock + Self.patience.frameMs)
        note(state.holds(rest, isNewFrame: isNewFrame, until: until))
    }

    private mutating func note(_ change: ConnectionState.HalfFrameChange) {
        switch change {
        case .none: break
        case .enters:
            if isCounted { fault("enters twice") }
            isCounted = true
        case .leaves:
            if !isCounted { fault("leaves without a place") }
            isCounted = false
        case .renews: if !isCounted { fault("renews what it has not") }
        }
    }

    private mutating func finishCheck(_ random: inout SplitMix64) {
        guard !isClosed, isChecked else { return }
        isChecked = false
        answered += Self.frameBytes
        send(100, &random)
        noteInput(isNewFrame: true)
        settle()
    }

    private mutating func answerLater(_ random: inout SplitMix64) {
        guard !isClosed, owed > 0 else { return }
        owed -= 1
        if state.canSend { unsent += random.isOne(in: 20) ? SocketLimits.unsentBytesMax : 100 }
        let isNew = state.becomesDirty()
        if isNew == isDirty { fault("stands in a list twice, or not at all") }
        isDirty = true
    }

    private mutating func flushDirty(_ random: inout SplitMix64) {
        guard !isClosed, isDirty else { return }
        isDirty = false
        state.flushes()
        takeOutput(&random)
        settle()
    }

    private mutating func send(_ count: Int, _ random: inout SplitMix64) {
        guard state.canSend else { return }
        unsent += count
        takeOutput(&random)
    }

    private mutating func takeRoom(_ random: inout SplitMix64) {
        guard !isClosed, awaitsRoom else { return }
        takeOutput(&random)
        settle()
    }

    /// The kernel takes some of what waits, all of it, or nothing ever again.
    private mutating func takeOutput(_ random: inout SplitMix64) {
        if unsent > 0, state.canSend {
            if isAway {
                state.sendFailed()
            } else {
                let taken = random.chance() ? unsent : random.pick(unsent + 1)
                unsent -= taken
                state.sent(taken)
            }
        }
        if unsent > Self.unsentBytesHardMax { return cutOff() }
        let now = clock
        switch state.leftUnsent(unsent, at: now, Self.patience) {
        case .nothing: break
        case .awaitRoom:
            if awaitsRoom { fault("asks for room twice") }
            awaitsRoom = true
        case .forgetRoom:
            if !awaitsRoom { fault("forgets room that it did not ask for") }
            awaitsRoom = false
        }
    }

    private mutating func cutOff() {
        state.cutOff()
        (unsent, answered, isChecked) = (0, read, false)
    }

    private mutating func noteShare(_ isOver: Bool) {
        guard !isClosed else { return }
        let now = clock
        state.noteShare(isOver: isOver, unsent: unsent, at: now, Self.patience)
        settle()
    }

    private mutating func drain(_ random: inout SplitMix64) {
        guard !isClosed, !isDraining, random.isOne(in: 4) else { return }
        isDraining = true
        state.readsToEnd()
        visit(&random)
    }

    private mutating func sweep() {
        guard !isClosed else { return }
        switch state.due(at: clock) {
        case .nothing, .overShare(isOver: false): settle()
        case .frame, .unread, .refusal, .linger, .stall, .overShare(isOver: true): isClosed = true
        }
    }

    private mutating func settle() {
        let paused = state.pause != .none
        switch state.next(isDraining: isDraining) {
        case .wait: break
        case .goOn:
            if !state.queues() { fault("should go on and takes no place") }
            isQueued = true
        case .closeWhenSettled:
            guard owed == 0, unsent == 0 else { break }
            isClosed = true
            if !isDraining, read < written { fault("closes before all is read") }
            if rest == .wholeFrame || isChecked { fault("forgets a whole frame") }
        case .lingerWhenSent: if unsent == 0 { linger() }
        case .dropInput: dropInput()
        case .close:
            isClosed = true
            let isCut = state.life == .over || paused || hasFailed || !isAway
            if !isCut, rest == .wholeFrame || isChecked { fault("forgets a whole frame") }
        }
    }

    private mutating func linger() {
        state.lingers(until: clock + Self.patience.lingerMs)
        settle()
    }

    private mutating func dropInput() {
        read = written
        answered = read
        state.received(hasEnded ? .end : .nothing)
        settle()
    }

    // The laws.

    private mutating func check() {
        guard !isClosed else { return }
        if state.hasDeadline != (state.due(at: .max) != .nothing) { fault("a stray deadline") }
        if state.isCountedHalf != isCounted { fault("miscounted half frame") }
        if awaitsRoom != (state.output != .sent), state.life != .over { fault("room") }
        if state.isQueued != isQueued { fault("queued") }
        if state.isDirty != isDirty { fault("dirty") }
        if !state.isRead || state.pause != .none || isChecked, state.reading != .nothing {
            fault("reads while \(state.life), \(state.pause)")
        }
        if state.isHalf != (rest == .partOfFrame), state.isRead { fault("half a frame") }
        // What a read has left behind is read after a while.
        let isToRead =
            written > read && !isDoubted
            || hasEnded && (state.life == .open || state.life == .peerEnding)
        if isToRead, state.isRead, !hasFailed, !state.mayRead, edges.isEmpty {
            fault("an edge is lost")
        }
        switch state.next(isDraining: isDraining) {
        case .wait, .closeWhenSettled: break
        case .goOn: fault("goes on without a place")
        case .lingerWhenSent: if unsent == 0 { fault("closing, settled and does not linger") }
        case .dropInput: fault("does not drop what has arrived")
        case .close: fault("over and not closed")
        }
        let rank = rank(state.life)
        if rank < lifeRank { fault("comes back to \(state.life)") }
        lifeRank = rank
    }

    private func rank(_ life: ConnectionState.Life) -> Int {
        switch life {
        case .open: 0
        case .peerEnding: 1
        case .peerEnded: 2
        case .gone, .closing: 3
        case .lingering: 4
        case .over: 5
        }
    }

    private mutating func fault(_ what: String) {
        faults.append("\(what), after \(events) events: \(state)")
    }
}
