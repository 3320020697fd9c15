import DaemonConfiguration
import Entitlements
import Foundation
import HTTPServer
import Telemetry
import TestSupport
import Testing
import Webhooks

@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    @Test func `128 KiB pass, one byte more is 413`() async throws {
        try await Door.open { door in
            let full = String(repeating: "x", count: 128 << 10)
            try await expect(200, door.port, post(body: full))
            #expect(door.bodies == [full])
            try await expect(413, door.port, post(body: full + "x"))
        }
    }

    @Test func `more than eight requests at once end with the eighth, which says so`()
        async throws
    {
        try await Door.open { door in
            let port = door.port
            let request =
                "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
                + "Content-Type: application/json\r\n\r\n{}"
            for count in [9, 40] {
                let answers = try await onThread {
                    let client = try RawClient(port: port)
                    client.send(String(repeating: request, count: count))
                    return client.receive()
                }
                .components(separatedBy: "HTTP/1.1 ").dropFirst()
                let closing = answers.map { $0.contains("Connection: close") }
                #expect(Array(closing) == Array(repeating: false, count: 7) + [true], "\(count)")
            }
        }
    }

    @Test func `a long body is refused before it is sent`() async throws {
        try await Door.open { door in
            let port = door.port
            let answer = try await onThread {
                let client = try RawClient(port: port)
                client.send(
                    "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nContent-Length: 131073\r\n\r\n"
                )
                return client.receive { $0.contains("}") }
            }
            #expect(status(answer) == 413)
        }
    }

    @Test func `bodies of all connections share a budget, and short ones need none of it`()
        async throws
    {
        let free = WebhookLimits.freeBytesEach
        let gate = AsyncStream<Void>.makeStream()
        let receiver: NotificationReceiver = { delivery, _ in
            if delivery.body.first == UInt8(ascii: "w") {
                for await _ in gate.stream { break }
            }
            return WebhookReply(status: 200, body: [])
        }
        try await Door.open(
            configured { $0.waitingBytesMax = 2 * free },
            receiver: receiver
        ) { door in
            let port = door.port
            async let waiting = exchange(port, post(body: String(repeating: "w", count: 3 * free)))
            while door.bodies.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let long = post(body: String(repeating: "x", count: 2 * free))
            // The last byte never comes: what has come is too much.
            let refused = try await exchange(port, String(long.dropLast()))
            #expect(status(refused) == 503)
            #expect(refused.contains("Retry-After: 1\r\n"))
            #expect(refused.hasSuffix("{\"error\":\"unavailable\"}"))
            #expect(door.refusals(503) == 1)
            try await expect(200, port, post(body: String(repeating: "s", count: free)))
            gate.continuation.finish()
            try await expect(200, of: waiting)
            // Its bytes are given back, a moment after the answer at the latest.
            for _ in 0..<1_000 where try await status(exchange(port, long)) != 200 {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await expect(200, port, long)
        }
    }

    @Test func `chunks are counted`() async throws {
        try await Door.open { door in
            let head =
                "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "1000\r\n" + String(repeating: "y", count: 4_096) + "\r\n"
            let many = head + String(repeating: chunk, count: 33) + "0\r\n\r\n"
            try await expect(413, door.port, many)
            let fitting = head + String(repeating: chunk, count: 32) + "0\r\n\r\n"
            let port = door.port
            let answer = try await onThread {
                let client = try RawClient(port: port)
                client.send(fitting)
                return client.receive { $0.hasSuffix(">") }
            }
            #expect(status(answer) == 200)
        }
    }

    @Test func `chunk extensions are counted`() async throws {
        try await Door.open { door in
            let head =
                "POST /webhooks/apple HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let padding = String(repeating: "e", count: 1 << 20)
            try await expect(413, door.port, head + "1;\(padding)\r\nx\r\n0\r\n\r\n")
        }
    }

    @Test func `a client that sends megabytes first still reads its 413`() async throws {
        try await Door.open { door in
            let body = String(repeating: "z", count: 5 << 20)
            let answer = try await exchange(door.port, post(body: body))
            #expect(status(answer) == 413)
            #expect(!answer.hasSuffix("<reset>"))
        }
    }

    @Test func `the rest of a refused request is read up to a bound`() async throws {
        try await Door.open(
            configured {
                $0.limits.restBytesMax = 100_000
                $0.limits.restMillisecondsMax = 60_000
            }
        ) { door in
            let port = door.port
            let wasCutOff = try await onThread {
                let client = try RawClient(port: port)
                client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n")
                let chunk = [UInt8](repeating: 0x7A, count: 65_536)
                for _ in 0..<1_000 where !client.send(chunk) { return true }
                return false
            }
            #expect(wasCutOff)
        }
    }

    @Test func `headers have bounds`() async throws {
        try await Door.open { door in
            let long = String(repeating: "h", count: 8 << 10)
            let fits = String(repeating: "h", count: 7 << 10)
            let cases: [([String], Int)] = [
                (["X: \(fits)"], 200), (["X: \(long)h"], 431), (["\(long)h: x"], 431),
                (["A: \(fits)", "B: \(fits)"], 200),
                (["A: \(fits)", "B: \(fits)", "C: \(fits)"], 431),
                ((0..<61).map { "X\($0): y" }, 200), ((0..<62).map { "X\($0): y" }, 431),
            ]
            for (fields, expected) in cases {
                let answer = try await exchange(door.port, post(fields: fields))
                #expect(status(answer) == expected)
            }
            try await expect(431, door.port, post("/\(long)"))
        }
    }

    @Test func `a drip is cut off with 408, however steady`() async throws {
        try await Door.open(
            configured {
                $0.limits.headMillisecondsMax = 300
                $0.limits.requestMillisecondsMax = 600
            }
        ) { door in
            let port = door.port
            for request in [post(), post(body: String(repeating: "b", count: 1_000))] {
                let start = request.count > 1_000 ? request.utf8.count - 1_000 : 0
                let answer = try await onThread {
                    let client = try RawClient(port: port)
                    let bytes = Array(request.utf8)
                    client.send(Array(bytes[..<start]))
                    for byte in bytes[start...] where !client.hasInput {
                        client.send([byte])
                        Thread.sleep(forTimeInterval: 0.02)
                    }
                    return client.receive()
                }
                #expect(status(answer) == 408)
            }
            #expect(door.refusals(408) == 2)
            #expect(door.bodies.isEmpty)
        }
    }

    @Test func `half a head gets 408, silence is closed without a word`() async throws {
        try await Door.open(configured { $0.limits.headMillisecondsMax = 200 }) { door in
            try await expect(408, door.port, "POST /webhooks")
            let silence = try await exchange(door.port, "")
            #expect(silence == "")
            #expect(door.closed("silent") == 1)
        }
    }

    @Test func `a receiver that does not come back is 503`() async throws {
        let receiver: NotificationReceiver = { _, _ in
            try? await Task.sleep(for: .seconds(2))
            return WebhookReply(status: 200, body: [])
        }
        try await Door.open(
            configured { $0.limits.answerMillisecondsMax = 200 },
            receiver: receiver
        ) { door in
            let answer = try await exchange(door.port, post())
            #expect(status(answer) == 503)
            #expect(answer.contains("Retry-After: "))
        }
    }

    @Test func `400 half-open connections leave a good request answered`() async throws {
        try await Door.open { door in
            let port = door.port
            let answers = try await onThread {
                var open: [RawClient] = []
                for index in 0..<400 {
                    let client = try RawClient(port: port)
                    client.send(index % 2 == 0 ? "POST /webhooks/ap" : "")
                    open.append(client)
                }
                let answers = try (0..<20)
                    .map { _ in
                        let good = try RawClient(port: port)
                        good.send(post())
                        return good.receive()
                    }
                for client in open { client.close() }
                return answers
            }
            #expect(answers.allSatisfy { status($0) == 200 })
        }
    }

    @Test func `when all places are taken the oldest incomplete one goes`() async throws {
        try await Door.open(configured { $0.limits.connectionsMax = 8 }) { door in
            let port = door.port
            let (good, first) = try await onThread {
                var open: [RawClient] = []
                for count in 1...8 {
                    let client = try RawClient(port: port)
                    client.send("POST /")
                    open.append(client)
                    // The order of arrival has to be the order here.
                    wait { door.metrics.connections.series("webhook").value == count }
                }
                let good = try RawClient(port: port)
                good.send(post())
                return (good.receive(), open[0].receive())
            }
            #expect(status(good) == 200)
            #expect(first == "" || first == "<reset>")
            #expect(door.closed("evicted") == 1)
        }
    }

    @Test func `one source has its share, and slow ones of it make room first`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let receiver: NotificationReceiver = { delivery, _ in
            if delivery.body == Array("wait".utf8) {
                for await _ in gate.stream { break }
            }
            return WebhookReply(status: 200, body: [])
        }
        try await Door.open(
            configured { $0.limits.connectionsPerSourceMax = 2 },
            receiver: receiver
        ) { door in
            let port = door.port
            let other = try await onThread {
                let waiting = try RawClient(port: port)
                waiting.send(post(body: "wait"))
                wait { !door.bodies.isEmpty }
                let slow = try RawClient(port: port)
                slow.send("POST /")
                wait { door.metrics.connections.series("webhook").value == 2 }
                let good = try RawClient(port: port)
                good.send(post())
                let answer = good.receive()
                return (answer, slow.receive())
            }
            #expect(status(other.0) == 200)
            #expect(other.1 == "" || other.1 == "<reset>")
            gate.continuation.yield()
            gate.continuation.finish()
        }
    }

    @Test func `a source whose places all wait for an answer gets no more`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let receiver: NotificationReceiver = { _, _ in
            for await _ in gate.stream { break }
            return WebhookReply(status: 200, body: [])
        }
        try await Door.open(
            configured { $0.limits.connectionsPerSourceMax = 1 },
            receiver: receiver
        ) { door in
            let port = door.port
            let refused = try await onThread {
                let waiting = try RawClient(port: port)
                waiting.send(post())
                wait { !door.bodies.isEmpty }
                let second = try RawClient(port: port)
                second.send(post())
                return second.receive()
            }
            #expect(refused == "" || refused == "<reset>")
            #expect(door.closed("source_max") == 1)
            gate.continuation.finish()
        }
    }

    @Test func `a drain finishes what was begun and takes nobody in`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let receiver: NotificationReceiver = { _, _ in
            for await _ in gate.stream { break }
            return WebhookReply(status: 200, body: Array("done".utf8))
        }
        try await Door.open(receiver: receiver) { door in
            let port = door.port
            async let answer = exchange(port, post(close: false))
            async let idle = exchange(port, "")
            let open = door.metrics.connections.series("webhook")
            while door.bodies.isEmpty || open.value < 2 {
                try await Task.sleep(for: .milliseconds(5))
            }
            async let drained: Void = door.listener.drain(seconds: 30)
            // Whoever asked for nothing is sent away when the drain begins, and both are told at
            // once; the answer comes after that.
            let silence = try await idle
            #expect(silence == "")
            try await Task.sleep(for: .milliseconds(50))
            gate.continuation.finish()
            let text = try await answer
            #expect(status(text) == 200 && text.hasSuffix("done"))
            #expect(text.contains("Connection: close"))
            await drained
            await #expect(throws: (any Error).self) { try await exchange(port, post()) }
            #expect(door.metrics.connections.series("webhook").value == 0)
        }
    }
}
