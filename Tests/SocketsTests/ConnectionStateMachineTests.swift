import Chance
import Testing

@testable import Sockets

/// What a connection decides, without a socket and without a clock.
struct ConnectionStateMachineTests {
    typealias Life = ConnectionState.Life
    typealias Event = (inout ConnectionState) -> Void

    private static let patience = Patience(
        frameMs: 100,
        stallMs: 200,
        unreadMs: 300,
        refusalMs: 400,
        lingerMs: 500
    )

    /// A connection that is in the midst of `life`.
    private static func state(in life: Life) -> ConnectionState {
        var state = ConnectionState()
        switch life {
        case .open: break
        case .peerEnding: state.peerAnnouncedEnd()
        case .peerEnded: state.received(.end)
        case .gone: state.hungUp()
        case .closing: state.closes()
        case .lingering:
            state.closes()
            state.lingers(until: 500)
        case .over: state.cutOff()
        }
        return state
    }

    // What changes is called outside the macro, which takes its arguments as they are.
    private func holds(
        _ state: inout ConnectionState,
        _ rest: ConnectionState.Rest,
        isNewFrame: Bool,
        until: Int64
    ) -> ConnectionState.HalfFrameChange {
        state.holds(rest, isNewFrame: isNewFrame, until: until)
    }

    private func becomesDoubted(_ state: inout ConnectionState) -> Bool {
        state.becomesDoubted()
    }

    private func keepsDoubt(_ state: inout ConnectionState) -> Bool { state.keepsDoubt() }

    private func gotNoRest(_ state: inout ConnectionState) -> ConnectionState.HalfFrameChange {
        state.gotNoRest()
    }

    private func leftUnsent(
        _ state: inout ConnectionState,
        _ bytes: Int,
        at now: Int64
    ) -> ConnectionState.OutputAction {
        state.leftUnsent(bytes, at: now, Self.patience)
    }

    private static var lives: [Life] {
        [.open, .peerEnding, .peerEnded, .gone, .closing, .lingering, .over]
    }

    /// What each event makes of each life, in the order of `lives`.
    private static var transitions: [(name: String, event: Event, after: [Life])] {
        [
            ("readable", { $0.readable() }, lives),
            (
                "end announced", { $0.peerAnnouncedEnd() },
                [.peerEnding, .peerEnding, .peerEnded, .gone, .closing, .lingering, .over]
            ),
            ("hung up", { $0.hungUp() }, [.gone, .gone, .gone, .gone, .over, .over, .over]),
            (
                "send failed", { $0.sendFailed() },
                [.gone, .gone, .gone, .gone, .over, .over, .over]
            ),
            ("received some", { $0.received(.short) }, lives),
            ("received nothing", { $0.received(.nothing) }, lives),
            ("interrupted", { $0.received(.interrupted) }, lives),
            (
                "received the end", { $0.received(.end) },
                [.peerEnded, .peerEnded, .peerEnded, .gone, .closing, .over, .over]
            ),
            (
                "read failed", { $0.received(.failed) },
                [.gone, .gone, .gone, .gone, .over, .over, .over]
            ),
            (
                "last answer given", { $0.closes() },
                [.closing, .closing, .closing, .over, .closing, .lingering, .over]
            ),
            ("cut off", { $0.cutOff() }, Array(repeating: .over, count: 7)),
        ]
    }

    @Test func `each event makes one life of another, and none comes back`() {
        for (name, event, after) in Self.transitions {
            for (life, expected) in zip(Self.lives, after) {
                var state = Self.state(in: life)
                event(&state)
                #expect(state.life == expected, "\(name) while \(life)")
            }
        }
    }

    @Test func `what follows, by life and by what was received`() {
        typealias Next = ConnectionState.Next
        let rests: [ConnectionState.Rest] = [
            .nothing, .partOfFrame, .wholeFrame, .frameBeingChecked,
        ]
        // For each life, without and with more in the socket, by what stands in the input.
        let table: [(Life, mayRead: Bool, drains: Bool, [Next])] = [
            (.open, false, false, [.wait, .wait, .goOn, .wait]),
            (.open, true, false, [.goOn, .goOn, .goOn, .wait]),
            (.open, false, true, [.closeWhenSettled, .closeWhenSettled, .goOn, .wait]),
            (.open, true, true, [.goOn, .goOn, .goOn, .wait]),
            (.peerEnding, false, false, [.wait, .wait, .goOn, .wait]),
            (.peerEnding, false, true, [.closeWhenSettled, .closeWhenSettled, .goOn, .wait]),
            (.peerEnded, false, false, [.closeWhenSettled, .closeWhenSettled, .goOn, .wait]),
            (.peerEnded, true, false, [.goOn, .goOn, .goOn, .wait]),
            (.gone, false, false, [.close, .close, .goOn, .wait]),
            (.gone, true, true, [.goOn, .goOn, .goOn, .wait]),
            (.closing, false, false, Array(repeating: .lingerWhenSent, count: 4)),
            (.closing, true, true, Array(repeating: .lingerWhenSent, count: 4)),
            (.lingering, false, false, Array(repeating: .wait, count: 4)),
            (.lingering, true, false, Array(repeating: .dropInput, count: 4)),
            (.lingering, false, true, Array(repeating: .close, count: 4)),
            (.over, true, false, Array(repeating: .close, count: 4)),
        ]
        for (life, mayRead, drains, expected) in table {
            for (rest, next) in zip(rests, expected) {
                var state = Self.state(in: life)
                state.received(.nothing)
                if mayRead { state.readable() }
                _ = state.holds(rest, isNewFrame: true, until: 1)
                #expect(state.next(isDraining: drains) == next, "\(life), \(mayRead), \(rest)")
            }
        }
    }

