/// What a connection is in the midst of: a value without a descriptor and without a clock.
///
/// The loop tells it what happened, and does what it answers. What belongs to one state alone
/// stands in the case of that state: there is a deadline exactly while somebody is waited for.
/// Times are milliseconds of a clock that never goes back; `now` is looked at only where a deadline
/// begins.
struct ConnectionState {
    /// Who may still send, and when it is closed.
    enum Life {
        /// Both sides may send.
        case open
        /// The other side has announced its end: it is read until that is reached.
        case peerEnding
        /// The end was read: what is owed is answered, then it is closed.
        case peerEnded
        /// Nothing can be sent any more. What was received whole is still carried out, as if its
        /// sender had waited.
        case gone
        /// Nothing more is answered; once everything is sent, the connection lingers.
        case closing
        /// Everything is sent and this side has ended. What still arrives is dropped, until the
        /// other side has ended too.
        case lingering
        /// It is closed next, whatever it holds.
        case over
    }

    /// What stands at the beginning of the bytes that have arrived and are not answered.
    enum Input: Equatable {
        case empty
        /// A part of a frame, which must be whole by `until`.
        ///
        /// It is counted among its user's once the other side owes the rest: while the socket may
        /// hold more, it is this thread that is behind.
        case half(until: Int64, isCounted: Bool)
        /// A whole frame behind a turn's end, or a length that is not allowed.
        case whole
        /// A whole frame that is checked elsewhere; nothing is read meanwhile.
        case checked
    }

    /// The same as the loop sees it.
    enum Rest {
        case nothing
        case partOfFrame
        case wholeFrame
        case frameBeingChecked
    }

    /// What the kernel has not taken.
    enum Output: Equatable {
        case sent
        /// Epoll reports when more can be sent; the next `mark` bytes must have left by `until`.
        case unsent(mark: Int, until: Int64)
    }

    /// Why it is not read for a while, and how long that is borne.
    enum Pause: Equatable {
        case none
        /// It does not take what it is sent.
        case unsent(until: Int64)
        /// Its caller holds more than its share, and this connection a part of that.
        case overShare(until: Int64)
    }

    private(set) var life = Life.open
    /// Whether the socket may hold more than was read: edges are reported once, so this remembers.
    private(set) var mayRead = false
    /// Whether it stands in the list of those that go on next turn.
    private(set) var isQueued = false
    /// Whether it stands in the list of those with something new to send.
    private(set) var isDirty = false
    private(set) var input = Input.empty
    private(set) var pause = Pause.none
    private(set) var output = Output.sent
    /// When it is closed whatever it does: where the caller may ask nothing, and where it lingers.
    private(set) var closesAt: Int64?

    init(refusedUntil: Int64? = nil) { closesAt = refusedUntil }
}

/// What epoll reports.
extension ConnectionState {
    /// There may be something to read.
    @inline(__always)
    mutating func readable() { mayRead = true }

    /// The other side has announced that it sends no more.
    mutating func peerAnnouncedEnd() {
        mayRead = true
        if life == .open { life = .peerEnding }
    }

    /// The other side is gone; what it sent before can still be read.
    mutating func hungUp() {
        mayRead = true
        lose()
    }
}

/// Reading.
extension ConnectionState {
    /// What a visit reads.
    enum Reading {
        case nothing
        /// The socket, into the memory of the round.
        case socket
        /// The socket, behind a half frame.
        case restOfFrame
        /// Nothing: whole frames wait.
        case ownInput
    }

    /// What a read gave.
    enum Received {
        /// As many bytes as were asked for.
        case full
        /// Fewer.
        case short
        case end
        case nothing
        case interrupted
        case failed
    }

    /// What is read now.
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
            // A stream that gave less than asked is empty, unless its end is still to be read.
            if life == .open { mayRead = false }
        case .nothing: mayRead = false
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

/// Frames.
extension ConnectionState {
    /// What happens to the place of a frame among the half frames of its user.
    enum HalfFrameChange {
        case none
        case enters
        case leaves
        /// It makes place for another of the same connection, the youngest of all.
        case renews
    }

