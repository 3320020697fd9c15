import Glibc
import HTTPServer
import JSON
import Signatures
import Synchronization
import Telemetry
import TestSupport
import Testing
import Wire

@testable import DaemonConfiguration
@testable import RemoteAPI

/// A service whose answers come when the test says so.
private final class SlowService: FrameService {
    struct Waiting: Sendable {
        let ticket: ReplyTicket
        let session: Session
        let id: [UInt8]
    }

    private final class Worker: FrameWorker {
        let service: SlowService

        init(_ service: SlowService) { self.service = service }

        func answer(
            _ request: RequestView,
            from session: Session,
            ticket: ReplyTicket,
            into reply: inout ReplyBuffer
        ) -> Disposition {
            if request.isMethod("long") {
                reply.beginResult(id: request.idBytes)
                reply.appendString(String(repeating: "x", count: 600_000))
                reply.endResult()
                return .answered
            }
            let waiting = Waiting(ticket: ticket, session: session, id: request.id)
            service.waiting.withLock { $0.append(waiting) }
            return .later
        }

        func rest() {}
    }

    private let waiting = Mutex<[Waiting]>([])

    func makeWorker() -> any FrameWorker { Worker(self) }

    /// What waits, once there are so many.
    func taken(_ count: Int) -> [Waiting] {
        while waiting.withLock({ $0.count }) < count { usleep(2_000) }
        return waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

extension SlowService.Waiting {
    func answer() {
        var reply = ReplyBuffer()
        id.withUnsafeBytes { reply.beginResult(id: $0) }
        reply.append("true")
        reply.endResult()
        ticket.deliver(reply.bytes)
    }
}

/// Answers that take their time, and callers who do not wait for them.
@Suite(.timeLimit(.minutes(5))) struct LateTests {
    @Test func `parts of a batch come in any order, and the reply is one`() async throws {
        let service = SlowService()
        try await Gate.open(over: service) { gate in
            let batch = "[\(call("a", id: "1")),\(call("b", id: "2")),\(call("c", id: nil))]"
            async let answer = exchange(gate.port, post(batch))
            let parts = try await onThread { service.taken(3) }
            #expect(gate.listener.waitingBytes.unanswered >= batch.utf8.count)
            for part in parts.reversed() { part.answer() }
            let ids = try await json(of: answer).array?.compactMap { $0["id"]?.int64 }
            #expect(ids == [2, 1])
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
        }
    }

    @Test func `who disconnects before the answer takes nothing along, and leaves nothing`()
        async throws
    {
        let service = SlowService()
        try await Gate.open(over: service) { gate in
            let parts = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post(call("a"), close: false))
                let parts = service.taken(1)
                client.reset()
                return parts
            }
            let session = parts[0].session
            #expect(eventually { !session.isOpen })
            // The request is still being answered somewhere, so it stays charged.
            #expect(gate.listener.waitingBytes.unanswered > 0)
            parts[0].answer()
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
            async let next = exchange(gate.port, post(call("b")))
            try await onThread { service.taken(1) }[0].answer()
            #expect(try await status(next) == 200)
            // What was sent to nobody is no reply.
            #expect(gate.replies(204) == 0 && gate.replies(200) == 1)
            #expect(gate.durations == 1)
        }
    }

