import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import Signatures
import TestSupport
import Testing

/// The HTTPS door of a running daemon, as a caller on another host meets it.
@Suite struct RemoteDoorTests {
    private let daemon: TestDaemon
    private let files: TLSFiles
    private let port: UInt16

    init() throws {
        let scratch = try Scratch()
        files = try TLSFiles("door", in: scratch)
        port = try StreamSocket.freePort()
        try Self.write(["shop": "app"], in: scratch)
        var setup = TestDaemon.Setup()
        setup.extra = """
            api: { listen: "127.0.0.1:\(port)", \(files.setting),
                   tokensFile: \(scratch.file("tokens")), requestsPerSecond: 20 }
            """
        daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
    }

    /// Writes the file of tokens: the token of NAME is `token-of-NAME`.
    private static func write(_ roles: [String: String], in scratch: Scratch) throws {
        let lines = roles.map { name, role in
            let digest = Digest.sha256("token-of-\(name)")
            return "\(name) \(role) \(digest.map { String(format: "%02x", $0) }.joined())\n"
        }
        try scratch.write(lines.joined(), to: "tokens")
    }

    private func talk(_ body: String, as name: String?) throws -> TLSClient.Talk {
        try TLSClient.post(
            Array(body.utf8),
            port: port,
            trusting: files.root,
            path: "/rpc",
            token: name.map { "token-of-\($0)" }
        )
    }

