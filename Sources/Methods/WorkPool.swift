import Ledger
import Threads

/// A few threads for what takes longer than a look-up: signatures, statuses after a write, dumps.
///
/// They keep RPC threads and the writer free, and give way to them where cores are few. Each has a
/// reader of its own.
final class WorkPool: Sendable {
    typealias Job = @Sendable (LedgerReader) -> Void

    private let queue = BlockingQueue<Job>(countMax: MethodLimits.jobsMax)
    private let threads: [NamedThread]

    init(_ ledger: Ledger) throws {
        var threads: [NamedThread] = []
        for number in 1...MethodLimits.workersCount {
            // Made here, where a failure can be told, then used by its thread alone.
            let reader = Carried(try LedgerReader(ledger))
            threads.append(
                try NamedThread(
                    named: "worker-\(number)",
                    niceness: MethodLimits.workersNiceness
                ) { [queue] in
                    while let jobs = queue.take(1) {
                        for job in jobs { job(reader.value) }
                        reader.value.rest()
                    }
                }
            )
        }
        self.threads = threads
    }

    /// Queues `job`; answers false when there is too much to do already.
    func run(_ job: @escaping Job) -> Bool { queue.offer(job) == nil }

    func stop() {
        queue.close()
        for thread in threads { thread.join() }
    }
}

/// Carries a value to the one thread that uses it.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
