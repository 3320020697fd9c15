/// The state machine of a connection: a value without a descriptor and without a clock.
///
/// The loop reports events to it and carries out the actions that it returns. Data of one state are
/// stored in the case of that state, so a deadline exists exactly while something is awaited. Times
/// are milliseconds of a monotonic clock; `now` is evaluated only when a deadline begins.
struct ConnectionState {
    /// Which side may still send, and when the connection is closed.
    enum Life {
        /// Both sides may send.
        case open
        /// The other side has announced that it sends no more; the rest is read up to the end of
        /// its data.
        case peerEnding
        /// The end was read.
        ///
        /// The received requests are answered, then the connection is closed.
        case peerEnded
        /// Nothing can be sent any more.
        ///
        /// Complete requests that were received are still carried out.
        case gone
        /// No further request is answered.
        ///
        /// Once everything is sent, the connection lingers.
        case closing
        /// Everything is sent and this side has ended its sending.
        ///
        /// Arriving bytes are dropped until the other side ends too.
        case lingering
        /// The connection is closed next, whatever it still holds.
        case over
    }

    /// What the received, unanswered bytes begin with.
    enum Input: Equatable {
        case empty
        /// A part of a frame, which must be whole by `until`.
        ///
        /// It is counted among its user's incomplete frames only once the socket is empty: before
        /// that, not the sender but this thread is behind.
        case half(until: Int64, isCounted: Bool)
        /// A whole frame that waits for the next turn, or a length that is not allowed.
        case whole
        /// A whole frame that another thread checks; nothing is read meanwhile.
        case checked
    }

    /// What the loop found at the beginning of the input.
    enum Rest {
        case nothing
        case partOfFrame
        case wholeFrame
        case frameBeingChecked
    }

    /// The state of the bytes that the kernel has not accepted.
    enum Output: Equatable {
        case sent
        /// Epoll reports when more can be sent.
        ///
        /// The next `mark` bytes must be sent by `until`.
        case unsent(mark: Int, until: Int64)
    }

    /// Why reading is paused, and how long the connection may stay paused before it is closed.
    enum Pause: Equatable {
        case none
        /// The other side does not read what it is sent.
        case unsent(until: Int64)
        /// The caller holds more than its share, and this connection holds part of that.
        case overShare(until: Int64)
    }

    /// Whether a socket that gave fewer bytes than were asked for may hold more all the same.
    ///
    /// A read ends behind a buffer that carries descriptors (SCM_RIGHTS in unix(7)), which any
    /// client can send along; the edge of the bytes after it may have been reported before. That is
    /// rare, and to ask each time would cost each request a system call. So the connection is read
    /// again only after it has been quiet for a while.
    enum Doubt {
        case none
        case young
        /// There was no such read for a while.
        case old
        /// It is read until the socket has nothing.
        case followed
    }

    private(set) var life = Life.open
    /// Whether the socket may hold unread bytes.
    ///
    /// Epoll reports an edge only once, so it must be stored.
    private(set) var mayRead = false
    private(set) var doubt = Doubt.none
    /// Whether the connection is in the list of those in doubt.
    private(set) var isDoubted = false
    /// Whether the connection is in the list of those that continue in the next turn.
    private(set) var isQueued = false
    /// Whether the connection is in the list of those with new bytes to send.
    private(set) var isDirty = false
    private(set) var input = Input.empty
    private(set) var pause = Pause.none
    private(set) var output = Output.sent
    /// When the connection is closed in any case: set if the caller may ask nothing, and while
    /// lingering.
    private(set) var closesAt: Int64?
    /// How many more bytes are dropped while lingering.
    private(set) var droppable = SocketLimits.droppedBytesMax

    init(refusedUntil: Int64? = nil) { closesAt = refusedUntil }
}

/// Events that epoll reports.
extension ConnectionState {
    /// Notes that there may be something to read.
    @inline(__always)
    mutating func readable() { mayRead = true }

    /// Notes that the other side has announced that it sends no more.
    mutating func peerAnnouncedEnd() {
        mayRead = true
        if life == .open { life = .peerEnding }
    }

    /// Notes that the other side is gone; what it sent before can still be read.
    mutating func hungUp() {
        mayRead = true
        lose()
    }
}

/// Reading.
extension ConnectionState {
    /// What is read from a connection in one visit.
    enum Reading {
        case nothing
        /// The socket, into the shared memory of the round.
        case socket
        /// The socket, into the connection's own memory after an incomplete frame.
        case restOfFrame
        /// Nothing, because whole frames already wait in the connection's own memory.
        case ownInput
    }

    /// The result of a read.
    enum Received {
        /// As many bytes as were asked for.
        case full
        /// Fewer bytes.
        case short
        case end
        case nothing
        case interrupted
        case failed
    }

