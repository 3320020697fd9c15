import Synchronization
import Threads
import Wire

/// A frame whose check would keep other connections waiting.
///
/// `FrameChecker` checks it first, then its RPC thread answers it.
///
/// Its bytes stay in the `input` of its connection, which neither grows nor shrinks meanwhile. If
/// the connection is closed before the check ends, the memory is moved here.
final class LongFrame: @unchecked Sendable {
    // SAFETY: the bytes are only read. `ahead` is set before the frame is posted to its RPC thread,
    // `kept` by that thread; nobody reads `kept`, and it is freed with the last reference.
    let connection: UInt64
    let session: Session
    /// The body of the frame.
    let bytes: UnsafeRawBufferPointer
    fileprivate(set) var ahead: AheadReader?
    private var kept = ByteQueue()

    init(_ bytes: UnsafeRawBufferPointer, of connection: UInt64, _ session: Session) {
        self.bytes = bytes
        self.connection = connection
        self.session = session
    }

    /// Keeps the memory that contains the bytes.
    func keep(_ input: consuming ByteQueue) { kept = input }
}

/// Checks the long frames of one RPC thread on a separate thread, which gives way to all others.
///
/// Callers take turns. Only one frame at a time is checked or waits for its answer, so the memory
/// of a check, at worst 64 times the frame's size, is needed once.
final class FrameChecker: Sendable {
    private let queue = TurnQueue<LongFrame>(
        TurnLimits(
            all: SocketLimits.longFramesMax,
            perCaller: SocketLimits.longFramesMax,
            perSession: 1
        )
    )
    private let answered = BlockingQueue<Bool>(countMax: 1)
    private let thread: NamedThread
    private let count = Atomic<Int>(0)

    /// Starts the thread, which returns checked frames to `loop`.
    init(_ number: Int, for loop: LoopMailbox) throws(ThreadFailure) {
        let (queue, answered, ahead) = (queue, answered, AheadReader())
        thread = try NamedThread(
            named: "frames-\(number)",
            isLast: true
        ) {
            while let (frame, place) = queue.take() {
                // Nobody waits for the frame of a closed connection.
                if frame.session.isOpen {
                    ahead.check(frame.bytes)
                    frame.ahead = ahead
                    // The mailbox has room: there is at most one such message for each RPC thread.
                    if loop.mailbox.post(.checked(frame)) { _ = answered.take(1) }
                    ahead.forget()
                }
                queue.finish(place)
            }
        }
    }

    /// How many frames it has checked.
    var checkedCount: Int { count.load(ordering: .relaxed) }

    /// Queues a frame to be checked; false if the checker is stopping.
    func check(_ frame: LongFrame) -> Bool {
        let place = TurnPlace(caller: frame.session.caller.uid, session: frame.session.id)
        guard queue.offer(frame, from: place) == nil else { return false }
        count.add(1, ordering: .relaxed)
        return true
    }

    /// Notes that the last posted frame was answered, so the next can be checked.
    func goOn() { _ = answered.offer(true) }

    /// Ends the thread.
    ///
    /// Waiting frames are still checked, but not answered.
    func stop() {
        queue.close()
        answered.close()
        thread.join()
    }
}
