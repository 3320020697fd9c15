import DaemonConfiguration
import Entitlements
import Foundation
import Telemetry
import TestSupport
import Testing
import Webhooks

struct RequestTests {
    @Test(arguments: ["/webhooks/apple", "/api/webhooks/apple", "/api/billing/webhooks/apple"])
    func `a notification reaches the receiver and its answer comes back`(
        path: String
    ) async throws {
        try await Door.open { door in
            let answer = try await exchange(door.port, post(path, body: "{\"a\":1}"))
            #expect(status(answer) == 200)
            #expect(answer.contains("Content-Type: application/json\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n<{\"a\":1}>"))
            #expect(door.bodies == ["{\"a\":1}"])
            #expect(door.sources == ["127.0.0.1"])
            #expect(door.metrics.webhookDuration.cumulativeCounts.last == 1)
        }
    }

    private static let refused: [(String, Int)] = [
        (post("/"), 404), (post("/webhooks"), 404), (post("/webhooks/apple/"), 404),
        (post("/webhooks/apple/x"), 404), (post("/WEBHOOKS/apple"), 404),
        (post("//webhooks/apple"), 404), (post("/webhooks/%61pple"), 404),
        (post("/metrics", method: "GET"), 404),
        (post(method: "GET"), 405), (post(method: "PUT"), 405), (post(method: "DELETE"), 405),
        (post(method: "PATCH"), 405), (post(method: "OPTIONS"), 405), (post(method: "HEAD"), 405),
        (post("*", method: "OPTIONS"), 404),
        (post(method: "TRACE"), 405), (post(method: "PROPFIND"), 405),
        (post("/other", method: "TRACE"), 404), (post("localhost:80", method: "CONNECT"), 501),
        (post(method: "FETCH"), 400),
        (post(fields: ["Content-Type: text/plain"]), 415),
        (post(fields: ["Content-Type: application/json-seq"]), 415),
        (post(fields: ["Content-Type: application/json", "Content-Type: text/html"]), 415),
        (post(fields: ["Content-Encoding: gzip"]), 415),
        (post(fields: ["Content-Encoding: identity", "Content-Encoding: br"]), 415),
        (post(fields: ["Expect: a-pony"]), 417),
        (post(fields: ["Upgrade: h2c", "Connection: upgrade"]), 400),
    ]

    @Test(arguments: refused)
    func `a refused request gets its status before the connection closes`(
        request: String,
        expected: Int
    ) async throws {
        try await Door.open { door in
            let answer = try await exchange(door.port, request)
            #expect(status(answer) == expected)
            #expect(answer.contains("Connection: close\r\n"))
            // RFC 9110, section 9.3.2.
            #expect(answer.contains("{\"error\":\"") == !request.hasPrefix("HEAD"))
            #expect(answer.contains("Allow: POST\r\n") == (expected == 405))
            #expect(!answer.hasSuffix("<timeout>") && !answer.hasSuffix("<reset>"))
            #expect(door.bodies.isEmpty)
            #expect(door.refusals(expected) == 1)
        }
    }

    @Test func `a HEAD behind a notification does not take the body away from its answer`()
        async throws
    {
        try await Door.open { door in
            let both = post(body: "{}", close: false) + post(method: "HEAD", body: "")
            let answers = try await exchange(door.port, both)
                .components(separatedBy: "HTTP/1.1 ").dropFirst()
            #expect(answers.map { $0.prefix(3) } == ["200", "405"])
            #expect(answers.first?.hasSuffix("\r\n\r\n<{}>") == true)
            #expect(answers.last?.hasSuffix("\r\n\r\n") == true)
        }
    }

    @Test(
        arguments: [
            [], ["Content-Type: application/json"],
            ["content-type: APPLICATION/JSON; charset=utf-8"],
            ["Content-Type: application/json ;x=y"], ["Content-Encoding: identity"],
        ] as [[String]]
    )
    func `a JSON media type, or none, is fine`(fields: [String]) async throws {
        try await Door.open { door in
            let answer = try await exchange(door.port, post("/webhooks/apple?x=1", fields: fields))
            #expect(status(answer) == 200)
        }
    }