    @Test func `a short read empties the socket, unless the end is still to be read`() {
        for life in [Life.open, .peerEnding, .gone] {
            var state = Self.state(in: life)
            state.readable()
            state.received(.full)
            #expect(state.mayRead, "\(life)")
            state.received(.short)
            #expect(state.mayRead == (life != .open), "\(life)")
            state.received(.nothing)
            #expect(!state.mayRead, "\(life)")
        }
    }

    @Test func `a connection that is quiet after a short read is read again, to the end`() {
        var state = ConnectionState()
        state.readable()
        state.received(.short)
        #expect(becomesDoubted(&state))
        #expect(!becomesDoubted(&state))
        for _ in 0..<3 {
            // In use: its edges come.
            #expect(keepsDoubt(&state) && !state.mayRead)
            state.readable()
            state.received(.short)
        }
        #expect(keepsDoubt(&state))
        #expect(!keepsDoubt(&state) && state.mayRead)
        state.received(.short)
        #expect(state.mayRead && !becomesDoubted(&state))
        state.received(.nothing)
        #expect(!state.mayRead)
        // Whoever finds the socket empty has no doubt.
        state.readable()
        state.received(.short)
        #expect(becomesDoubted(&state))
        state.readable()
        state.received(.nothing)
        #expect(!keepsDoubt(&state) && !state.mayRead)
    }

    @Test func `a frame has its time from its first byte on, and is counted when it is owed`() {
        var state = ConnectionState()
        state.readable()
        #expect(holds(&state, .partOfFrame, isNewFrame: true, until: 100) == .none)
        #expect(state.reading == .restOfFrame)
        state.received(.nothing)
        #expect(gotNoRest(&state) == .enters)
        #expect(gotNoRest(&state) == .none)
        // More of the same frame moves nothing; another one does.
        #expect(holds(&state, .partOfFrame, isNewFrame: false, until: 150) == .none)
        #expect(state.input == .half(until: 100, isCounted: true))
        #expect(holds(&state, .partOfFrame, isNewFrame: true, until: 200) == .renews)
        #expect(state.due(at: 199) == .nothing)
        #expect(state.due(at: 200) == .frame)
        #expect(holds(&state, .wholeFrame, isNewFrame: false, until: 300) == .leaves)
        #expect(!state.hasDeadline)
    }

    @Test func `what waits must leave by the piece, and then the next piece`() {
        var state = ConnectionState()
        #expect(leftUnsent(&state, 1_000, at: 0) == .awaitRoom)
        #expect(state.due(at: 299) == .nothing && state.due(at: 300) == .unread)
        state.sent(999)
        #expect(leftUnsent(&state, 5_000, at: 200) == .nothing)
        #expect(state.due(at: 300) == .unread)
        state.sent(1)
        #expect(leftUnsent(&state, 4_999, at: 250) == .nothing)
        #expect(state.due(at: 549) == .nothing && state.due(at: 550) == .unread)
        #expect(leftUnsent(&state, 0, at: 260) == .forgetRoom)
        #expect(!state.hasDeadline)
    }

    @Test func `too much stops reading, with one deadline whatever the reason`() {
        var state = ConnectionState()
        state.readable()
        let much = SocketLimits.unsentBytesMax + 1
        _ = leftUnsent(&state, much, at: 0)
        #expect(state.reading == .nothing)
        #expect(state.due(at: 200) == .stall)
        state.noteShare(isOver: true, unsent: much, at: 50, Self.patience)
        #expect(state.due(at: 199) == .overShare(isOver: false))
        #expect(state.due(at: 200) == .overShare(isOver: true))
        state.noteShare(isOver: false, unsent: 0, at: 60, Self.patience)
        _ = leftUnsent(&state, 0, at: 60)
        #expect(state.reading == .socket)
    }

    @Test func `a last word that nobody takes is waited for, for a while`() {
        var state = ConnectionState()
        state.closes()
        _ = leftUnsent(&state, 1, at: 0)
        #expect(state.next(isDraining: false) == .lingerWhenSent)
        #expect(state.due(at: 200) == .stall)
    }

    @Test func `a caller who may ask nothing has its time, whatever it does`() {
        var state = ConnectionState(refusedUntil: 400)
        #expect(state.due(at: 399) == .nothing && state.due(at: 400) == .refusal)
        state.closes()
        state.lingers(until: 500)
        #expect(state.due(at: 399) == .nothing && state.due(at: 400) == .linger)
    }

    @Test func `who has the last answer has its time to end, and the deadline stays counted`() {
        var state = Self.state(in: .lingering)
        #expect(state.reading == .nothing && !state.canSend)
        #expect(state.due(at: 499) == .nothing && state.due(at: 500) == .linger)
        state.hungUp()
        #expect(state.life == .over && state.hasDeadline)
    }

    @Test func `a place in a list is taken once`() {
        var state = ConnectionState()
        let idle = state.queues()
        #expect(!idle)
        state.readable()
        let (first, second) = (state.queues(), state.queues())
        #expect(first && !second)
        #expect(state.next(isDraining: false) == .wait)
        state.takesTurn()
        #expect(state.next(isDraining: false) == .goOn)
        let (new, known) = (state.becomesDirty(), state.becomesDirty())
        #expect(new && !known)
        state.flushes()
        let again = state.becomesDirty()
        #expect(again)
    }

    @Test func `a random walk keeps every law, and nothing that arrives is forgotten`() {
        var random = SplitMix64.told()
        var (events, ends) = (0, 0)
        while events < 200_000 {
            var walk = ConnectionWalk(&random)
            while !walk.isClosed, walk.events < 400 { walk.step(&random) }
            walk.finish()
            #expect(walk.faults.isEmpty, "\(walk.faults)")
            events += walk.events
            ends += 1
        }
        #expect(ends > 300)
    }
}