    private func request(_ method: String, _ user: String, id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{"userId":"\#(user)"}}"#
    }

    @Test func `a caller on another host writes, and the socket knows of it`() throws {
        let made = try talk(request("registerAccount", "alice"), as: "shop")
        #expect(made.isTrusted && made.status == 200, "\(made.text)")
        let credits: JSONObject = [
            "userId": "alice", "amount": 2, "idempotencyKey": "k", "source": "test",
        ]
        _ = try daemon.call("grantCredits", credits, admin: true)
        let check = try talk(request("canRender", "alice"), as: "shop")
        #expect(check.text.contains(#""canRender":true"#), "\(check.text)")
        let events = try daemon.call("getHistory", ["userId": "alice"])["events"]?.array ?? []
        #expect(events.first?["by"]?["token"] == "shop", "\(events)")
    }

    @Test func `without a token, or as an administrator, nobody is heard`() throws {
        for name in [nil, "stranger"] as [String?] {
            let refused = try talk(request("registerAccount", "mallory"), as: name)
            #expect(refused.status == 401, "\(refused.text)")
        }
        #expect(try daemon.status("mallory")["state"] == "no_account")
        let dump = try talk(request("dump", "alice"), as: "shop")
        #expect(dump.status == 200 && dump.text.contains("permission_denied"), "\(dump.text)")
    }

    @Test func `a reload takes tokens away, and lets others in`() throws {
        #expect(try talk(request("ping", "a"), as: "shop").status == 200)
        try Self.write(["office": "support"], in: daemon.scratch)
        #expect(try talk(request("ping", "a"), as: "office").status == 401)
        try daemon.reload()
        #expect(try talk(request("ping", "a"), as: "shop").status == 401)
        #expect(try talk(request("ping", "a"), as: "office").status == 200)
        // What cannot be read changes nothing.
        try daemon.scratch.write("office admin 00\n", to: "tokens")
        daemon.child?.signal(SIGHUP)
        #expect(eventually { daemon.log.contains("Nothing was reloaded") })
        #expect(try talk(request("ping", "a"), as: "office").status == 200)
    }

    /// What `entitlctl` prints over HTTPS; it must end with `code`.
    private func control(_ words: [String], as name: String, code: Int32) throws -> String {
        let token = try daemon.scratch.write("token-of-\(name)\n", to: "token-of-\(name)")
        let child = try ChildProcess(
            "entitlctl",
            words + [
                "--url", "https://localhost:\(port)", "--token-file", token, "--ca-file",
                files.root,
            ],
            in: daemon.scratch
        )
        #expect(child.wait(seconds: 60) == .exited(code), "\(words): \(child.log)")
        return child.output
    }

    @Test func `entitlctl asks over HTTPS as it does over the socket`() throws {
        _ = try control(["register", "alice"], as: "shop", code: 0)
        #expect(try daemon.status("alice")["state"] == "free_no_credits")
        let json = try control(["--json", "status", "alice"], as: "shop", code: 0)
        #expect(try JSONValue.parse(Array(json.utf8))["userId"] == "alice")
        _ = try control(["can-render", "alice"], as: "shop", code: 1)
        _ = try control(["list"], as: "shop", code: 77)
        _ = try control(["ping"], as: "stranger", code: 77)
        // The system trusts no such certificate.
        let token = try daemon.scratch.write("token-of-shop\n", to: "token-of-shop")
        let words = ["ping", "--url", "https://localhost:\(port)", "--token-file", token]
        let child = try ChildProcess("entitlctl", words, in: daemon.scratch)
        #expect(child.wait(seconds: 60) == .exited(69))
        #expect(child.log.contains("--ca-file"), "\(child.log)")
    }

    @Test func `the Swift library asks over HTTPS, and watches over a restart`() async throws {
        let client = try EntitlementsClient(
            url: "https://localhost:\(port)",
            token: "token-of-shop",
            caFile: files.root,
            readTimeout: .seconds(60),
            writeTimeout: .seconds(60)
        )
        let registration = try await client.registerAccount("alice")
        #expect(registration.created)
        #expect(try await client.status(of: "alice").state == .freeNoCredits)
        await #expect(throws: ClientError.self) { try await client.commitReservation("nobody's") }
        var events = client.watch(["alice", "b+c"], fromSeq: 0).makeAsyncIterator()
        #expect(try await Self.user(&events) == "alice")
        _ = try await client.registerAccount("b+c")
        #expect(try await Self.user(&events) == "b+c")
        #expect(daemon.stop() == .exited(0))
        async let waiting = client.canRender("alice")
        try daemon.start()
        #expect(try await !waiting.canRender)
        let gift: JSONObject = ["userId": "alice", "amount": 1, "idempotencyKey": "k"]
        _ = try daemon.call("grantCredits", gift, admin: true)
        #expect(try await Self.user(&events) == "alice")
        client.close()
        await #expect(throws: ClientError.self) { try await client.ping() }
    }

    /// Of whom the next change tells.
    private static func user(
        _ events: inout EntitlementWatch.Iterator
    ) async throws -> String? {
        while let event = try await events.next() {
            if case .entitlementChanged(let change) = event { return change.userID }
        }
        return nil
    }

    @Test func `the Swift library says who is not let in, and what is not trusted`() async throws {
        let url = "https://localhost:\(port)"
        let stranger = try EntitlementsClient(url: url, token: "no", caFile: files.root)
        let refused = await #expect(throws: ClientError.self) { try await stranger.ping() }
        #expect(refused?.name == ClientError.LocalName.permissionDenied)
        let suspicious = try EntitlementsClient(url: url, token: "token-of-shop")
        let untrusted = await #expect(throws: ClientError.self) { try await suspicious.ping() }
        #expect(untrusted?.name == ClientError.LocalName.unreachable)
        #expect(untrusted?.isOutcomeUnknown == false && untrusted?.retryable == false)
        #expect(throws: ClientError.self) {
            try EntitlementsClient(url: "http://example.com:1", token: "t")
        }
        let nobody = try EntitlementsClient(url: "http://127.0.0.1:1", token: "t")
        let away = await #expect(throws: ClientError.self) { try await nobody.ping() }
        #expect(away?.name == ClientError.LocalName.unreachable && away?.retryable == true)
    }

    @Test func `entitlctl watches over HTTPS, and goes on after a restart`() throws {
        let token = try daemon.scratch.write("token-of-shop\n", to: "token-of-shop")
        let child = try ChildProcess(
            "entitlctl",
            [
                "watch", "--user", "a+b", "--user", "c", "--url", "https://localhost:\(port)",
                "--token-file", token, "--ca-file", files.root,
            ],
            in: daemon.scratch
        )
        func lines() throws -> [JSONValue] {
            try child.output.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)) }
        }
        #expect(try eventually(within: 30) { try lines().count == 1 }, "\(child.log)")
        #expect(try lines()[0]["seq"] != nil)
        for user in ["a+b", "b"] {
            _ = try daemon.call("registerAccount", ["userId": .string(user)])
        }
        #expect(try eventually(within: 30) { try lines().count == 2 }, "\(child.output)")
        #expect(try lines()[1]["event"] == "entitlementChanged")
        #expect(try lines()[1]["userId"] == "a+b")
        // What happens while it is away is told when it is back.
        #expect(daemon.stop() == .exited(0))
        try daemon.start()
        _ = try daemon.call("registerAccount", ["userId": "c"])
        #expect(
            try eventually(within: 60) { try lines().contains { $0["userId"] == "c" } },
            "\(child.output) \(child.log)"
        )
        // A token that is taken away is told so, and ends.
        try Self.write(["office": "support"], in: daemon.scratch)
        try daemon.reload()
        #expect(child.wait(seconds: 60) == .exited(77), "\(child.log)")
    }

    @Test func `what a caller on another host must not or cannot ask is refused`() throws {
        _ = try talk(request("registerAccount", "alice"), as: "shop")
        let hold =
            #"{"jsonrpc":"2.0","id":1,"method":"reserveCredits","params":{"userId":"alice","#
            + #""amount":1,"idempotencyKey":"k","releaseOnDisconnect":true}}"#
        let refused = try talk(hold, as: "shop")
        #expect(refused.status == 200 && refused.text.contains("-32602"), "\(refused.text)")
        let watch = try talk(#"{"jsonrpc":"2.0","id":1,"method":"watch"}"#, as: "shop")
        #expect(watch.status == 200 && watch.text.contains("-32600"), "\(watch.text)")
        let silent = try talk(#"{"jsonrpc":"2.0","method":"ping"}"#, as: "shop")
        #expect(silent.status == 204)
        let batch = "[\(request("ping", "a")),\(request("canRender", "alice", id: 2))]"
        let both = try talk(batch, as: "shop")
        #expect(both.status == 200 && both.text.contains(#""id":2"#), "\(both.text)")
    }

    @Test func `who asks too much is told when to come again`() throws {
        let batch = (1...20).map { request("ping", "a", id: $0) }.joined(separator: ",")
        let over = batch + "," + request("ping", "a", id: 21)
        let refused = try talk("[\(over)]", as: "shop")
        #expect(refused.status == 200 && refused.text.contains("-32600"), "\(refused.text)")
        // As fast as they go out, until one of them finds too little room.
        var talks: [TLSClient.Talk] = []
        while talks.count < 50, talks.last?.status != 429 {
            talks.append(try talk("[\(batch)]", as: "shop"))
        }
        let limited = try #require(talks.last)
        #expect(limited.status == 429)
        #expect(limited.text.contains("Retry-After: 1\r\n"), "\(limited.text)")
    }
}
