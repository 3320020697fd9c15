import Glibc
import JSON

/// A watch that outlives its connection, for threads that may block.
///
/// The first connection must succeed; one that is lost later is made again, with growing pauses,
/// and the watch goes on where it was.
package struct WatchFeed: ~Copyable {
    /// What the next wait came to.
    package enum News {
        /// The daemon watches; what comes after this position is told.
        case joined(seq: Int64)
        /// A notification, by its method and its parameters.
        case told(method: String, parameters: JSONObject)
        /// The connection was lost; the next call makes another one.
        case lost(ClientError)
        /// Somebody rang the bell.
        case rung
    }

    /// Where and what is watched.
    package struct Subject: Sendable {
        let place: DaemonPlace
        let users: [String]?
        let fromSeq: Int64?
        let timeout: Duration
        let frameBytesMax: Int

        /// The users `users`, or everybody, at the daemon that listens at `place`.
        package init(
            at place: DaemonPlace,
            users: [String]?,
            fromSeq: Int64?,
            timeout: Duration,
            frameBytesMax: Int
        ) {
            self.place = place
            self.users = users
            self.fromSeq = fromSeq
            self.timeout = timeout
            self.frameBytesMax = frameBytesMax
        }
    }

    private let subject: Subject
    private let bell: Int32
    private var cursor: WatchCursor
    private var connection: Connection?
    /// In the place of a connection, over HTTPS.
    private var door: DoorWatch?
    private var hasJoined = false
    private var pause = 0

    /// A watch of `subject` that a byte at the descriptor `bell` interrupts; -1 for none.
    package init(_ subject: Subject, interruptedBy bell: Int32 = -1) {
        self.subject = subject
        self.bell = bell
        cursor = WatchCursor(after: subject.fromSeq)
    }

    /// Waits for what comes next.
    package mutating func next() throws(ClientError) -> News {
        do {
            guard connection != nil || door != nil else { return try joined() }
            while let (method, parameters) = try notification() {
                guard cursor.admits(method, parameters) else { continue }
                pause = 0
                return .told(method: method, parameters: parameters)
            }
            return .rung
        } catch {
            connection = nil
            door = nil
            guard hasJoined, error.retryable else { throw error }
            return .lost(error)
        }
    }

    /// The next notification, by its method and its parameters; nil when the bell rang.
    private mutating func notification() throws(ClientError) -> (String, JSONObject)? {
        let deadline = Deadline(after: .milliseconds(ClientLimits.watchSilenceMillisecondsMax))
        if let door { return try door.next(until: deadline, interruptedBy: bell) }
        while let message = try connection?.notification(until: deadline, interruptedBy: bell) {
            guard let method = message["method"]?.string,
                let parameters = message["params"]?.object
            else { continue }
            return (method, parameters)
        }
        return nil
    }

    private mutating func joined() throws(ClientError) -> News {
        // The socket would tell of nobody, and HTTPS, where no user is named, of everybody.
        guard subject.users?.isEmpty != true else {
            throw .invalid("a list of users to watch names one at least; nil is everybody")
        }
        guard rest() else { return .rung }
        pause = min(
            max(pause * 2, ClientLimits.watchPauseMillisecondsFirst),
            ClientLimits.watchPauseMillisecondsMax
        )
        let seq =
            switch subject.place {
            case .socket(let path): try connect(to: path)
            case .door(let door): try connect(to: door)
            }
        hasJoined = true
        return .joined(seq: seq)
    }

    private mutating func connect(to remote: RemoteDoor) throws(ClientError) -> Int64 {
        let fresh = try DoorWatch(
            remote,
            users: subject.users,
            fromSeq: cursor.position,
            until: Deadline(after: subject.timeout)
        )
        guard let seq = cursor.position ?? fresh.joinedAt else {
            throw .malformedReply("a watch does not begin with what is documented")
        }
        door = fresh
        // The daemon does not say where it stands itself: behind a resync everything is told from
        // `oldest` on.
        cursor.join(at: cursor.position == nil ? seq : 0)
        return seq
    }

    private mutating func connect(to path: String) throws(ClientError) -> Int64 {
        var fresh = try Connection(
            to: path,
            timeout: subject.timeout,
            frameBytesMax: subject.frameBytesMax
        )
        var parameters: JSONObject = [:]
        if let users = subject.users {
            parameters["userIds"] = .array(users.map { .string($0) })
        }
        parameters["fromSeq"] = cursor.position.map { .integer($0) }
        guard let seq = try fresh.call("watch", parameters)["seq"]?.int64 else {
            throw .malformedReply("seq in the result of watch is not what is documented")
        }
        connection = consume fresh
        cursor.join(at: seq)
        return seq
    }

    /// Waits before another attempt; false when the bell rang meanwhile.
    private func rest() -> Bool {
        guard pause > 0 else { return true }
        // Half of the pause is random, so that a crowd does not come back together.
        let milliseconds = Int32(Int.random(in: pause / 2...pause))
        var entry = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        // SAFETY: poll writes only to the one entry it was given, and passes over -1.
        return poll(&entry, 1, milliseconds) <= 0
    }
}
