import Entitlements
import Journal
import Synchronization
import Threads

/// Erases persons.
///
/// All waiting requests share one pass: the journal is checked once, the tables are searched once,
/// each erasure is decided in its own group, and the journal is rewritten once.
///
/// It has one thread of low priority; no other thread waits while it reads.
final class Eraser: Workers.Worker {
    private let requests = BlockingQueue<ErasureRequest>(countMax: LedgerLimits.erasuresWaitingMax)
    private let isEnding = Ending()
    private let thread = Mutex<NamedThread?>(nil)

    /// Starts the thread, which calls `work` with the waiting requests until `stop`, and now and
    /// then with none, for what is unfinished.
    init(
        _ work: @escaping @Sendable ([ErasureRequest], _ isEnding: () -> Bool) -> Void
    ) throws(ThreadFailure) {
        let (requests, isEnding) = (requests, isEnding)
        let started = try NamedThread(
            named: "eraser",
            niceness: LedgerLimits.eraserNiceness
        ) {
            // Wait a little, so that requests that come shortly after the first share its pass.
            while let waiting = requests.take(
                LedgerLimits.erasedTogetherMax,
                waiting: LedgerLimits.eraserRetryMilliseconds,
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

    /// Ends the thread.
    ///
    /// Journalled erasures are finished first; the others are refused.
    func stop() {
        isEnding.set()
        requests.close()
        thread.withLock { $0 }?.join()
    }
}

extension Ledger {
    /// Erases a person; answers when neither journal, base nor tables contain their names.
    ///
    /// May be called from any thread, and returns immediately. Requests that come during an erasure
    /// wait, and then share one pass.
    ///
    /// - Parameters:
    ///   - order: the person to erase.
    ///   - author: the author of the request, for the history.
    ///   - onDecided: called once, when the erasure is decided or, with nil, refused.
    ///   - completion: called once, with the erasure's own position or a failure. If the failure
    ///     came before the erasure was journalled, nothing was erased (`.damaged`: the journal or a
    ///     row cannot be read). After that, the next erasure, or the next hour, finishes it.
    package func erase(
        _ order: ErasureOrder,
        by author: Author? = nil,
        onDecided: @escaping @Sendable (Receipt?) -> Void = { _ in },
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

    /// Whether new requests are refused.
    var isErasingEnded: Bool { workers.areEnded }

    /// Has erasures that a start could not finish tried again from time to time.
    package func startFinishingErasures() throws(LedgerFailure) {
        if erasures.isMarked { _ = try runningEraser() }
    }

    /// Erases all of `requests` in one pass.
    private func erase(_ requests: [ErasureRequest], isEnding: () -> Bool) {
        if requests.isEmpty {
            // What hinders it was reported when it was met.
            if erasures.isMarked { try? finishErasures() }
            return
        }
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
                request.onDecided(receipt)
                decided.append((request, receipt))
            } catch {
                request.fail(error)
            }
        }
        withExtendedLifetime(search) {}
        if decided.isEmpty { return }
        var failure: LedgerFailure?
        // Needed even if these persons were unknown: an earlier erasure may be unfinished.
        do throws(LedgerFailure) { try finishErasures() } catch { failure = error }
        for (request, receipt) in decided {
            request.completion(failure.map { .failure($0) } ?? .success(receipt))
        }
    }

    /// Gives the writer an order and waits for the answer; tries again while the queue is full.
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
    /// Removes the names of all erased persons from the files; returns when none is left.
    ///
    /// Reads the whole journal. To be called on a worker's thread, never on the writer's.
    ///
    /// Throws `.damaged` if a segment is damaged. Nothing was rewritten then, and the erasure waits
    /// for the next call, the next hour or the next start.
    package func finishErasures() throws(LedgerFailure) {
        do throws(LedgerFailure) {
            // Store the views first: after the rewriting, the journal could no longer tell a replay
            // which real names to remove from them.
            try checkpointer.settle()
            try erasures.finish(base, journal, beside: views)
        } catch {
            throw faults.met(error)
        }
    }

    /// Reads the whole journal on a worker's thread, so that no erasure begins that cannot be
    /// finished.
    ///
    /// - Parameter isEnding: asked after each group; the reading ends when it is true.
    /// - Throws: `.damaged` if a segment cannot be read, and so could not be rewritten. A
    ///   journalled erasure cannot be undone, so it must not be journalled then.
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
    /// A search for the rows about `users`.
    ///
    /// The writer uses its findings as long as it exists.
    package func search(for users: [UserID]) -> PersonSearch {
        PersonSearch(of: users, views, memtable, searches, faults)
    }
}
