import Entitlements
import Journal
import Synchronization
import Threads

/// Erases persons, all that wait together: the journal is checked once for them, the tables are
/// searched once, each erasure is decided in a group of its own, and the journal is rewritten once.
///
/// One thread, behind the others; nobody else waits while it reads.
final class Eraser: Workers.Worker {
    private let requests = BlockingQueue<ErasureRequest>(countMax: LedgerLimits.erasuresWaitingMax)
    private let isEnding = Ending()
    private let thread = Mutex<NamedThread?>(nil)

    /// Starts the thread, which has `work` done with those that wait, until `stop`.
    init(
        _ work: @escaping @Sendable ([ErasureRequest], _ isEnding: () -> Bool) -> Void
    ) throws(ThreadFailure) {
        let (requests, isEnding) = (requests, isEnding)
        let started = try NamedThread(
            named: "eraser",
            niceness: LedgerLimits.eraserNiceness
        ) {
            // A request that comes a moment later would otherwise wait for a pass of its own.
            while let waiting = requests.take(
                LedgerLimits.erasedTogetherMax,
                gathering: LedgerLimits.erasedTogetherMax,
                for: LedgerLimits.erasuresGatherMicroseconds
            ) {
                if isEnding.isSet {
                    for request in waiting { request.fail(.shuttingDown) }
                } else {
                    work(waiting) { isEnding.isSet }
                }
            }
        }
        thread.withLock { $0 = started }
    }

    func take(_ request: ErasureRequest) {
        switch requests.offer(request) {
        case nil: break
        case .full: request.fail(.overloaded)
        case .closed: request.fail(.shuttingDown)
        }
    }

    /// Ends the thread; what was journalled is finished before, what was not is refused.
    func stop() {
        isEnding.set()
        requests.close()
        thread.withLock { $0 }?.join()
    }
}

extension Ledger {
    /// Forgets a person; answered when no file of the data directory names them any more.
    ///
    /// May be called from any thread, and returns at once. Those who come while an erasure is under
    /// way wait, and are then erased together at the cost of one.
    ///
    /// - Parameters:
    ///   - order: whom.
    ///   - author: who wants it, for the history.
    ///   - onDecided: called once, when the erasure has its place among the commands, or never will
    ///     have one.
    ///   - completion: called once, with the erasure's own position, or with why it is not done.
    ///     `.damaged` before it was journalled: nothing was erased. Behind that the next erasure
    ///     and the next start finish it.
    package func erase(
        _ order: ErasureOrder,
        by author: Author? = nil,
        onDecided: @escaping @Sendable () -> Void = {},
        _ completion: @escaping WriteOrder.Completion
    ) {
        let request = ErasureRequest(
            order: order,
            author: author,
            onDecided: onDecided,
            completion: completion
        )
        do throws(LedgerFailure) {
            try runningEraser().take(request)
        } catch {
            request.fail(error)
        }
    }

    private func runningEraser() throws(LedgerFailure) -> Eraser {
        let eraser: Eraser?
        do throws(ThreadFailure) {
            eraser = try workers.running { () throws(ThreadFailure) in
                try Eraser { self.erase($0, isEnding: $1) }
            }
        } catch {
            throw LedgerFailure(error)
        }
        guard let eraser else { throw .shuttingDown }
        return eraser
    }

    /// Whether nobody is taken any more.
    var isErasingEnded: Bool { workers.areEnded }

    /// Erases all of `requests` in one pass.
    private func erase(_ requests: [ErasureRequest], isEnding: () -> Bool) {
        let search = search(for: requests.map(\.order.user))
        do throws(LedgerFailure) {
            try checkJournal(isEnding: isEnding)
            try search.run(isEnding: isEnding)
            if isEnding() { throw .shuttingDown }
        } catch {
            for request in requests { request.fail(error) }
            return
        }
        var decided: [(request: ErasureRequest, receipt: Receipt)] = []
        for request in requests {
            do throws(LedgerFailure) {
                let receipt = try decide(.command(.erase(request.order)), by: request.author)
                request.onDecided()
                decided.append((request, receipt))
            } catch {
                request.fail(error)
            }
        }
        withExtendedLifetime(search) {}
        if decided.isEmpty { return }
        var failure: LedgerFailure?
        // Also where there was nobody: an earlier call may have been cut short.
        do throws(LedgerFailure) { try finishErasures() } catch { failure = error }
        for (request, receipt) in decided {
            request.completion(failure.map { .failure($0) } ?? .success(receipt))
        }
    }

    /// Has the writer do something, and waits for it; again where too much waits before it.
    func decide(
        _ kind: WriteOrder.Kind,
        by author: Author? = nil
    ) throws(LedgerFailure) -> Receipt {
        while true {
            let answers = BlockingQueue<Result<Receipt, LedgerFailure>>(countMax: 1)
            queue.submit([WriteOrder(kind: kind, by: author) { _ = answers.offer($0) }])
            guard let answer = answers.take(1)?.first else { throw .shuttingDown }
            guard case .failure(.overloaded) = answer else { return try answer.get() }
            _ = answers.take(1, waiting: LedgerLimits.eraserPauseMilliseconds)
        }
    }
}

extension Ledger {
    /// Takes the names of everybody erased out of the files; returns when none stands there.
    ///
    /// Reads the whole journal. For a worker, never for the writer.
    ///
    /// Throws `.damaged` where a segment is not whole: then nothing was rewritten, and the erasure
    /// waits for the next call or the next start.
    package func finishErasures() throws(LedgerFailure) {
        do throws(LedgerFailure) {
            // What is rewritten must never be needed again to take real names out of the views.
            try checkpointer.settle()
            try erasures.finish(base, journal)
        } catch {
            throw faults.met(error)
        }
    }

    /// Reads the whole journal, so that nobody is erased by halves; for a worker.
    ///
    /// - Parameter isEnding: asked behind each group; the rest is not read once it is true.
    /// - Throws: `.damaged` where a segment cannot be read and so cannot be rewritten: an erasure
    ///   that was journalled cannot be taken back.
    package func checkJournal(isEnding: () -> Bool = { false }) throws(LedgerFailure) {
        do {
            var damage: String?
            try journal.read(after: nil, through: .max) { found in
                damage = found
                return false
            } _: { _, _ in
                !isEnding()
            }
            if let damage { throw JournalFailure.damaged(damage) }
        } catch {
            throw faults.met(error)
        }
    }
}

extension Ledger {
    /// A search for the rows about `users`, which the writer uses while somebody has it.
    package func search(for users: [UserID]) -> PersonSearch {
        PersonSearch(of: users, views, memtable, searches, faults)
    }
}