    @Test func `who has sent all and says so still gets the answer`() async throws {
        let service = SlowService()
        try await Gate.open(over: service) { gate in
            let answer = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post(call("a"), close: false))
                client.endInput()
                service.taken(1)[0].answer()
                return client.receive()
            }
            #expect(try json(of: answer)["result"]?.bool == true)
        }
    }

    @Test func `an answer that comes too late is 503, and its session ends`() async throws {
        let service = SlowService()
        try await Gate.open(over: service) {
            $0.limits.answerMillisecondsMax = 200
        } _: { gate in
            let answer = try await exchange(gate.port, post(call("a")))
            #expect(status(answer) == 503)
            #expect(answer.contains("Retry-After: "))
            let parts = try await onThread { service.taken(1) }
            #expect(eventually { !parts[0].session.isOpen })
            parts[0].answer()
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
            #expect(gate.replies(503) == 1 && gate.replies(204) == 0)
            #expect(gate.durations == 1)
            #expect(gate.metrics.apiDuration.sum >= 200_000_000)
        }
    }

    @Test func `who leaves before a watch begins was sent no reply`() async throws {
        let service = SlowService()
        try await Gate.open(over: service) { gate in
            let parts = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post("", path: "/watch", method: "GET", close: false))
                let parts = service.taken(1)
                client.reset()
                return parts
            }
            #expect(eventually { !parts[0].session.isOpen })
            parts[0].answer()
            // The next one, on any loop, is counted after it.
            for name in ["b", "c", "d", "e"] {
                async let next = exchange(gate.port, post(call(name)))
                try await onThread { service.taken(1) }[0].answer()
                #expect(try await status(next) == 200)
            }
            #expect(gate.replies(503) == 0 && gate.replies(200) == 4)
            #expect(gate.durations == 4)
        }
    }

    @Test func `a token that is taken away is refused, on open connections too`() async throws {
        try await Gate.open(over: SlowService()) { gate in
            let kept = [
                AccessToken(
                    name: "app-2",
                    role: .app,
                    digest: Digest.sha256("another")
                )
            ]
            let statuses = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post(call("long"), close: false))
                let first = client.receive { $0.hasSuffix("}") }
                // The head is judged before the reload, the body comes after it.
                let text = post(call("long"), close: false)
                client.send(String(text.prefix(text.utf8.count - 10)))
                while gate.listener.waitingBytes.unanswered == 0 { usleep(2_000) }
                gate.listener.obey(kept)
                client.send(String(text.suffix(10)))
                return [status(first), status(client.receive { $0.hasSuffix("}") })]
            }
            #expect(statuses == [200, 401])
            #expect(
                try await status(exchange(gate.port, post(call("long"), token: "another"))) == 200
            )
            #expect(try await status(exchange(gate.port, post(call("long")))) == 401)
        }
    }

    @Test func `a token that stays in the file keeps its rate`() throws {
        let budget = ByteBudget(callerBytesMax: 1, totalBytesMax: 1)
        let old = AccessToken(name: "a", role: .app, digest: Digest.sha256("a"))
        let promoted = AccessToken(name: "a", role: .support, digest: Digest.sha256("a"))
        let list = TokenList([old], budget: budget, requestsPerSecond: 1)
        let first = try #require(list.holder(shownIn: "Bearer a"))
        list.replace(by: [old])
        #expect(list.holder(shownIn: "Bearer a") === first && !first.isGone)
        list.replace(by: [promoted])
        let second = try #require(list.holder(shownIn: "Bearer a"))
        #expect(second !== first && first.isGone)
        #expect(second.caller.role == .support && second.caller.uid != first.caller.uid)
        #expect(budget.callersCount == 1)
        list.replace(by: [])
        #expect(list.holder(shownIn: "Bearer a") == nil && budget.callersCount == 0)
    }

    @Test func `who leaves too much waiting is 503, and others are answered`() async throws {
        let service = SlowService()
        try await Gate.open(over: service) {
            $0.callerBytesMax = 10_000
        } _: { gate in
            let filler = String(repeating: " ", count: 8_000)
            async let held = exchange(gate.port, post(call("a") + filler))
            let parts = try await onThread { service.taken(1) }
            let refused = try await exchange(gate.port, post(call("b") + filler))
            #expect(status(refused) == 503)
            #expect(refused.contains("Retry-After: 1\r\n"))
            async let other = exchange(gate.port, post(call("c") + filler, token: "entitld_reader"))
            try await onThread { service.taken(1) }[0].answer()
            #expect(try await status(other) == 200)
            parts[0].answer()
            #expect(try await status(held) == 200)
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
        }
    }

    @Test func `a reply that is not read is charged until it has left`() async throws {
        try await Gate.open(over: SlowService()) { gate in
            let batch = "[\(call("long", id: "1"))]"
            try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                let requests = (0..<8).map { _ in post(batch, close: false) }.joined()
                client.send(requests)
                while gate.listener.waitingBytes.unread == 0 { usleep(2_000) }
                client.reset()
            }
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
        }
    }
}
