// Sockets is the door for app servers and admins: two Unix sockets, and the threads that serve
// them. It moves bytes; Wire finds the requests in them, and Methods answers.
//
// In reading order:
//   RPCServer         below: opens the sockets, starts the threads, drains
//   SocketFile        a listening socket and its file, taken under a lock
//   Acceptor          deals connections to threads; AccessRules say what a caller may ask
//   RPCLoop           one thread: epoll, rounds, turns
//     +serving        a round: read, prefetch, answer, send; Visit is one connection's part of it
//     +limits         how much a connection may leave waiting, and for how long
//     +doubts         connections whose last read may have left bytes behind
//   ConnectionState   what a connection is in the midst of: pure, it decides what comes next
//   Connection        the rest of it: descriptor, bytes, conversation; ConnectionSlab holds all
//   LoopMailbox       what other threads tell a loop; LoopTimer wakes it after a while
//   LongFrame         a frame that is checked on a thread beside; FrameChecker is that thread
//   DoorBudget        what all callers may leave waiting; HalfFrames counts what has begun
//
// Its laws:
//   1. A connection belongs to one thread. Others name it by its token and post a message.
//   2. Edges are reported once: only a read that finds the socket empty forgets one. A read that
//      got less than it asked for forgets it too, but only until the connection is read again.
//   3. No connection waits long for another: a turn is bounded in requests and in bytes, and a
//      connection that has more continues after the others.
//   4. A connection that does not read its replies is not read either. Everything that waits is
//      bounded, charged to its caller, and given up after a time.
//   5. A request that was received whole before the other side left is still carried out.
//
// It never blocks outside epoll, never parses a request, and never trusts what a caller says of
// itself: uid, gid and process come from the kernel.

import CLinux
import Glibc
import Synchronization
import Threads
import Wire

