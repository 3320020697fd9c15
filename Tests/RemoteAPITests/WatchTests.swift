import Foundation
import HTTPServer
import JSON
import TestSupport
import Testing
import Wire

@testable import DaemonConfiguration
@testable import RemoteAPI

/// `GET /watch`: server-sent events.
struct WatchTests {
    private static func get(
        _ query: String = "",
        token: String? = "entitld_reader",
        fields: [String] = [],
        version: String = "1.1"
    ) -> String {
        let all =
            ["GET /watch\(query) HTTP/\(version)", "Host: localhost"]
            + (token.map { ["Authorization: Bearer \($0)"] } ?? []) + fields
        return all.joined(separator: "\r\n") + "\r\n\r\n"
    }

    private static func events(_ text: String) -> [[String]] {
        // Pieces of a chunked body have their length before them.
        text.replacing("\r\n", with: "\n").components(separatedBy: "\n\n")
            .map { block in
                block.split(separator: "\n").map(String.init)
                    .filter { line in
                        ["event: ", "id: ", "data: "].contains { line.hasPrefix($0) }
                    }
            }
            .filter { !$0.isEmpty }
    }

    /// What a reader hears until `isEnough`, while `body` happens.
    private func heard(
        _ gate: Gate,
        _ request: String,
        until isEnough: @escaping @Sendable (String) -> Bool,
        while body: @escaping @Sendable (Gate) async throws -> Void = { _ in }
    ) async throws -> String {
        let port = gate.port
        async let text = onThread {
            let client = try RawClient(port: port)
            client.send(request)
            return client.receive(until: isEnough)
        }
        try await body(gate)
        return try await text
    }

    /// The end of a chunked body.
    private static let lastChunk = "\r\n0\r\n\r\n"