    /// What must be read now.
    @inline(__always)
    var reading: Reading {
        guard isRead, !isPaused else { return .nothing }
        switch input {
        case .empty: return mayRead ? .socket : .nothing
        case .half: return mayRead ? .restOfFrame : .nothing
        case .whole: return .ownInput
        case .checked: return .nothing
        }
    }

    @inline(__always)
    mutating func received(_ outcome: Received) {
        switch outcome {
        case .full, .interrupted: break
        case .short:
            // A socket that gave fewer bytes than asked is taken for empty, unless its end must
            // still be read.
            guard life == .open, doubt != .followed else { break }
            mayRead = false
            doubt = .young
        case .nothing:
            mayRead = false
            doubt = .none
        case .end:
            mayRead = false
            switch life {
            case .open, .peerEnding: life = .peerEnded
            case .lingering: life = .over
            case .peerEnded, .gone, .closing, .over: break
            }
        case .failed:
            mayRead = false
            lose()
        }
    }
}

/// Reading again.
extension ConnectionState {
    /// Enters the list of those in doubt; false if it is in it, or there is no doubt.
    @inline(__always)
    mutating func becomesDoubted() -> Bool {
        guard doubt == .young, !isDoubted else { return false }
        isDoubted = true
        return true
    }

    /// Notes that a while has passed; false if the connection leaves the list of those in doubt.
    mutating func keepsDoubt() -> Bool {
        switch doubt {
        case .young:
            doubt = .old
            return true
        case .old: readsToEnd()
        case .none, .followed: break
        }
        isDoubted = false
        return false
    }

    /// Has the socket be read until it has nothing.
    mutating func readsToEnd() {
        mayRead = true
        doubt = .followed
    }
}

/// Frames.
extension ConnectionState {
    /// How the count of a user's incomplete frames changes.
    enum HalfFrameChange {
        case none
        case enters
        case leaves
        /// It is replaced by a newer frame of the same connection, which becomes the youngest.
        case renews
    }

    /// Notes what the input begins with; a new frame gets its own deadline.
    mutating func holds(
        _ rest: Rest,
        isNewFrame: Bool,
        until deadline: @autoclosure () -> Int64
    ) -> HalfFrameChange {
        let wasCounted = isCountedHalf
        switch rest {
        case .partOfFrame where isRead:
            let isCounted = wasCounted && !isNewFrame || !mayRead
            if case .half(let until, _) = input, !isNewFrame {
                input = .half(until: until, isCounted: isCounted)
            } else {
                input = .half(until: deadline(), isCounted: isCounted)
            }
        case .wholeFrame where isRead: input = .whole
        case .frameBeingChecked where isRead: input = .checked
        // After the last answer, further input is not answered.
        case .nothing, .partOfFrame, .wholeFrame, .frameBeingChecked: input = .empty
        }
        switch (wasCounted, isCountedHalf) {
        case (false, false): return .none
        case (false, true): return .enters
        case (true, false): return .leaves
        case (true, true): return isNewFrame ? .renews : .none
        }
    }

    /// Notes that the socket had nothing of the rest of a frame.
    mutating func gotNoRest() -> HalfFrameChange {
        guard case .half(let until, false) = input, !mayRead else { return .none }
        input = .half(until: until, isCounted: true)
        return .enters
    }

    /// Whether received bytes are still unanswered.
    @inline(__always)
    var hasInput: Bool {
        if case .empty = input { return false }
        return true
    }

    /// Whether an incomplete frame has arrived.
    var isHalf: Bool {
        if case .half = input { return true }
        return false
    }

    /// Whether that frame is counted among its user's incomplete frames.
    var isCountedHalf: Bool {
        if case .half(_, true) = input { return true }
        return false
    }

    /// Notes that the last frame was answered.
    ///
    /// Nothing more is answered, and the connection lingers once everything is sent.
    mutating func closes() {
        switch life {
        case .open, .peerEnding, .peerEnded: life = .closing
        case .gone: life = .over
        case .closing, .lingering, .over: break
        }
    }

    /// Begins to linger after everything is sent: the other side has until `deadline` to read it
    /// and to end.
    ///
    /// If the connection were closed while the other side still writes, that write would fail, and
    /// many clients would then not read the error that tells them the reason.
    mutating func lingers(until deadline: Int64) {
        life = .lingering
        closesAt = min(deadline, closesAt ?? .max)
        mayRead = true
    }

    /// Notes that so many bytes were dropped while lingering; with too many it is closed.
    mutating func drops(_ bytes: Int) {
        droppable -= bytes
        if droppable <= 0 { lose() }
    }
}

/// Sending.
extension ConnectionState {
    /// What the loop must do about unsent bytes.
    enum OutputAction {
        case nothing
        /// Ask epoll to report when more can be sent.
        case awaitRoom
        /// Stop asking for that.
        case forgetRoom
    }

