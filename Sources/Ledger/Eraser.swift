import Entitlements
import Synchronization
import Threads

/// Whom somebody wants to have forgotten, and whom to tell.
package struct ErasureRequest: Sendable {
    /// Whom, and under which secret.
    let order: ErasureOrder
    /// Who wants it.
    let author: Author?
    /// Called once the erasure is decided, or never will be: what is asked of the user from then on
    /// comes after it.
    let onDecided: @Sendable () -> Void
    /// Called once, with the erasure's own position, when no file names the person any more.
    let completion: WriteOrder.Completion

    fileprivate func fail(_ failure: LedgerFailure) {
        onDecided()
        completion(.failure(failure))
    }
}

/// Erases persons, all that wait together: the journal is checked once for them, the tables are
/// searched once, each erasure is decided in a group of its own, and the journal is rewritten once.
///
/// One thread, behind the others; nobody else waits while it reads.
final class Eraser: Sendable {
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
            // Who comes a moment later would otherwise wait for a pass of their own.
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
        var failure: LedgerFailure?
        let eraser: Eraser? = eraser.withLock { stage in
            switch stage {
            case .ended: return nil
            case .running(let eraser): return eraser
            case .unstarted:
                do throws(ThreadFailure) {
                    let eraser = try Eraser { self.erase($0, isEnding: $1) }
                    stage = .running(eraser)
                    return eraser
                } catch {
                    failure = LedgerFailure(error)
                    return nil
                }
            }
        }
        guard let eraser else { throw failure ?? .shuttingDown }
        return eraser
    }

    /// Whether nobody is taken any more.
    var isErasingEnded: Bool {
        eraser.withLock { if case .ended = $0 { true } else { false } }
    }

    /// Takes nobody any more; waits for the erasures under way.
    func stopErasing() {
        let before = eraser.withLock { stage in
            defer { stage = .ended }
            return stage
        }
        if case .running(let eraser) = before { eraser.stop() }
    }

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

/// Whether there is somebody who erases.
enum EraserStage: Sendable {
    case unstarted
    case running(Eraser)
    case ended
}
