import Synchronization
import Threads
import Wire

/// A frame whose check would keep others waiting: `FrameChecker` checks it, and only then its RPC
/// thread answers it.
///
/// Its bytes stay in the `input` of its connection, which neither grows nor shrinks meanwhile. A
/// connection that is forgotten before leaves them here.
final class LongFrame: @unchecked Sendable {
    // SAFETY: the bytes are only read. `ahead` is set before the frame is posted to its RPC thread,
    // `kept` by that thread; nobody reads `kept`, and it is freed with the last reference.
    let connection: UInt64
    let session: Session
    /// The body.
    let bytes: UnsafeRawBufferPointer
    fileprivate(set) var ahead: AheadReader?
    private var kept = ByteQueue()

    init(_ bytes: UnsafeRawBufferPointer, of connection: UInt64, _ session: Session) {
        self.bytes = bytes
        self.connection = connection
        self.session = session
    }

    /// Keeps the memory in which the bytes lie.
    func keep(_ input: consuming ByteQueue) { kept = input }
}

/// Checks the long frames of one RPC thread on a thread of its own, which gives way to those that
/// answer.
///
/// Callers take turns. One frame at a time is checked and waits for its answer: what a check takes,
/// 64 times the frame's bytes at worst, is taken once.
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

    /// Starts the thread, whose frames go back to `loop`.
    init(_ number: Int, for loop: LoopMailbox) throws(ThreadFailure) {
        let (queue, answered, ahead) = (queue, answered, AheadReader())
        thread = try NamedThread(
            named: "frames-\(number)",
            niceness: SocketLimits.checkerNiceness
        ) {
            while let (frame, place) = queue.take() {
                // Of a connection that is gone nobody waits for it any more.
                if frame.session.isOpen {
                    ahead.check(frame.bytes)
                    frame.ahead = ahead
                    // There is room in the box: one such message for each RPC thread.
                    if loop.mailbox.post(.checked(frame)) { _ = answered.take(1) }
                    ahead.forget()
                }
                queue.finish(place)
            }
        }
    }

    /// How many frames it has taken.
    var checkedCount: Int { count.load(ordering: .relaxed) }

    /// Has a frame checked; false where nothing is taken any more.
    func check(_ frame: LongFrame) -> Bool {
        let place = TurnPlace(caller: frame.session.caller.uid, session: frame.session.id)
        guard queue.offer(frame, from: place) == nil else { return false }
        count.add(1, ordering: .relaxed)
        return true
    }

    /// The frame that was posted last is done with.
    func goOn() { _ = answered.offer(true) }

    /// Ends the thread; what waits is checked, and answered by nobody.
    func stop() {
        queue.close()
        answered.close()
        thread.join()
    }
}