    /// Notes what stands at the beginning of the input; a new frame has a time of its own.
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
        // A closed connection gets no answer to what it sent behind its last frame.
        case .nothing, .partOfFrame, .wholeFrame, .frameBeingChecked: input = .empty
        }
        switch (wasCounted, isCountedHalf) {
        case (false, false): return .none
        case (false, true): return .enters
        case (true, false): return .leaves
        case (true, true): return isNewFrame ? .renews : .none
        }
    }

    /// A read gave nothing of the rest of a frame.
    mutating func gotNoRest() -> HalfFrameChange {
        guard case .half(let until, false) = input, !mayRead else { return .none }
        input = .half(until: until, isCounted: true)
        return .enters
    }

    /// Whether anything that has arrived is not answered.
    @inline(__always)
    var hasInput: Bool {
        if case .empty = input { return false }
        return true
    }

    /// Whether the other side owes the rest of a frame.
    var isHalf: Bool {
        if case .half = input { return true }
        return false
    }

    /// Whether that frame is counted among its user's.
    var isCountedHalf: Bool {
        if case .half(_, true) = input { return true }
        return false
    }

    /// The last frame was answered: nothing more is, and the connection lingers once that is sent.
    mutating func closes() {
        switch life {
        case .open, .peerEnding, .peerEnded: life = .closing
        case .gone: life = .over
        case .closing, .lingering, .over: break
        }
    }

    /// Everything is sent: the other side has until `deadline` to read it and to end.
    ///
    /// A connection that is closed while the other side writes fails that write, and many clients
    /// then never read the error that tells them why.
    mutating func lingers(until deadline: Int64) {
        life = .lingering
        closesAt = min(deadline, closesAt ?? .max)
        mayRead = true
    }
}

/// Sending.
extension ConnectionState {
    /// What the loop does about bytes that are not sent.
    enum OutputAction {
        case nothing
        /// Ask epoll for room.
        case awaitRoom
        /// Ask for it no longer.
        case forgetRoom
    }

    /// Whether anything can be sent.
    @inline(__always)
    var canSend: Bool { life != .gone && life != .lingering && life != .over }

    /// Sending failed: the other side is gone.
    mutating func sendFailed() { lose() }

    /// The kernel has taken so many bytes of what waited.
    mutating func sent(_ bytes: Int) {
        if case .unsent(let mark, let until) = output {
            output = .unsent(mark: mark - bytes, until: until)
        }
    }

    /// So many bytes are left unsent.
    ///
    /// What waits now must have left some time later, and then what waits then: whoever takes a
    /// byte now and then does not escape.
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

    /// Notes whether its caller holds more than its share, and this connection a part of that.
    ///
    /// Too much of either kind stops reading, for a while and then for ever.
    mutating func noteShare(
        isOver: Bool,
        unsent bytes: Int,
        at now: @autoclosure () -> Int64,
        _ patience: Patience
    ) {
        // A last word that nobody takes must not keep a closing connection either.
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

    /// Everything it held was dropped: it is closed next.
    mutating func cutOff() {
        life = .over
        mayRead = false
    }

    /// Whether its caller holds more than its share, and this connection a part of that.
    var isOverShare: Bool {
        if case .overShare = pause { return true }
        return false
    }
}

/// What comes next.
extension ConnectionState {
    /// What the loop does after anything has happened.
    enum Next {
        case wait
        /// Read or answer more, next turn.
        case goOn
        /// Close, if nothing is owed to the other side.
        case closeWhenSettled
        /// Linger, if nothing waits to be sent.
        case lingerWhenSent
        /// Drop what arrives.
        case dropInput
        case close
    }

    /// What follows; a loop that drains closes whoever is owed nothing.
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

    /// Takes a place among those that go on next turn; false where it has one, or need not go on.
    mutating func queues() -> Bool {
        guard goesOn else { return false }
        isQueued = true
        return true
    }

    /// Its turn has come.
    mutating func takesTurn() { isQueued = false }

    /// Takes a place among those with something new to send; false where it has one.
    mutating func becomesDirty() -> Bool {
        defer { isDirty = true }
        return !isDirty
    }

    /// What is new was sent.
    mutating func flushes() { isDirty = false }

    /// Whether anything is read or answered any more.
    @inline(__always)
    var isRead: Bool { life != .closing && life != .lingering && life != .over }

    @inline(__always)
    private var isPaused: Bool {
        if case .none = pause { return false }
        return true
    }

    /// Whether something may be received, or was received whole, that is not answered.
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

/// Deadlines.
extension ConnectionState {
    /// Connections whose time is over.
    enum Due: Equatable {
        case nothing
        /// The frame that has begun is not whole.
        case frame
        /// What waited has not been read.
        case unread
        /// A caller who may ask nothing is still there.
        case refusal
        /// The other side has heard that this one has ended, and has not ended itself.
        case linger
        /// It holds too much that it does not read.
        case stall
        /// Its caller holds too much; `isOver` once that has been borne long enough.
        case overShare(isOver: Bool)
    }

    /// Whether anybody is waited for.
    var hasDeadline: Bool {
        isHalf || output != .sent || isPaused || closesAt != nil
    }

    /// What is over at `now`; the first of several.
    func due(at now: Int64) -> Due {
        if case .half(let until, _) = input, now >= until { return .frame }
        if case .unsent(_, let until) = output, now >= until { return .unread }
        if let closesAt, now >= closesAt { return life == .lingering ? .linger : .refusal }
        switch pause {
        case .none: return .nothing
        case .unsent(let until): return now >= until ? .stall : .nothing
        case .overShare(let until): return .overShare(isOver: now >= until)
        }
    }
}
