import Glibc
import JSON
import LoadGenerator
import Synchronization
import Testing

struct LoadRunTests {
    private func plan(
        _ load: LoadPlan.Load,
        _ server: StandIn,
        requests: Int = 1_000
    ) throws -> LoadPlan {
        var plan = LoadPlan(load, at: try #require(Endpoint(server.path)))
        plan.connections = 5
        plan.inFlight = 4
        plan.requests = requests
        plan.seconds = 30
        plan.warmUpSeconds = 0
        plan.accounts = 50
        return plan
    }

    /// What a daemon answers to a request, by its method.
    private static func answer(_ text: String) -> String {
        let request = try? JSONValue.parse(Array(text.utf8))
        let id = request?["id"]?.int64 ?? -1
        let result =
            switch request?["method"]?.string ?? "" {
            case "canRender": "{\"canRender\":\(id % 2 == 0),\"via\":null}"
            case "consumeCredit": "{\"outcome\":\"consumed\",\"creditsRemaining\":1}"
            case "getStatus": "{\"userId\":\"user-0000001\"}"
            default: ""
            }
        if result.isEmpty {
            return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":-32601}}"
        }
        return "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":\(result)}"
    }

    @Test func `every request of a closed loop is answered once, whatever the order`() throws {
        let server = try StandIn { pending in
            frames(&pending).reversed().flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        let result = try LoadRun.result(of: plan(.canRender, server))
        #expect(result.replies == 1_000)
        #expect(result.unanswered == 0)
        #expect(result.errors == 0)
        // Ids are slots: half of four are even.
        #expect((100...900).contains(result.positives))
        #expect(server.connections == 5)
        #expect(result.latency.p50 > 0)
        #expect(result.latency.p50 <= result.latency.p99)
        #expect(result.latency.p999 <= result.latency.longest)
    }

    @Test func `replies in pieces of three bytes are put together`() throws {
        let server = try StandIn(pieceBytes: 3) { pending in
            frames(&pending).flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        let result = try LoadRun.result(of: plan(.status, server, requests: 200))
        #expect(result.replies == 200)
        #expect(result.positives == 200)
    }

    @Test func `the users asked about are those of the plan, and requests are strict JSON`() throws
    {
        let seen = Mutex<Set<String>>([])
        let server = try StandIn { pending in
            let requests = frames(&pending)
            for text in requests {
                let request = try? JSONValue.parse(Array(text.utf8))
                let user = request?["params"]?["userId"]?.string ?? "no user in \(text)"
                seen.withLock { _ = $0.insert(user) }
            }
            return requests.flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        var wanted = try plan(.canRender, server)
        wanted.distribution = .scattered
        _ = try LoadRun.result(of: wanted)
        #expect(seen.withLock { $0 } == Set((1...50).map { AccountNames.user($0) }))
    }

    @Test func `a batch counts as so many operations`() throws {
        let server = try StandIn { pending in
            frames(&pending)
                .flatMap { text -> [UInt8] in
                    let elements = (try? JSONValue.parse(Array(text.utf8)))?.array ?? []
                    let replies = elements.map { element in
                        "{\"jsonrpc\":\"2.0\",\"id\":\(element["id"]?.int64 ?? -1),"
                            + "\"result\":{\"canRender\":true}}"
                    }
                    return frame("[" + replies.joined(separator: ",") + "]")
                }
        }
        defer { server.stop() }
        var wanted = try plan(.batch, server, requests: 100)
        wanted.batch = 7
        let result = try LoadRun.result(of: wanted)
        #expect(result.replies == 100)
        #expect(result.operations == 700)
        #expect(result.positives == 100)
    }

    @Test func `keys of consumes never come twice, and one request in twenty consumes`() throws {
        let keys = Mutex<[String]>([])
        let server = try StandIn { pending in
            let requests = frames(&pending)
            for text in requests {
                let request = try? JSONValue.parse(Array(text.utf8))
                guard let key = request?["params"]?["idempotencyKey"]?.string else { continue }
                keys.withLock { $0.append(key) }
            }
            return requests.flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        #expect(try LoadRun.result(of: plan(.consume, server)).positives == 1_000)
        var other = try plan(.mixed, server)
        other.run = 2
        _ = try LoadRun.result(of: other)
        let found = keys.withLock { $0 }
        #expect(found.count == 1_050)
        #expect(Set(found).count == 1_050)
    }

    @Test func `errors and refusals are counted apart, and the first error is shown`() throws {
        let asked = Atomic<Int>(0)
        let server = try StandIn { pending in
            frames(&pending)
                .flatMap { text -> [UInt8] in
                    let id = (try? JSONValue.parse(Array(text.utf8)))?["id"]?.int64 ?? -1
                    let number = asked.add(1, ordering: .relaxed).newValue
                    let code = number % 10 == 0 ? -32029 : -32601
                    return frame("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"error\":{\"code\":\(code)}}")
                }
        }
        defer { server.stop() }
        let result = try LoadRun.result(of: plan(.canRender, server))
        #expect(result.overloaded == 100)
        #expect(result.errors == 900)
        #expect(result.positives == 0)
        #expect(result.firstError.contains("-32601"))
    }

    @Test func `churn opens a connection for each request`() throws {
        let server = try StandIn { pending in
            frames(&pending).flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        var wanted = try plan(.churn, server, requests: 60)
        wanted.inFlight = 1
        wanted.connections = 3
        let result = try LoadRun.result(of: wanted)
        #expect(result.replies == 60)
        #expect((60...63).contains(server.connections))
    }

    @Test func `an open loop counts from when a request was due, though it was written later`()
        throws
    {
        let hasStalled = Atomic<Bool>(false)
        let server = try StandIn { pending in
            if !hasStalled.exchange(true, ordering: .relaxed) { usleep(200_000) }
            return frames(&pending).flatMap { frame(Self.answer($0)) }
        }
        defer { server.stop() }
        var wanted = try plan(.canRender, server, requests: 300)
        wanted.rate = 1_000
        let result = try LoadRun.result(of: wanted)
        #expect(result.replies == 300)
        #expect(result.unanswered == 0)
        // 300 requests at 1,000 a second are not over sooner.
        #expect(result.seconds > 0.29)
        // Only 20 fit while the server stalls; the other 180 that were due waited all the same.
        #expect(result.latency.p50 > 20_000)
    }

    @Test func `a server that closes is a failure, not a result`() throws {
        let server = try StandIn { pending in
            // A length of zero bytes and nothing behind it is no reply (proto/framing.md).
            pending.removeAll()
            return frame("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}")
        }
        defer { server.stop() }
        #expect(throws: LoadFailure.self) { try LoadRun.result(of: plan(.canRender, server)) }
        let nobody = LoadPlan(.canRender, at: try #require(Endpoint("/tmp/nobody-is-here.sock")))
        #expect(throws: LoadFailure.self) { try LoadRun.result(of: nobody) }
    }

    @Test func `plans that cannot be run say why`() throws {
        var wanted = LoadPlan(.canRender, at: try #require(Endpoint("127.0.0.1:1")))
        #expect(wanted.fault == nil)
        wanted.connections = LoadLimits.connectionsMax + 1
        #expect(wanted.fault?.contains("connections") == true)
        wanted.connections = 1
        wanted.inFlight = LoadLimits.inFlightMax + 1
        #expect(wanted.fault?.contains("in flight") == true)
        wanted.inFlight = 1
        wanted.batch = LoadLimits.batchMax + 1
        #expect(wanted.fault?.contains("batch") == true)
        wanted.batch = 1
        wanted.accounts = LoadLimits.accountsMax + 1
        #expect(wanted.fault?.contains("accounts") == true)
        wanted.accounts = 1
        wanted.load = .redisConsume
        #expect(wanted.fault?.contains("script") == true)
        #expect(throws: LoadFailure.self) { try LoadRun.result(of: wanted) }
    }

    @Test func `endpoints are paths or loopback addresses`() {
        #expect(Endpoint("127.0.0.1:8080") != nil)
        #expect(Endpoint("relative.sock") != nil)
        #expect(Endpoint("localhost:80") == nil)
        #expect(Endpoint("") == nil)
        #expect(Endpoint(String(repeating: "a", count: 108)) == nil)
    }
}
