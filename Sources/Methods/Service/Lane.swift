import Glibc
import Ledger
import Synchronization
import Threads
import Wire

/// Threads and a bounded queue for one kind of work that takes longer than a look-up.
///
/// Each thread has a reader of its own. One job of each session is under way at a time, and callers
/// take turns (`TurnQueue`), so that callers who ask for much delay only themselves.
final class Lane: Sendable {
    typealias Work = @Sendable (LedgerReader) -> Void

    /// What is done instead of a job whose session has ended.
    typealias Drop = @Sendable () -> Void

    private struct Job: Sendable {
        let work: Work
        let session: Session?
        let drop: Drop?
    }

    /// What the threads share with the lane.
    private final class Board: Sendable {
        let queue: TurnQueue<Job>
        let orders: OrderBasket
        let dropped = Atomic<Int>(0)

        init(_ limits: TurnLimits, _ orders: OrderBasket) {
            queue = TurnQueue(limits)
            self.orders = orders
        }

        func run(_ reader: LedgerReader) {
            while let (job, place) = queue.take() {
                if let drop = job.drop, job.session?.isOpen == false {
                    dropped.add(1, ordering: .relaxed)
                    drop()
                } else {
                    job.work(reader)
                    reader.rest()
                }
                orders.settle(isIdle: queue.finish(place) == 0)
                // Who waits for the processor comes in between two jobs, and not at the system's
                // next tick.
                sched_yield()
            }
        }
    }

    let name: LaneName
    private let board: Board
    private let threads: [NamedThread]
    /// Numbers for work that belongs to no session; they count down, those of sessions up.
    private let lastNumber = Atomic<UInt64>(.max)

    init(_ name: LaneName, _ ledger: Ledger) throws {
        self.name = name
        let bounds = name.bounds
        let orders = OrderBasket(ledger, countMax: bounds.ordersTogether)
        let board = Board(bounds.waiting, orders)
        self.board = board
        threads = try (1...bounds.workers)
            .map { number in
                // Made here, where a failure can be told, then used by its thread alone.
                let reader = Carried(try LedgerReader(ledger))
                return try NamedThread(
                    named: "\(name.rawValue)-\(number)",
                    niceness: bounds.niceness,
                    isLast: bounds.isLast
                ) { board.run(reader.value) }
            }
    }

    /// Queues `work`.
    ///
    /// - Parameters:
    ///   - session: who asked; nil for what comes from elsewhere, which waits for nothing else.
    ///   - drop: called in the place of `work` if the session has ended before; nil for what is
    ///     carried out all the same.
    ///   - work: what is to be done, on one of the lane's threads.
    /// - Returns: false where too much waits; then nothing is called.
    func run(
        for session: Session?,
        orDrop drop: Drop? = nil,
        _ work: @escaping Work
    ) -> Bool {
        let number = session?.id ?? lastNumber.subtract(1, ordering: .relaxed).newValue
        let place = TurnPlace(caller: session?.caller.uid ?? .max, session: number)
        return board.queue.offer(Job(work: work, session: session, drop: drop), from: place) == nil
    }

    /// Takes in what a job of this lane orders from the ledger.
    func submit(_ order: WriteOrder) { board.orders.add(order) }

    /// How many jobs wait.
    var depth: Int { board.queue.depth }

    /// How many were not taken because too much waited.
    var refused: Int { board.queue.refused }

    /// How many were not done because their session had ended.
    var dropped: Int { board.dropped.load(ordering: .relaxed) }

    /// Takes nothing more, and waits until what waits is done.
    func stop() {
        board.queue.close()
        for thread in threads { thread.join() }
    }
}
