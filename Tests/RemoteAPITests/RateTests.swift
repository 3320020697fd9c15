import JSON
import Telemetry
import TestSupport
import Testing

@testable import RemoteAPI

/// How much a token may ask.
struct RateTests {
    @Test func `a bucket holds a second's worth and fills steadily`() {
        let start = ContinuousClock.now
        var bucket = RateBucket(perSecond: 10, at: start)
        #expect(bucket.take(10, at: start) == nil)
        #expect(bucket.take(1, at: start) == .milliseconds(100))
        // What was refused was not taken.
        #expect(bucket.take(1, at: start + .milliseconds(100)) == nil)
        #expect(bucket.take(5, at: start + .milliseconds(100)) == .milliseconds(500))
        #expect(bucket.take(5, at: start + .milliseconds(600)) == nil)
        // It never holds more, however long nobody asks.
        #expect(bucket.take(10, at: start + .seconds(3_600)) == nil)
        #expect(bucket.take(1, at: start + .seconds(3_600)) == .milliseconds(100))
        // A clock that goes back gives nothing.
        #expect(bucket.take(1, at: start) == .milliseconds(100))
    }

    @Test func `each request of a batch counts, and another token has its own`() async throws {
        try await Gate.open {
            $0.requestsPerSecond = 4
        } _: { gate in
            func batch(_ count: Int) -> String {
                "[\(Array(repeating: call("ping"), count: count).joined(separator: ","))]"
            }
            let long = try await gate.ask(batch(5))
            #expect(long["error"]?["code"]?.int64 == -32_600)
            #expect(long["error"]?["message"]?.string?.contains("4 requests") == true)
            // In whatever time this takes, less than a second's worth flows in again.
            var limited: String?
            for _ in 0..<1_000 where limited == nil {
                let answer = try await exchange(gate.port, post(batch(4), token: "entitld_reader"))
                if status(answer) == 429 { limited = answer }
            }
            let answer = try #require(limited)
            #expect(answer.contains("Retry-After: 1\r\n"))
            #expect(body(of: answer) == #"{"error":"too_many_requests"}"#)
            #expect(
                try await status(exchange(gate.port, post(batch(3), token: "entitld_support")))
                    == 200
            )
        }
    }

    @Test func `a connection stays where a request was too much`() async throws {
        try await Gate.open {
            $0.requestsPerSecond = 1
        } _: { gate in
            let statuses = try await onThread { [port = gate.port] in
                let client = try RawClient(port: port)
                var statuses: [Int?] = []
                for _ in 0..<200 where !statuses.contains(429) {
                    client.send(post(call("ping"), close: false))
                    statuses.append(status(client.receive { $0.hasSuffix("}") }))
                }
                client.send(post(call("ping")))
                return statuses + [status(client.receive())]
            }
            #expect(statuses.first == 200 && statuses.contains(429))
            #expect(statuses.last != nil)
            #expect(gate.metrics.accepted.series("api").value == 1)
        }
    }
}
