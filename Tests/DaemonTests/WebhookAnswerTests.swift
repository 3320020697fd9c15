import CertificateAuthority
import Fixtures
import Foundation
import JSON
import Testing

/// What the webhook answers to everything that is not a genuine notification
/// (docs/app-store-connect.md, "What the webhook answers").
@Suite struct WebhookAnswerTests {
    @Test func `what is no notification is answered 400 and leaves nothing`() throws {
        let daemon = try TestDaemon.started()
        let bodies = [
            "", "{", "[]", "null", "{}", #"{"signedPayload":1}"#, #"{"signedPayload":"a.b"}"#,
            #"{"signedPayload":"a.b.c.d"}"#, #"{"signedPayload":"a.b.c","signedPayload":"a.b.c"}"#,
        ]
        for body in bodies {
            let reply = try HTTPExchange.post(Array(body.utf8), port: daemon.port)
            #expect(reply.status == 400, "\(body)")
            #expect(reply.text == #"{"error":"malformed"}"#, "\(body)")
        }
        #expect(try daemon.rows(of: "notifications").isEmpty)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
    }

    @Test func `what does not verify is answered 401 and leaves nothing`() throws {
        let daemon = try TestDaemon.started()
        let voice = daemon.voice
        let life = StoreLife(token: UUID().uuidString.lowercased())
        let genuine = try voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        var bodies = ["stranger": try StoreVoice().notification("SUBSCRIBED", about: life)]
        bodies["signature"] = Self.spoiled(genuine)
        bodies["bundle"] = try voice.body(
            "SUBSCRIBED",
            saying: [
                "bundleId": "com.example.other",
                "appAppleId": .integer(TestDaemon.appAppleID), "environment": "Production",
            ]
        )
        bodies["app"] = try voice.body(
            "SUBSCRIBED",
            saying: [
                "bundleId": .string(TestDaemon.bundleID), "appAppleId": 1,
                "environment": "Production",
            ]
        )
        // The outer document speaks of Production, the inner one of the sandbox.
        var sandboxed = life
        sandboxed.environment = "Sandbox"
        bodies["disagreement"] = try voice.body(
            "SUBSCRIBED",
            saying: [
                "bundleId": .string(TestDaemon.bundleID),
                "appAppleId": .integer(TestDaemon.appAppleID), "environment": "Production",
                "signedTransactionInfo": .string(try voice.purchase(sandboxed)),
            ]
        )
        bodies["segments"] = StoreVoice.body(signedPayload: "e30.e30.e30")
        for (name, body) in bodies {
            let reply = try HTTPExchange.post(body, port: daemon.port)
            #expect(reply.status == 401, "\(name)")
            #expect(reply.text == #"{"error":"unauthorized"}"#, "\(name)")
            #expect(reply.headers["www-authenticate"]?.isEmpty == false, "\(name)")
        }
        #expect(try daemon.rows(of: "notifications").isEmpty)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        #expect(try daemon.deliver(genuine) == (200, "applied"))
    }

    @Test func `other paths, methods, sizes and types have their own answers`() throws {
        let daemon = try TestDaemon.started()
        let port = daemon.port
        let body = try daemon.voice.notification("DID_RENEW", about: StoreLife())
        for path in ["/", "/webhooks", "/webhooks/apple/x", "/metrics", "/livez", "/readyz"] {
            #expect(try HTTPExchange.post(body, port: port, path: path).status == 404, "\(path)")
        }
        for method in ["GET", "PUT", "DELETE", "HEAD"] {
            let reply = try HTTPExchange.request(method, "/webhooks/apple", [], port: port)
            #expect(reply.status == 405, "\(method)")
            #expect(reply.headers["allow"] == "POST", "\(method)")
        }
        #expect(try HTTPExchange.post(body, port: port, type: "text/plain").status == 415)
        let tooLong = [UInt8](repeating: 0x20, count: 128 * 1024 + 1)
        #expect(try HTTPExchange.post(tooLong, port: port).status == 413)
        let typed = "application/json; charset=utf-8"
        #expect(try HTTPExchange.post(body, port: port, type: typed).status == 200)
        #expect(try HTTPExchange.post(Array("{}".utf8), port: port).status == 400)
    }

    @Test func `the other two paths are the same door`() throws {
        let daemon = try TestDaemon.started()
        for path in ["/api/webhooks/apple", "/api/billing/webhooks/apple"] {
            let body = try daemon.voice.notification("DID_RENEW", about: StoreLife())
            let reply = try HTTPExchange.post(body, port: daemon.port, path: path)
            #expect(reply.status == 200)
            #expect(reply.text == #"{"success":true,"received":true,"result":"applied"}"#)
        }
    }

    @Test func `a notification of the future is asked for again`() throws {
        let daemon = try TestDaemon.started()
        let life = StoreLife()
        let future = try daemon.voice.notification(
            "SUBSCRIBED",
            about: life,
            signed: StoreVoice.now + 360_000
        )
        let reply = try HTTPExchange.post(future, port: daemon.port)
        #expect(reply.status == 503)
        #expect(reply.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        #expect(try daemon.rows(of: "subscriptions").isEmpty)
        let soon = try daemon.voice.notification(
            "SUBSCRIBED",
            about: life,
            signed: StoreVoice.now + 240_000
        )
        #expect(try daemon.deliver(soon) == (200, "applied"))
    }

    @Test func `without Apple in the configuration the store is asked to come again`() throws {
        var setup = TestDaemon.Setup()
        setup.apple = false
        let daemon = try TestDaemon.started(setup)
        let body = try daemon.voice.notification("DID_RENEW", about: StoreLife())
        let reply = try HTTPExchange.post(body, port: daemon.port)
        #expect(reply.status == 503)
        #expect(reply.headers["retry-after"] != nil)
    }

    @Test func `a store without a section in the configuration is asked to come again`() throws {
        let daemon = try TestDaemon.started()
        for name in ["google", "stripe"] {
            for path in ["/webhooks/", "/api/webhooks/", "/api/billing/webhooks/"] {
                let reply = try HTTPExchange.post(
                    Array("{}".utf8),
                    port: daemon.port,
                    path: path + name
                )
                #expect(reply.status == 503, "\(path)\(name)")
                #expect(reply.headers["retry-after"] != nil)
            }
        }
        // Before a body is read: a megabyte on each connection would be too much.
        let stranger = try StreamSocket.local(port: daemon.port)
        let head = "POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n"
        stranger.send(Array("\(head)Connection: close\r\n\r\n".utf8))
        let early = try HTTPExchange(stranger.receiveAll())
        #expect(early.status == 503)
        #expect(early.text == #"{"error":"unavailable"}"#)
        let other = try HTTPExchange.post(Array("{}".utf8), port: daemon.port, path: "/webhooks/x")
        #expect(other.status == 404)
    }

    @Test func `no age is too old`() throws {
        let daemon = try TestDaemon.started()
        let life = StoreLife(expiresIn: -200)
        let old = try daemon.voice.notification(
            "EXPIRED",
            "VOLUNTARY",
            about: life,
            signed: StoreVoice.now - 190 * StoreLife.day
        )
        #expect(try daemon.deliver(old) == (200, "applied"))
    }

    /// The same with one byte of the signature changed.
    private static func spoiled(_ body: [UInt8]) -> [UInt8] {
        var body = body
        let place = body.count - 20
        body[place] = body[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return body
    }
}