    /// Whether anything can be sent.
    @inline(__always)
    var canSend: Bool { life != .gone && life != .lingering && life != .over }

    /// Notes that sending failed, so the other side is gone.
    mutating func sendFailed() { lose() }

    /// Notes that the kernel accepted this many of the waiting bytes.
    mutating func sent(_ bytes: Int) {
        if case .unsent(let mark, let until) = output {
            output = .unsent(mark: mark - bytes, until: until)
        }
    }

    /// Notes how many bytes are unsent.
    ///
    /// All bytes that wait now must be sent by a deadline; then the same applies to the bytes that
    /// wait at that time. So a peer that reads a byte now and then cannot keep the connection open
    /// for ever.
    mutating func leftUnsent(
        _ bytes: Int,
        at now: @autoclosure () -> Int64,
        _ patience: Patience
    ) -> OutputAction {
        let before = output
        switch output {
        case _ where bytes == 0: output = .sent
        case .unsent(let mark, _) where mark > 0: break
        case .sent, .unsent: output = .unsent(mark: bytes, until: now() + patience.unreadMs)
        }
        noteShare(isOver: isOverShare, unsent: bytes, at: now(), patience)
        switch (before, output) {
        case (.sent, .unsent): return .awaitRoom
        case (.unsent, .sent): return .forgetRoom
        case (.sent, .sent), (.unsent, .unsent): return .nothing
        }
    }

    /// Notes whether the caller holds more than its share, and this connection holds part of that.
    ///
    /// Too many unsent bytes, or too large a share, pause reading; after a time the connection is
    /// closed.
    mutating func noteShare(
        isOver: Bool,
        unsent bytes: Int,
        at now: @autoclosure () -> Int64,
        _ patience: Patience
    ) {
        // An unread last answer must not keep a closing connection open.
        let isUnsent = bytes > SocketLimits.unsentBytesMax || life == .closing && bytes > 0
        guard isOver || isUnsent else {
            pause = .none
            return
        }
        let until: Int64
        switch pause {
        case .none: until = now() + patience.stallMs
        case .unsent(let begun), .overShare(let begun): until = begun
        }
        pause = isOver ? .overShare(until: until) : .unsent(until: until)
    }

    /// Notes that all its bytes were dropped; the connection is closed next.
    mutating func cutOff() {
        life = .over
        mayRead = false
    }

    /// Whether the caller holds more than its share, and this connection holds part of that.
    var isOverShare: Bool {
        if case .overShare = pause { return true }
        return false
    }
}

/// What comes next.
extension ConnectionState {
    /// What the loop must do after an event.
    enum Next {
        case wait
        /// Read or answer more in the next turn.
        case goOn
        /// Close if no answer and no unsent byte is left.
        case closeWhenSettled
        /// Linger, if nothing waits to be sent.
        case lingerWhenSent
        /// Drop what arrives.
        case dropInput
        case close
    }

    /// The next action.
    ///
    /// A loop that drains closes connections that await no answer.
    @inline(__always)
    func next(isDraining: Bool) -> Next {
        switch life {
        case .open, .peerEnding:
            if isDraining, !hasMore { return .closeWhenSettled }
        case .peerEnded:
            if !hasMore { return .closeWhenSettled }
        case .gone:
            if !hasMore || isPaused { return .close }
        case .closing: return .lingerWhenSent
        case .lingering where isDraining: return .close
        case .lingering: return mayRead ? .dropInput : .wait
        case .over: return .close
        }
        return goesOn ? .goOn : .wait
    }

    /// Enters the list of those that continue in the next turn; false if it is in it or need not
    /// continue.
    mutating func queues() -> Bool {
        guard goesOn else { return false }
        isQueued = true
        return true
    }

    /// Notes that its turn has come.
    mutating func takesTurn() { isQueued = false }

    /// Enters the list of those with new bytes to send; false if it is in it already.
    mutating func becomesDirty() -> Bool {
        defer { isDirty = true }
        return !isDirty
    }

    /// Notes that the new bytes were handed to the socket.
    mutating func flushes() { isDirty = false }

    /// Whether requests are still read and answered.
    @inline(__always)
    var isRead: Bool { life != .closing && life != .lingering && life != .over }

    @inline(__always)
    var isPaused: Bool {
        if case .none = pause { return false }
        return true
    }

    /// Whether the socket may hold more, or a received frame is not yet answered.
    @inline(__always)
    private var hasMore: Bool {
        switch input {
        case .empty, .half: mayRead
        case .whole, .checked: true
        }
    }

    @inline(__always)
    private var goesOn: Bool { !isQueued && reading != .nothing }

    private mutating func lose() {
        switch life {
        case .open, .peerEnding, .peerEnded: life = .gone
        case .closing, .lingering: life = .over
        case .gone, .over: break
        }
    }
}
