import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// What strangers meet at the webhook of a live daemon.
@Suite struct DoorTests {
    private func daemon(_ webhook: String, _ extra: String = "") throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.webhook = "plaintext: true" + webhook
        setup.extra = extra
        return try TestDaemon.started(setup)
    }

    private func renewal(_ daemon: TestDaemon) throws -> [UInt8] {
        try daemon.voice.notification("DID_RENEW", about: StoreLife())
    }

    /// Sends `head` and the body as they are; nil where the connection closed without an answer.
    private func answer(_ daemon: TestDaemon, _ head: String, _ body: [UInt8] = []) -> HTTPExchange?
    {
        guard let socket = try? StreamSocket.local(port: daemon.port) else { return nil }
        socket.send(Array(head.utf8) + body)
        return try? HTTPExchange(socket.receiveAll())
    }

    private func head(_ body: [UInt8], _ more: String = "") -> String {
        "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\(more)\r\n"
    }

    @Test func `with a path secret every other path is 404, and nothing is stored`() throws {
        let scratch = try Scratch()
        let secret = "0123456789abcdef0123456789abcdef"
        let path = try scratch.write(secret + "\n", to: "secret")
        chmod(path, 0o600)
        let daemon = try daemon(", pathSecretFile: \(path)")
        let body = try renewal(daemon)
        let wrong = [
            "/webhooks/apple", "/webhooks/apple/", "/webhooks/apple/\(secret.dropLast())",
            "/webhooks/apple/\(secret)x", "/webhooks/apple/\(secret.uppercased())",
            "/webhooks/apple/\(secret)/", "/\(secret)", "/webhooks/apple?\(secret)",
        ]
        for path in wrong {
            let reply = try HTTPExchange.post(body, port: daemon.port, path: path)
            #expect(reply.status == 404, "\(path)")
        }
        #expect(try daemon.rows(of: "notifications").isEmpty)
        let right = "/webhooks/apple/\(secret)"
        #expect(try HTTPExchange.post(body, port: daemon.port, path: right).status == 200)
        #expect(!daemon.log.contains(secret))
    }

    @Test func `other sources are closed without a word, and SIGHUP changes who they are`() throws {
        let daemon = try daemon(", allowedSources: [17.0.0.0/8]")
        let body = try renewal(daemon)
        #expect(answer(daemon, head(body), body) == nil)
        #expect(try daemon.rows(of: "notifications").isEmpty)
        try daemon.configure {
            $0.webhook = "plaintext: true, allowedSources: [17.0.0.0/8, 127.0.0.0/8]"
        }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { answer(daemon, head(body), body)?.status == 200 })
        try daemon.configure { $0.webhook = "plaintext: true, allowedSources: [\"2001:db8::/32\"]" }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { answer(daemon, head(body), body) == nil })
    }

    @Test func `behind a trusted proxy the last hop is the source`() throws {
        let daemon = try daemon(", allowedSources: [17.0.0.0/8], trustedProxies: [127.0.0.1/32]")
        let body = try renewal(daemon)
        let refused = [
            "", "X-Forwarded-For: 10.1.2.3\r\n", "X-Forwarded-For: 17.1.2.3, 10.1.2.3\r\n",
            "X-Forwarded-For: 17.1.2.3\r\nX-Forwarded-For: 10.1.2.3\r\n",
            "X-Forwarded-For: apple.com\r\n",
        ]
        for more in refused {
            #expect(answer(daemon, head(body, more), body) == nil, "\(more)")
        }
        #expect(try daemon.rows(of: "notifications").isEmpty)
        let apple = "X-Forwarded-For: 10.1.2.3, 17.58.1.2\r\n"
        #expect(answer(daemon, head(body, apple), body)?.status == 200)
        #expect(TestDaemon.event("Notification", in: daemon.log)?["source"]?.string == "17.58.1.2")
    }

    @Test func `a sender's word on where it comes from is nothing without a trusted proxy`() throws
    {
        let daemon = try daemon(", allowedSources: [17.0.0.0/8]")
        let body = try renewal(daemon)
        #expect(answer(daemon, head(body, "X-Forwarded-For: 17.58.1.2\r\n"), body) == nil)
    }

    /// What is compressed is refused and never decompressed: a bomb would take memory.
    @Test(arguments: ["gzip", "deflate", "br", "gzip, gzip"])
    func `an encoded body is 415, a bomb too`(_ coding: String) throws {
        let daemon = try daemon("")
        // The gzip header, then noise: whoever decompressed it would say 400.
        let body: [UInt8] =
            [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3] + Array(repeating: 7, count: 60_000)
        let reply = answer(daemon, head(body, "Content-Encoding: \(coding)\r\n"), body)
        #expect(reply?.status == 415)
        let plain = try renewal(daemon)
        #expect(
            answer(daemon, head(plain, "Content-Encoding: \(coding)\r\n"), plain)?.status == 415
        )
        #expect(try daemon.rows(of: "notifications").isEmpty)
    }

    @Test func `headers that are too many or too long are 431`() throws {
        let daemon = try daemon("")
        let body = try renewal(daemon)
        let long = "X-Long: \(String(repeating: "a", count: 9_000))\r\n"
        let many = (0..<80).map { "X-Field-\($0): 1\r\n" }.joined()
        let much = (0..<20).map { "X-F\($0): \(String(repeating: "b", count: 1_000))\r\n" }.joined()
        for more in [long, many, much] {
            #expect(answer(daemon, head(body, more), body)?.status == 431)
        }
        #expect(answer(daemon, head(body), body)?.status == 200)
    }

    @Test func `a body that is too long is 413, said or in chunks`() throws {
        let daemon = try daemon("")
        let long = [UInt8](repeating: 0x20, count: (128 << 10) + 1)
        #expect(answer(daemon, head(long), long)?.status == 413)
        // Said, and never sent: refused before anything is read.
        let start = "POST /webhooks/apple HTTP/1.1\r\nHost: localhost\r\n"
        let type = "Content-Type: application/json\r\n"
        let said = start + type + "Content-Length: 8000000\r\n\r\n"
        #expect(answer(daemon, said)?.status == 413)
        let chunk = Array("8000\r\n".utf8) + Array(repeating: 0x20, count: 0x8000) + [13, 10]
        let chunks = Array((0..<5).map { _ in chunk }.joined()) + Array("0\r\n\r\n".utf8)
        let chunked = start + type + "Transfer-Encoding: chunked\r\n\r\n"
        #expect(answer(daemon, chunked, chunks)?.status == 413)
        #expect(try daemon.rows(of: "notifications").isEmpty)
    }

    @Test func `one byte at a time is cut off with 408, and others are served meanwhile`() throws {
        let daemon = try daemon("")
        let body = try renewal(daemon)
        let drips = [Array(head(body).utf8.dropLast(20)), Array(head(body).utf8)]
        for sent in drips {
            let socket = try StreamSocket.local(port: daemon.port)
            socket.send(sent)
            var isCut = false
            // Two bytes a second never become a request; a deadline of silence would never come.
            for _ in 0..<60 {
                socket.send([UInt8(ascii: "a")])
                if socket.hasAnswer(withinMilliseconds: 500) {
                    isCut = true
                    break
                }
            }
            #expect(isCut)
            #expect(try HTTPExchange(socket.receiveAll()).status == 408)
            #expect(try HTTPExchange.post(renewal(daemon), port: daemon.port).status == 200)
        }
    }

    /// Apple sends JSON; a form or plain text may come from a page in a browser.
    @Test func `a body of another media type is 415, one without a type is read`() throws {
        let daemon = try daemon("")
        let body = try renewal(daemon)
        let others = [
            "application/x-www-form-urlencoded", "text/plain", "text/json", "multipart/form-data",
            "application/jose", "application/json-patch+json", "application/jsonx", "json",
        ]
        for type in others {
            let reply = try HTTPExchange.post(body, port: daemon.port, type: type)
            #expect(reply.status == 415, "\(type)")
        }
        let form = Array("signedPayload=e30.e30.e30".utf8)
        let formType = "application/x-www-form-urlencoded"
        #expect(try HTTPExchange.post(form, port: daemon.port, type: formType).status == 415)
        #expect(try daemon.rows(of: "notifications").isEmpty)
        for type in [nil, "application/json", "Application/JSON;charset=UTF-8"] {
            let reply = try HTTPExchange.post(renewal(daemon), port: daemon.port, type: type)
            #expect(reply.status == 200, "\(type ?? "none")")
        }
    }

    /// Far too long, in every place where length could cost something.
    @Test func `a document of megabytes costs nothing but its refusal`() throws {
        let daemon = try daemon("")
        let segments = [
            String(repeating: "A", count: 5 << 20),
            "e30." + String(repeating: "A", count: 5 << 20) + ".AA",
            String(repeating: ".", count: 5 << 20),
        ]
        for segment in segments {
            let body = Array(#"{"signedPayload":"\#(segment)"}"#.utf8)
            #expect(answer(daemon, head(body), body)?.status == 413)
        }
        // As long as a body may be, and nothing in it.
        for letter in ["A", ".", "e30."] {
            let count = ((128 << 10) - 40) / letter.utf8.count
            let text = String(repeating: letter, count: count)
            let body = Array(#"{"signedPayload":"\#(text)"}"#.utf8)
            let status = answer(daemon, head(body), body)?.status
            #expect(status == 400 || status == 401, "\(letter): \(String(describing: status))")
        }
        #expect(try daemon.rows(of: "notifications").isEmpty)
        #expect(try daemon.deliver(renewal(daemon)) == (200, "applied"))
    }
}
