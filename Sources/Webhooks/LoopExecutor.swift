import NIOCore

/// Runs a task on one event loop, between what arrives there.
///
/// An answer waits for others most of its time. Run here, it costs no thread of its own to wake.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
