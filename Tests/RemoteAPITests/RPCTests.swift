import JSON
import Telemetry
import TestSupport
import Testing

/// What the HTTPS door answers, with the methods of the sockets behind it.
struct RPCTests {
    @Test func `a request is answered as on the sockets, and a write is read after`() async throws {
        try await Gate.open { gate in
            let answer = try await exchange(gate.port, post(call("ping")))
            #expect(status(answer) == 200)
            #expect(answer.contains("Content-Type: application/json\r\n"))
            #expect(body(of: answer) == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            let user = #"{"userId":"alice"}"#
            let made = try await gate.ask(call("registerAccount", user))
            #expect(made["result"]?["creditsRemaining"]?.int64 == 5)
            let spent = try await gate.ask(
                call("consumeCredit", #"{"userId":"alice","idempotencyKey":"k","amount":2}"#)
            )
            #expect(spent["result"]?["outcome"]?.string == "consumed")
            let check = try await gate.ask(call("canRender", user), token: "entitld_reader")
            #expect(check["result"]?["canRender"]?.bool == true)
            #expect(gate.metrics.rpcRequests.series("consumeCredit", "ok").value == 1)
            #expect(gate.replies(200) == 4)
        }
    }

    @Test func `a token's role decides, and none is an administrator`() async throws {
        try await Gate.open { gate in
            _ = try await gate.ask(call("registerAccount", #"{"userId":"u"}"#))
            let consume = call("consumeCredit", #"{"userId":"u","idempotencyKey":"k"}"#)
            let grant = call(
                "grantCredits",
                #"{"userId":"u","amount":1,"idempotencyKey":"g"}"#
            )
            for (token, consumes, grants) in [
                ("entitld_reader", false, false), ("entitld_app", true, false),
                ("entitld_support", true, true),
            ] {
                let consumed = try await gate.ask(consume, token: token)
                #expect((consumed["result"] != nil) == consumes, "\(token)")
                let granted = try await gate.ask(grant, token: token)
                #expect((granted["result"] != nil) == grants, "\(token)")
                let dumped = try await gate.ask(call("dump"), token: token)
                #expect(dumped["error"]?["code"]?.int64 == -32_001, "\(token)")
            }
            let history = try await gate.ask(call("getHistory", #"{"userId":"u"}"#))
            let authors = history["result"]?["events"]?.array?
                .compactMap { $0["by"]?["token"]?.string }
            #expect(authors == ["app-1", "app-1", "support-1"], "\(history)")
        }
    }

    @Test func `notifications alone are 204 without a body, and are carried out`() async throws {
        try await Gate.open { gate in
            let register = call("registerAccount", #"{"userId":"u"}"#, id: nil)
            let answer = try await exchange(gate.port, post(register))
            #expect(status(answer) == 204)
            #expect(body(of: answer).isEmpty)
            #expect(!answer.lowercased().contains("content-length"))
            #expect(!answer.lowercased().contains("transfer-encoding"))
            // Answered when it was carried out: a read behind it sees it.
            let account = try await gate.ask(call("getStatus", #"{"userId":"u"}"#))
            #expect(account["result"]?["creditsRemaining"]?.int64 == 5)
            let two = "[\(call("ping", id: nil)),\(call("ping", id: nil))]"
            #expect(try await status(exchange(gate.port, post(two))) == 204)
            let mixed = try await gate.ask("[\(call("ping", id: nil)),\(call("ping"))]")
            #expect(mixed.array?.count == 1)
        }
    }

    @Test func `a batch is one reply in the order of the requests, however long it is`()
        async throws
    {
        try await Gate.open { gate in
            let calls = (1...100).map { call("ping", id: "\($0)") }
            let answers = try await gate.ask("[\(calls.joined(separator: ","))]")
            #expect(answers.array?.compactMap { $0["id"]?.int64 } == (1...100).map { Int64($0) })
            // Longer than what is checked on the loop.
            let padding = String(repeating: " ", count: 200_000)
            let padded = try await gate.ask(
                "[\(calls.joined(separator: "," + padding.prefix(1_500)))]"
            )
            #expect(padded.array?.count == 100)
            let over = calls + [call("ping")]
            let refused = try await gate.ask("[\(over.joined(separator: ","))]")
            #expect(refused["error"]?["code"]?.int64 == -32_600)
            #expect(refused["id"]?.isNull == true)
            let empty = try await gate.ask("[]")
            #expect(empty["error"]?["code"]?.int64 == -32_600)
        }
    }

    @Test(arguments: ["", "{", "{}x", "\u{FEFF}{}", #"{"a":1,"a":2}"#])
    func `what is no JSON is -32700, and the connection stays`(text: String) async throws {
        try await Gate.open { gate in
            let answers = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                client.send(post(text, close: false))
                let first = client.receive { $0.hasSuffix("}") }
                client.send(post(call("ping")))
                return [first, client.receive()]
            }
            #expect(try json(of: answers[0])["error"]?["code"]?.int64 == -32_700)
            #expect(status(answers[1]) == 200)
        }
    }

    @Test func `what would end with a connection, or be pushed, is refused`() async throws {
        try await Gate.open { gate in
            _ = try await gate.ask(call("registerAccount", #"{"userId":"u"}"#))
            func reserve(_ more: String) -> String {
                call(
                    "reserveCredits",
                    #"{"userId":"u","idempotencyKey":"r","amount":1,"ttlSeconds":60\#(more)}"#
                )
            }
            let lease = try await gate.ask(reserve(#","releaseOnDisconnect":true"#))
            #expect(lease["error"]?["code"]?.int64 == -32_602)
            #expect(lease["error"]?["data"]?["field"]?.string == "releaseOnDisconnect")
            let hold = try await gate.ask(reserve(#","releaseOnDisconnect":false"#))
            #expect(hold["result"]?["outcome"]?.string == "reserved")
            let watch = try await gate.ask(call("watch"))
            #expect(watch["error"]?["code"]?.int64 == -32_600)
        }
    }

    @Test func `requests on one connection are answered in their order, pipelined or not`()
        async throws
    {
        try await Gate.open { gate in
            let text = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                for id in 1...3 {
                    client.send(post(call("ping", id: "\(id)"), close: false))
                    _ = client.receive { $0.hasSuffix("}}") }
                }
                let users = (4...7)
                    .map { id in
                        post(
                            call("registerAccount", #"{"userId":"u\#(id)"}"#, id: "\(id)"),
                            close: false
                        )
                    }
                client.send(users.joined() + post(call("ping", id: "8")))
                return client.receive()
            }
            let ids = text.matches(of: /"id":(\d)/).map { String($0.output.1) }
            #expect(ids == ["4", "5", "6", "7", "8"])
            #expect(gate.metrics.accepted.series("api").value == 1)
        }
    }

    @Test func `a body in chunks is one body`() async throws {
        try await Gate.open { gate in
            let chunks = call("ping").map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
            let head = [
                "POST /rpc HTTP/1.1", "Host: a", "Authorization: bearer entitld_app",
                "Transfer-Encoding: chunked", "Connection: close",
            ]
            let answer = try await exchange(
                gate.port,
                head.joined(separator: "\r\n") + "\r\n\r\n" + chunks
            )
            #expect(try json(of: answer)["result"]?.object?.members.isEmpty == true)
        }
    }
}