    @Test func `what the receiver says is sent with the fields that belong to it`() async throws {
        let answers = [401, 503, 400]
        for expected in answers {
            let receiver: NotificationReceiver = { _, _ in
                WebhookReply(
                    status: expected,
                    body: Array("{}".utf8),
                    retryAfterSeconds: expected == 503 ? 7 : nil
                )
            }
            try await Door.open(receiver: receiver) { door in
                let answer = try await exchange(door.port, post())
                #expect(status(answer) == expected)
                #expect(answer.contains("WWW-Authenticate: ") == (expected == 401))
                #expect(answer.contains("Retry-After: 7\r\n") == (expected == 503))
            }
        }
    }

    @Test func `what became of a notification is said in HTTP`() async throws {
        let replies: [(WebhookReply, Int, String)] = [
            (.received("stale"), 200, #"{"success":true,"received":true,"result":"stale"}"#),
            (.malformed, 400, #"{"error":"malformed"}"#),
            (.unauthorized, 401, #"{"error":"unauthorized"}"#),
            (.unavailable, 503, #"{"error":"unavailable"}"#),
        ]
        for (reply, expected, body) in replies {
            let receiver: NotificationReceiver = { _, _ in reply }
            try await Door.open(receiver: receiver) { door in
                let answer = try await exchange(door.port, post())
                #expect(status(answer) == expected)
                #expect(answer.hasSuffix("\r\n\r\n\(body)"))
                #expect(answer.contains("Retry-After: 30\r\n") == (expected == 503))
            }
        }
    }

    @Test func `each store has its paths and its challenge`() async throws {
        let receiver: NotificationReceiver = { _, _ in .unauthorized }
        let routes = ["apple", "other"].map { Door.webhook($0) }
        try await Door.open(routes: routes, receiver: receiver) { door in
            for name in ["apple", "other"] {
                let answer = try await exchange(door.port, post("/api/webhooks/\(name)"))
                #expect(answer.contains("WWW-Authenticate: JWS realm=\"\(name)\"\r\n"))
            }
            #expect(status(try await exchange(door.port, post("/webhooks/third"))) == 404)
        }
    }

    @Test func `each store has its own limit, media types and fields`() async throws {
        let receiver: NotificationReceiver = { delivery, _ in
            let fields = delivery.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
            return WebhookReply(status: 200, body: Array(fields.utf8))
        }
        let routes = [
            Door.webhook("apple"),
            Door.webhook(
                "other",
                bodyBytesMax: 1 << 20,
                fields: ["x-signature"],
                wantsJSON: false
            ),
        ]
        try await Door.open(routes: routes, receiver: receiver) { door in
            let long = String(repeating: "x", count: 1 << 20)
            try await expect(413, door.port, post("/webhooks/apple", body: long))
            try await expect(200, door.port, post("/webhooks/other", body: long))
            try await expect(413, door.port, post("/webhooks/other", body: long + "x"))
            let fields = ["X-Signature: v1", "X-Other: 1", "Content-Type: text/plain"]
            let answer = try await exchange(door.port, post("/webhooks/other", fields: fields))
            #expect(answer.hasSuffix("\r\n\r\nx-signature=v1"))
            try await expect(415, door.port, post("/webhooks/apple", fields: fields))
        }
    }

    @Test func `one connection carries many requests, split anywhere`() async throws {
        try await Door.open { door in
            let port = door.port
            let answers = try await onThread {
                let client = try RawClient(port: port)
                let bytes = Array(post(body: "{\"n\":1}", close: false).utf8)
                var count = 0
                for split in stride(from: 1, to: bytes.count, by: 7) {
                    client.send(Array(bytes[..<split]))
                    client.send(Array(bytes[split...]))
                    let answer = client.receive { $0.hasSuffix("<{\"n\":1}>") }
                    if status(answer) == 200 { count += 1 }
                }
                return (count, stride(from: 1, to: bytes.count, by: 7).underestimatedCount)
            }
            #expect(answers.0 > 15)
            #expect(door.bodies.count == answers.0)
            #expect(door.metrics.accepted.series("webhook").value == 1)
        }
    }

    @Test func `chunks make a body`() async throws {
        try await Door.open { door in
            let head = "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
            let answer = try await exchange(door.port, chunked + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(answer.hasSuffix("<abcde>"))
        }
    }

    @Test func `pipelined requests are answered in order, eight at most`() async throws {
        let receiver: NotificationReceiver = { delivery, _ in
            // The earlier ones take longer.
            let text = String(decoding: delivery.body, as: UTF8.self)
            try? await Task.sleep(for: .milliseconds(30 - 2 * (Int(text) ?? 0)))
            return WebhookReply(status: 200, body: Array("<\(text)>".utf8))
        }
        try await Door.open(receiver: receiver) { door in
            let requests = (0..<12).map { post(body: "\($0)", close: false) }.joined()
            let answer = try await exchange(door.port, requests)
            let bodies = answer.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
            #expect(bodies == ["0", "1", "2", "3", "4", "5", "6", "7"])
            #expect(answer.components(separatedBy: "Connection: close").count == 2)
        }
    }

    @Test func `a refusal behind a good request waits for its turn`() async throws {
        try await Door.open { door in
            let requests = post(body: "1", close: false) + post("/x") + post(body: "2")
            let answer = try await exchange(door.port, requests)
            let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst()
                .map {
                    $0.prefix(3)
                }
            #expect(statuses == ["200", "404"])
            #expect(door.bodies == ["1"])
        }
    }

    @Test func `HTTP 1_0 is answered and closed`() async throws {
        try await Door.open { door in
            let request = "POST /webhooks/apple HTTP/1.0\r\nContent-Length: 2\r\n"
            let answer = try await exchange(
                door.port,
                request + "Connection: keep-alive\r\n\r\n{}"
            )
            #expect(status(answer) == 200)
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test func `a client that ends its side still gets the answer`() async throws {
        try await Door.open { door in
            let port = door.port
            let answer = try await onThread {
                let client = try RawClient(port: port)
                client.send(post(close: false))
                client.endInput()
                return client.receive()
            }
            #expect(status(answer) == 200)
            let cut = try await onThread {
                let client = try RawClient(port: port)
                client.send(String(post(body: "{\"long\":1}").dropLast(4)))
                client.endInput()
                return client.receive()
            }
            #expect(status(cut) == 400)
            #expect(door.bodies.count == 1)
        }
    }

    @Test func `100-continue is said after the checks`() async throws {
        try await Door.open { door in
            let port = door.port
            let expect = ["Expect: 100-continue"]
            let good = try await onThread {
                let client = try RawClient(port: port)
                client.send(String(post(fields: expect).dropLast(2)))
                let first = client.receive { $0.hasSuffix("\r\n\r\n") }
                client.send("{}")
                return [first, client.receive()]
            }
            #expect(good[0] == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(status(good[1]) == 200)
            let bad = try await onThread {
                let client = try RawClient(port: port)
                client.send(String(post("/x", fields: expect).dropLast(2)))
                return client.receive()
            }
            #expect(status(bad) == 404)
        }
    }

    @Test func `with a secret only the secret path exists`() async throws {
        try await Door.open(configured { $0.pathSecret = Secret(Array("s3cret".utf8)) }) { door in
            for (path, expected) in [
                ("/webhooks/apple/s3cret", 200), ("/api/webhooks/apple/s3cret", 200),
                ("/webhooks/apple", 404), ("/webhooks/apple/", 404),
                ("/webhooks/apple/s3cre", 404), ("/webhooks/apple/s3crets", 404),
                ("/webhooks/apple/s3crets3cret", 404), ("/webhooks/apple/S3cret", 404),
            ] {
                try await expect(expected, door.port, post(path))
            }
        }
    }
}
