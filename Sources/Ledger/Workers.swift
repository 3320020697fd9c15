import Synchronization

/// What is done beside the writer, each on a thread of its own, until the ledger ends.
final class Workers: Sendable {
    /// One thread.
    protocol Worker: AnyObject, Sendable {
        /// Ends it; answers when it has ended.
        func stop()
    }

    /// Those that were started; nil once all were told to end.
    private let all = Mutex<[any Worker]?>([])

    /// Whether nobody is started any more.
    var areEnded: Bool { all.withLock { $0 == nil } }

    func add(_ worker: any Worker) {
        let isLate = all.withLock { all in
            all?.append(worker)
            return all == nil
        }
        if isLate { worker.stop() }
    }

    /// The first of its kind.
    func first<Kind: Worker>(_ kind: Kind.Type) -> Kind? {
        all.withLock { all in
            for case let worker as Kind in all ?? [] { return worker }
            return nil
        }
    }

    /// The one of its kind, which `start` starts where there is none; nil where all were told to
    /// end.
    func running<Kind: Worker, Failure: Error>(
        _ start: () throws(Failure) -> Kind
    ) throws(Failure) -> Kind? {
        try all.withLock { (all) throws(Failure) in
            guard let running = all else { return nil }
            for case let worker as Kind in running { return worker }
            let started = try start()
            all?.append(started)
            return started
        }
    }

    /// Ends all of them.
    func stop() {
        let running = all.withLock { all in
            defer { all = nil }
            return all
        }
        for worker in running ?? [] { worker.stop() }
    }
}