/// The two Unix sockets and the threads that serve them.
package final class RPCServer: Sendable {
    /// The sockets to listen on, and the rules and limits that apply.
    package struct Configuration: Sendable {
        /// One socket.
        package struct Socket: Sendable {
            /// The path of its file.
            package var path: String
            /// Its permission bits.
            package var mode: UInt32
            /// The highest role that it gives.
            package var ceiling: Role
            /// How many connections it may have.
            package var connectionsMax: Int
            /// The bytes that one caller may leave waiting on it.
            package var callerBytesMax: Int
            /// The bytes that all its callers may leave waiting.
            package var totalBytesMax: Int

            /// Creates a socket.
            ///
            /// The connections of the admin socket are counted separately, so that no app can use
            /// them up.
            package init(path: String, mode: UInt32, ceiling: Role) {
                self.path = path
                self.mode = mode
                self.ceiling = ceiling
                let isAdmin = ceiling == .admin
                connectionsMax =
                    isAdmin ? SocketLimits.adminConnectionsMax : SocketLimits.connectionsMax
                callerBytesMax = isAdmin ? SocketLimits.adminBytesMax : SocketLimits.callerBytesMax
                totalBytesMax = isAdmin ? SocketLimits.adminBytesMax : SocketLimits.totalBytesMax
            }
        }

        /// The sockets, usually one for apps and one for admins.
        package var sockets: [Socket]
        /// The rules that give callers a lower role than the socket would.
        package var access: AccessRules
        /// The number of RPC threads.
        package var threads: Int
        /// The longest frame.
        package var frameBytesMax: Int
        /// What accepts a connection; replaced only in tests.
        var accept: Acceptor.Accept = { linux_accept($0) }
        /// The time limits of connections; shorter only in tests.
        var patience = Patience()

        /// Creates a configuration.
        package init(
            sockets: [Socket],
            access: AccessRules = AccessRules(),
            threads: Int = 2,
            frameBytesMax: Int = WireLimits.frameBytesMax
        ) {
            self.sockets = sockets
            self.access = access
            self.threads = threads
            self.frameBytesMax = frameBytesMax
        }
    }

    /// The counters of this server.
    package let counters: RPCCounters

    private let files: [SocketFile]
    let loops: [LoopMailbox]
    private let running: RunningLoops
    let halfFrames = HalfFrames()
    /// The budgets of the sockets, in the order of the configuration.
    let doors: [DoorBudget]
    private let trim: HeapTrim
    /// The checkers of long frames, one for each RPC thread.
    private let checkers: [FrameChecker]
    private let threads = Mutex<[NamedThread]>([])
    private let isStopping = Atomic<Bool>(false)

    /// Opens the sockets and starts the threads; on return, clients can connect.
    package static func start(
        _ configuration: Configuration,
        _ service: any FrameService
    ) throws(SocketFailure) -> RPCServer {
        precondition(
            (1...SocketLimits.threadsMax).contains(configuration.threads),
            "the number of threads is checked with the configuration"
        )
        signal(SIGPIPE, SIG_IGN)
        var files: [SocketFile] = []
        do throws(SocketFailure) {
            for socket in configuration.sockets {
                files.append(try SocketFile(path: socket.path, mode: socket.mode))
            }
            let server = try RPCServer(files: files, configuration)
            try server.startThreads(configuration, service)
            return server
        } catch {
            for file in files { file.close() }
            throw error
        }
    }

    /// How many connections there are.
    package var connections: Int {
        loops.reduce(0) { $0 + $1.connections.load(ordering: .relaxed) }
    }

    /// How many frames were checked by the frame checkers.
    var longFramesChecked: Int { checkers.reduce(0) { $0 + $1.checkedCount } }

    /// The waiting bytes of one socket's connections, by kind; the socket is identified by its
    /// index in the configuration.
    package func waitingBytes(
        at door: Int
    ) -> (unread: Int, halfRead: Int, unanswered: Int, watched: Int) {
        var sum = WaitingBytes.Parts()
        for loop in loops {
            let parts = loop.waiting[door].parts
            sum.unread += parts.unread
            sum.halfRead += parts.halfRead
            sum.unanswered += parts.unanswered
        }
        let watched = doors[door].bytes.watchedBytes
        return (sum.unread, sum.halfRead, sum.unanswered, watched)
    }

    /// Applies `rules` to callers from now on.
    ///
    /// Connections whose callers get another role are closed. Their unanswered requests have an
    /// unknown outcome, as when the daemon restarts.
    package func obey(_ rules: AccessRules) {
        _ = loops[0].mailbox.post(.obey(rules))
    }

    /// Stops the server: accepts no more connections, finishes the requests under way, then closes.
    ///
    /// Blocks until this is done. At the deadline all remaining connections are closed. A second
    /// call does nothing, because the descriptors may have been reused by then.
    package func drain(deadlineSeconds: Int) {
        guard !isStopping.exchange(true, ordering: .acquiringAndReleasing) else { return }
        for file in files { file.withdraw() }
        for loop in loops { _ = loop.mailbox.post(.drain) }
        running.waitUntilEmpty(milliseconds: deadlineSeconds * 1_000)
        for loop in loops { _ = loop.mailbox.post(.stop) }
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { thread.join() }
        // Close connections that were assigned to a thread after it had ended, so that they do not
        // leak.
        for loop in loops {
            for case .adopt(let arrival) in loop.mailbox.takeAll() {
                Glibc.close(arrival.descriptor)
                counters.countClosed(arrival)
            }
        }
        for checker in checkers { checker.stop() }
        for file in files { file.close() }
        trim.stop()
    }

    private init(
        files: [SocketFile],
        _ configuration: Configuration
    ) throws(SocketFailure) {
        self.files = files
        counters = RPCCounters(doors: files.count)
        running = RunningLoops(count: configuration.threads)
        do throws(ThreadFailure) {
            var loops: [LoopMailbox] = []
            for _ in 0..<configuration.threads {
                loops.append(try LoopMailbox(doors: files.count))
            }
            checkers = try loops.enumerated()
                .map { (number, loop) throws(ThreadFailure) in try FrameChecker(number, for: loop) }
            let trim = try HeapTrim()
            self.loops = loops
            self.trim = trim
            doors = configuration.sockets.map { socket in
                DoorBudget(
                    ByteBudget(
                        callerBytesMax: socket.callerBytesMax,
                        totalBytesMax: socket.totalBytesMax,
                        fallBytes: SocketLimits.trimBytes,
                        onFall: { trim.ring() }
                    )
                )
            }
        } catch {
            throw .system(action: "make a mailbox for", path: files[0].path, errno: error.errno)
        }
    }

    private func startThreads(
        _ configuration: Configuration,
        _ service: any FrameService
    ) throws(SocketFailure) {
        let path = configuration.sockets.first?.path ?? ""
        for (index, own) in loops.enumerated() {
            let epoll = linux_epoll_create()
            guard epoll >= 0 else {
                throw abandon(.system(action: "wait for", path: path, errno: -epoll))
            }
            let code = watch(own, in: epoll, isFirst: index == 0)
            guard code >= 0 else {
                close(epoll)
                throw abandon(.system(action: "watch", path: path, errno: -code))
            }
            let listeners = zip(files, configuration.sockets)
                .map {
                    Acceptor.Listener(
                        descriptor: $0.descriptor,
                        ceiling: $1.ceiling,
                        connectionsMax: $1.connectionsMax
                    )
                }
            do throws(ThreadFailure) {
                let thread = try NamedThread(named: "rpc-\(index)") {
                    [running, counters, halfFrames, doors, loops, checkers, configuration] in
                    var acceptor: Acceptor?
                    if index == 0 {
                        acceptor = Acceptor(
                            listeners: listeners,
                            rules: configuration.access,
                            loops: loops,
                            counters: counters,
                            accept: configuration.accept
                        )
                    }
                    var loop = RPCLoop(
                        epoll: epoll,
                        own: own,
                        worker: service.makeWorker(),
                        acceptor: acceptor,
                        counters: counters,
                        halfFrames: halfFrames,
                        checker: checkers[index],
                        doors: doors,
                        patience: configuration.patience,
                        frameBytesMax: configuration.frameBytesMax
                    )
                    loop.run()
                    running.oneEnded()
                }
                threads.withLock { $0.append(thread) }
            } catch {
                close(epoll)
                throw abandon(.system(action: "start a thread for", path: path, errno: error.errno))
            }
        }
    }

    private func watch(_ own: LoopMailbox, in epoll: Int32, isFirst: Bool) -> Int32 {
        let code = linux_epoll_add(
            epoll,
            own.mailbox.descriptor,
            LINUX_READABLE,
            RPCLoop.mailboxToken
        )
        guard code >= 0 else { return code }
        let timed = own.timer.watch(in: epoll, token: RPCLoop.timerToken)
        guard timed >= 0, isFirst else { return timed }
        for (index, file) in files.enumerated() {
            let token = RPCLoop.firstListenerToken - UInt64(index)
            let readable = LINUX_READABLE
            let code = linux_epoll_add(epoll, file.descriptor, readable, token)
            if code < 0 { return code }
        }
        return 0
    }

    /// Ends the threads that have started, so that a failed start leaves nothing behind.
    private func abandon(_ failure: SocketFailure) -> SocketFailure {
        trim.stop()
        for loop in loops { _ = loop.mailbox.post(.stop) }
        for thread in threads.withLock({ $0 }) { thread.join() }
        for checker in checkers { checker.stop() }
        return failure
    }
}

/// Counts the threads that still run.
private final class RunningLoops: Sendable {
    private let count: Atomic<Int>

    init(count: Int) { self.count = Atomic(count) }

    func oneEnded() { count.subtract(1, ordering: .acquiringAndReleasing) }

    /// Checks every five milliseconds, which is fast enough for a stop.
    func waitUntilEmpty(milliseconds: Int) {
        let end = RPCLoop.now() + Int64(milliseconds)
        while count.load(ordering: .acquiring) > 0, RPCLoop.now() < end { usleep(5_000) }
    }
}