    private static func register(
        _ user: String,
        behind watches: Int = 1
    ) -> @Sendable (Gate) async throws -> Void {
        { gate in
            #expect(await eventuallyWatched(gate, watches))
            _ = try await gate.ask(call("registerAccount", #"{"userId":"\#(user)"}"#))
        }
    }

    /// Waits until somebody watches: what happens before is not told.
    private static func eventuallyWatched(_ gate: Gate, _ count: Int = 1) async -> Bool {
        for _ in 0..<500 {
            if gate.replies(200) >= count { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    @Test func `a change is told with its name, its position and its data`() async throws {
        try await Gate.open { gate in
            let text = try await heard(
                gate,
                Self.get(),
                until: { $0.contains("entitlementChanged") && $0.hasSuffix("\n\n\r\n") },
                while: Self.register("alice")
            )
            #expect(status(text) == 200)
            #expect(text.contains("\r\nContent-Type: text/event-stream\r\n"))
            let events = Self.events(text)
            try #require(events.count == 2, "\(text)")
            #expect(events[0][0] == "event: heartbeat" && events[0][1].hasPrefix("id: "))
            #expect(events[1][0] == "event: entitlementChanged")
            let data = try JSONValue.parse(Array(events[1][2].dropFirst("data: ".count).utf8))
            #expect(data["userId"] == "alice" && data["cause"] != nil)
            #expect(events[1][1] == "id: \(data["seq"]?.int64 ?? -1)")
        }
    }

    @Test func `who resumes is told what it missed, behind the last id`() async throws {
        try await Gate.open { gate in
            for user in ["a", "b", "c"] {
                let answer = try await gate.ask(
                    call("registerAccount", #"{"userId":"\#(user)"}"#)
                )
                #expect(answer["result"] != nil)
            }
            func users(
                _ query: String,
                _ fields: [String],
                until last: String
            ) async throws
                -> [String]
            {
                let text = try await heard(
                    gate,
                    Self.get(query, fields: fields),
                    until: { $0.contains(#""userId":"\#(last)""#) && $0.hasSuffix("\n\n\r\n") }
                )
                return try Self.events(text)
                    .compactMap { event in
                        let data = event.last?.dropFirst("data: ".count) ?? ""
                        return try JSONValue.parse(Array(data.utf8))["userId"]?.string
                    }
            }
            #expect(try await users("?fromSeq=0", [], until: "c") == ["a", "b", "c"])
            #expect(
                try await users("?fromSeq=0&userId=a&userId=c", [], until: "c") == ["a", "c"]
            )
            let text = try await heard(
                gate,
                Self.get("?fromSeq=0"),
                until: { $0.contains(#""userId":"c""#) && $0.hasSuffix("\n\n\r\n") }
            )
            let second = try #require(Self.events(text).first { $0[2].contains(#""b""#) })
            // It takes the place of what the address says, which a reader repeats as it is.
            let field = "Last-Event-ID: \(second[1].dropFirst("id: ".count))"
            #expect(try await users("?fromSeq=0", [field], until: "c") == ["c"])
        }
    }

    @Test func `a stranger, and a request of another form, are refused`() async throws {
        try await Gate.open { gate in
            let rows: [(String, Int)] = [
                (Self.get(token: nil), 401), (Self.get(token: "entitld_stranger"), 401),
                (Self.get("?fromSeq=x"), 400), (Self.get("?fromSeq=-1"), 400),
                (Self.get("?fromSeq=1&fromSeq=1"), 400), (Self.get("?user=a"), 400),
                (Self.get("?userId=%4"), 400), (Self.get("?userId=%ff"), 400),
                (Self.get("?userId"), 400), (Self.get("?userId="), 400),
                (Self.get("?userId=a%0Ab"), 400),
                (Self.get("?fromSeq=99999999999999999999"), 400),
                (Self.get(fields: ["Last-Event-ID: 1x"]), 400),
                (Self.get(fields: ["Content-Length: 5"]), 413), (Self.get(version: "1.0"), 505),
                (post("", path: "/watch"), 405), (post("{}", method: "GET"), 405),
            ]
            for (request, expected) in rows {
                let text = try await heard(gate, request, until: { $0.contains("\r\n\r\n") })
                #expect(status(text) == expected, "\(request)\(text)")
            }
        }
    }

    @Test func `a token that is taken away ends its streams`() async throws {
        try await Gate.open { gate in
            let text = try await heard(
                gate,
                Self.get(),
                until: { $0.hasSuffix(Self.lastChunk) },
                while: { gate in
                    #expect(await Self.eventuallyWatched(gate))
                    gate.listener.obey([])
                }
            )
            #expect(text.hasSuffix(Self.lastChunk), "\(text)")
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
        }
    }

    @Test func `a daemon that stops ends its streams`() async throws {
        let client = try await Gate.open { gate in
            let client = try RawClient(port: gate.port)
            client.send(Self.get())
            #expect(eventually { gate.replies(200) == 1 })
            return client
        }
        let text = client.receive()
        #expect(text.hasSuffix(Self.lastChunk), "\(text)")
    }

    @Test func `who leaves is forgotten, and who does not read holds up nobody`() async throws {
        try await Gate.open {
            $0.limits.writeMillisecondsMax = 500
        } _: { gate in
            let port = gate.port
            let clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients { client.send(Self.get()) }
            #expect(eventually { gate.replies(200) == 20 })
            for client in clients.dropLast() { client.reset() }
            let text = try await heard(
                gate,
                Self.get("?userId=last"),
                until: { $0.contains("entitlementChanged") },
                while: Self.register("last", behind: 21)
            )
            #expect(text.contains(#""userId":"last""#))
            clients.last?.reset()
            #expect(eventually { gate.listener.waitingBytes == (0, 0) })
        }
    }

    /// Each watch holds a connection.
    @Test func `a token has so many watches, and leaves the others their places`() async throws {
        try await Gate.open { gate in
            let port = gate.port
            @Sendable func watch() throws -> (client: RawClient, head: String) {
                let client = try RawClient(port: port)
                client.send(Self.get())
                return (client, client.receive { $0.contains("\r\n\r\n") })
            }
            try await onThread {
                var watching: [RawClient] = []
                for _ in 0..<APILimits.watchesPerTokenMax {
                    let (client, head) = try watch()
                    #expect(head.hasPrefix("HTTP/1.1 200"))
                    watching.append(client)
                }
                let refused = try watch().head
                #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
                #expect(refused.contains("Retry-After: 1\r\n"))
                let other = try RawClient(port: port)
                other.send(post(call("ping")))
                #expect(other.receive().hasPrefix("HTTP/1.1 200"))
                watching.last?.close()
                #expect(eventually { (try? watch().head.hasPrefix("HTTP/1.1 200")) == true })
                #expect(!watching.isEmpty)
            }
        }
    }

    @Test func `only the last event of a position has an id`() throws {
        func frame(_ seq: Int, _ user: String) -> [UInt8] {
            let text =
                #"{"jsonrpc":"2.0","method":"entitlementChanged","params":"#
                + #"{"seq":\#(seq),"userId":"\#(user)"}}"#
            return FrameDecoder.frame(text.utf8)
        }
        let frames = frame(4, "a") + frame(5, "a") + frame(5, "b\u{1F600}") + frame(6, "c")
        let text = String(decoding: ServerSentEvents.text(of: frames), as: UTF8.self)
        let events = Self.events(text)
        #expect(events.map { $0.contains { $0.hasPrefix("id: ") } } == [true, false, true, true])
        let ids = events.compactMap { $0.first { $0.hasPrefix("id: ") } }
        #expect(ids == ["id: 4", "id: 5", "id: 6"])
        let resync = #"{"jsonrpc":"2.0","method":"resync","params":{"oldest":7}}"#
        let said = ServerSentEvents.text(of: FrameDecoder.frame(resync.utf8))
        #expect(String(decoding: said, as: UTF8.self) == "event: resync\ndata: {\"oldest\":7}\n\n")
    }

    @Test func `a query is read as a form is written`() {
        let query = WatchQuery("userId=a+b%2Bc&userId=%C3%A9&fromSeq=7", lastEventID: nil)
        #expect(query?.users == ["a b+c", "é"] && query?.fromSeq == 7)
        #expect(WatchQuery("", lastEventID: "") == WatchQuery("", lastEventID: nil))
        #expect(WatchQuery("fromSeq=7", lastEventID: "9")?.fromSeq == 9)
    }
}
