import Threads

/// Runs a task on a thread of its own, so that a test may wait for it without holding one of the
/// few threads that all tasks share.
final class ThreadExecutor: TaskExecutor {
    private let jobs = BlockingQueue<UnownedJob>(countMax: 1_000)

    /// What `work` answers; nil where there is no thread for it, or it took half a minute.
    static func result<Value: Sendable>(
        of work: @escaping @Sendable () async -> Value
    ) -> Value? {
        let executor = ThreadExecutor()
        let results = BlockingQueue<Value>(countMax: 1)
        defer { executor.jobs.close() }
        guard (try? NamedThread(named: "test-task") { executor.run() }) != nil else { return nil }
        Task(executorPreference: executor) { _ = results.offer(await work()) }
        return results.take(1, waiting: 30_000)?.first
    }

    func enqueue(_ job: consuming ExecutorJob) { _ = jobs.offer(UnownedJob(job)) }

    private func run() {
        while let job = jobs.take(1, waiting: 30_000)?.first {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
