import JSON
import Synchronization
import Threads
import Wire

/// What the tests ask: `ping`, `who`, `big` (`bytes`), `later` (delivered from another thread when
/// the test says so), `hold` (keeps its RPC thread until `letGo`), `calls` (how many came before).
final class TestService: FrameService {
    private let waiting = Mutex<[(id: [UInt8], ticket: ReplyTicket)]>([])
    private let closes = Atomic<Int>(0)
    private let calls = Atomic<Int>(0)
    private let holds = Atomic<Int>(0)
    private let gate = BlockingQueue<Bool>(countMax: 1)

    func makeWorker() -> any FrameWorker { Worker(service: self) }

    var closeCount: Int { closes.load(ordering: .relaxed) }
    var callCount: Int { calls.load(ordering: .relaxed) }

    /// How many times `hold` was begun.
    var holdCount: Int { holds.load(ordering: .acquiring) }

    /// How many requests wait to be delivered.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Lets a thread go on that `hold` keeps.
    func letGo() { _ = gate.offer(true) }

    /// Answers what waits, last one first.
    func deliverAll() {
        let tickets = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for (id, ticket) in tickets.reversed() {
            var reply = ReplyBuffer()
            id.withUnsafeBytes { reply.beginResult(id: $0) }
            reply.append("\"late\"")
            reply.endResult()
            ticket.deliver(reply.bytes)
        }
    }

    private final class Worker: FrameWorker {
        let service: TestService

        init(service: TestService) { self.service = service }

        func answer(
            _ request: RequestView,
            from session: Session,
            ticket: ReplyTicket,
            into reply: inout ReplyBuffer
        ) -> Disposition {
            service.calls.add(1, ordering: .relaxed)
            if session.onClose == nil {
                session.onClose = { [service] in service.closes.add(1, ordering: .relaxed) }
            }
            if request.isMethod("later") {
                let waiter = (request.id, ticket)
                service.waiting.withLock { $0.append(waiter) }
                return .later
            }
            guard !request.isMethod("noSuchMethod") else {
                let failure = RPCFailure(.methodNotFound, "No such method.")
                reply.appendError(failure, id: request.idBytes)
                return .answered
            }
            reply.beginResult(id: request.idBytes)
            if request.isMethod("who") {
                let caller = session.caller
                reply.append("[")
                reply.appendInteger(Int64(caller.uid))
                reply.append(",")
                reply.appendInteger(Int64(caller.gid))
                reply.append(",")
                reply.appendInteger(Int64(caller.pid))
                reply.append(",")
                reply.appendString(caller.role.name)
                reply.append("]")
            } else if request.isMethod("hold") {
                service.holds.add(1, ordering: .releasing)
                reply.append(service.gate.take(1, waiting: 20_000) == [true] ? "true" : "false")
            } else if request.isMethod("calls") {
                reply.appendInteger(Int64(service.callCount))
            } else if request.isMethod("big") {
                let bytes = Int(request.params.integer(of: "bytes").value ?? 1)
                reply.appendString(String(repeating: "x", count: bytes))
            } else {
                reply.append("{}")
            }
            reply.endResult()
            return .answered
        }

        func rest() {}
    }
}
