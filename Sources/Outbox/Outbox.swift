// Outbox tells other systems what changed for users: it reads the journal and posts each change to
// every receiver, signed as Standard Webhooks say.
//
// In reading order:
//   Outbox             below: a thread for each receiver, and what is asked of them
//   Courier            what such a thread does, round by round
//   ChangeSource       what it reads the journal with; Postbox, what it posts with
//   WaitingList        what waits for a receiver: order, pauses, what is given up
//   Letter             one post; WebhookSecret signs it, ReceiverConnection sends it
//   OutboxRecord       how far an outbox is, on disk
//
// Its laws:
//   1. The journal is the queue: on disk is only how far an outbox is, and no user's name but of an
//      erasure that is still to be told.
//   2. Of one user's changes the next is posted when the one before was delivered or given up.
//   3. A change is posted at least once, always under the same id; what says something else has
//      another.
//   4. What was given up and cannot be told again stays listed.
//   5. A receiver that is slow, or away, delays no other receiver and no write.
//
// It never decides what a change is, and opens neither the database nor the journal itself.

import Entitlements
import Files
import Glibc
import JSON
import Methods
import Telemetry
import Threads
import Wire

/// The outboxes of this daemon, one for each receiver.
package final class Outbox: OutboxDesk {
    private typealias Work = @Sendable (Courier) -> Void

    private struct Branch: Sendable {
        let name: String
        let queue: BlockingQueue<Work>
        let thread: NamedThread
    }

    private let branches: [Branch]

    /// Begins to tell these receivers.
    ///
    /// - Parameters:
    ///   - receivers: whom; their names are different.
    ///   - directory: where the outboxes note how far they are; it is there.
    ///   - version: the daemon's, for the posts.
    ///   - metrics: counts; made with the names of the receivers.
    ///   - report: hears what is to be logged.
    ///   - makeReader: makes what one of them reads the journal with.
    /// - Throws: where there is no thread, or no place for one more reader.
    package init(
        _ receivers: [ReceiverSettings],
        in directory: String,
        version: String,
        metrics: Metrics,
        report: @escaping @Sendable (OutboxNotice) -> Void,
        reader makeReader: () throws(RPCFailure) -> ChangeReader
    ) throws {
        var branches: [Branch] = []
        for receiver in receivers {
            let queue = BlockingQueue<Work>(countMax: OutboxLimits.workMax)
            let courier = Courier(
                receiver,
                try makeReader(),
                SmallFile(
                    "outbox-\(receiver.name).json",
                    in: directory,
                    bytesMax: OutboxLimits.fileBytesMax
                ),
                ReceiverConnection(receiver, userAgent: "entitld/\(version)"),
                metrics: metrics,
                report: report
            ) { work in
                // Closed, it hears of no answer any more: what was under way is posted again.
                while queue.offer(work) == .full { usleep(1_000) }
            }
            let carried = Carried(courier)
            let thread = try NamedThread(named: "outbox", niceness: OutboxLimits.niceness) {
                let courier = carried.value
                while let work = queue.take(64, waiting: courier.patience) {
                    for body in work { body(courier) }
                    courier.turn()
                }
                courier.stop()
            }
            branches.append(Branch(name: receiver.name, queue: queue, thread: thread))
        }
        self.branches = branches
    }

    /// Ends all of them; back once each has noted how far it is.
    package func stop() {
        for branch in branches { branch.queue.close() }
        for branch in branches { branch.thread.join() }
    }

    package func states() async -> [JSONObject] {
        var states: [JSONObject] = []
        for branch in branches {
            if let state = await Self.ask(branch, { $0.state() }) { states.append(state) }
        }
        return states
    }

    package func retry(
        _ name: String,
        _ id: String?
    ) async throws(RPCFailure) -> (retried: Int, stillParked: Int) {
        let id = id.map { LetterID($0) }
        return await Self.ask(try branch(name)) { $0.retry(id) } ?? (0, 0)
    }

    package func tellEverything(_ name: String) async throws(RPCFailure) {
        await Self.ask(try branch(name)) { $0.tellEverything() }
    }

    package func skip(_ name: String, _ id: String) async throws(RPCFailure) -> Bool {
        let id = LetterID(id)
        return await Self.ask(try branch(name)) { $0.skip(id) } ?? false
    }

    package func test(_ name: String) async throws(RPCFailure) -> String? {
        let branch = try branch(name)
        let result: PostResult = await withCheckedContinuation { continuation in
            let refusal = branch.queue.offer { courier in
                courier.test { continuation.resume(returning: $0) }
            }
            if refusal != nil {
                continuation.resume(returning: .failed("the outbox is busy", waiting: nil))
            }
        }
        return switch result {
        case .delivered: nil
        case .refused(let failure), .failed(let failure, _): failure
        }
    }

    package func erased(_ users: [UserID], at seq: UInt64) async -> ErasureNote {
        var note = ErasureNote.kept
        // Each one is told, also where another one cannot note it.
        for branch in branches {
            switch await Self.ask(branch, { $0.erased(users, at: seq) }) {
            case true?: break
            case false?: note = max(note, .unwritable)
            case nil: note = .stopping
            }
        }
        return note
    }

    private func branch(_ name: String) throws(RPCFailure) -> Branch {
        guard let branch = branches.first(where: { $0.name == name }) else {
            throw RPCFailure(.notFound, "There is no outbox of this name.")
        }
        return branch
    }

    /// Has a courier answer on its thread, once its queue has a place; nil where it is stopping.
    @discardableResult
    private static func ask<Answer: Sendable>(
        _ branch: Branch,
        _ body: @escaping @Sendable (Courier) -> Answer
    ) async -> Answer? {
        while true {
            let (answer, refusal) = await withCheckedContinuation { continuation in
                let refusal = branch.queue.offer { courier in
                    continuation.resume(returning: (body(courier) as Answer?, nil as QueueRefusal?))
                }
                if let refusal { continuation.resume(returning: (nil, refusal)) }
            }
            guard refusal == .full else { return answer }
            // Also where the caller is gone: an erasure is to be told.
            try? await Task.sleep(for: .milliseconds(OutboxLimits.fullMilliseconds))
        }
    }
}
