import CertificateAuthority
import EntitlementsClient
import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Verifying asks nobody: what a document or its certificates point to is never visited.
///
/// An attacker could choose the address.
@Suite struct OutboundTests {
    private static let year = 365 * StoreLife.day

    /// A daemon that trusts a chain whose certificates name `url` for everything.
    private func daemon(
        pointingTo url: String
    ) throws -> (daemon: TestDaemon, chain: HostileChain) {
        var chain = try HostileChain(
            from: StoreVoice.now - Self.year,
            until: StoreVoice.now + Self.year
        )
        chain.point(to: url)
        let daemon = try TestDaemon()
        let root = URL(fileURLWithPath: daemon.scratch.file("root.pem"))
        try Data(chain.rootDER()).write(to: root)
        try daemon.start()
        return (daemon, chain)
    }

    private func test(_ id: String, _ signed: Int64) -> [UInt8] {
        let data: JSONObject = [
            "appAppleId": .integer(TestDaemon.appAppleID),
            "bundleId": .string(TestDaemon.bundleID), "environment": "Production",
        ]
        let outer: JSONObject = [
            "notificationType": "TEST", "notificationUUID": .string(id), "version": "2.0",
            "signedDate": .integer(signed), "data": .object(data),
        ]
        return JSONValue.object(outer).bytes
    }

    @Test func `a chain that names issuers, responders and lists is judged without them`() throws {
        let trap = try SilentPort()
        let (daemon, chain) = try daemon(pointingTo: trap.url)
        // Genuine; then strangers', whose issuers one could want to look up.
        let genuine = try chain.sign(test(UUID().uuidString, StoreVoice.now))
        #expect(try daemon.deliver(StoreVoice.body(signedPayload: genuine)) == (200, "ignored"))
        var stranger = try HostileChain(
            from: StoreVoice.now - Self.year,
            until: StoreVoice.now + Self.year
        )
        stranger.point(to: trap.url)
        let payload = test(UUID().uuidString, StoreVoice.now)
        let forged = try stranger.sign(payload)
        #expect(try daemon.deliver(StoreVoice.body(signedPayload: forged)).status == 401)
        let headless = try stranger.sign(payload, ders: [stranger.leafDER()])
        #expect(try daemon.deliver(StoreVoice.body(signedPayload: headless)).status == 401)
        #expect(trap.visits == 0)
        #expect(daemon.stop() == .exited(0))
        #expect(trap.visits == 0)
    }

    @Test func `a header that names where its keys are is refused, and nobody goes there`() throws {
        let trap = try SilentPort()
        let (daemon, chain) = try daemon(pointingTo: trap.url)
        let certificates = try chain.ders().map { "\"\(Base64.text($0))\"" }
            .joined(separator: ",")
        for member in ["jku", "x5u"] {
            for rest in [",\"x5c\":[\(certificates)]", ""] {
                let header = "{\"alg\":\"ES256\",\"\(member)\":\"\(trap.url)\"\(rest)}"
                let payload = test(UUID().uuidString, StoreVoice.now)
                let document = HostileDocument(payload, header: header)
                let body = StoreVoice.body(signedPayload: try document.signed(by: chain.leafKey))
                #expect(try daemon.deliver(body).status == 401, "\(member)")
                let refusal = try daemon.refusal(
                    of: "verifyPurchase",
                    [
                        "userId": "alice",
                        "signedTransaction": .string(try document.signed(by: chain.leafKey)),
                    ]
                )
                #expect(refusal?.code == -32_020, "\(member)")
            }
        }
        #expect(trap.visits == 0)
    }

    /// The same for all destinations: the kernel's own record of what was asked of it.
    @Test func `no connection is begun at all`() throws {
        let strace = "/usr/bin/strace"
        guard access(strace, X_OK) == 0 else {
            print("SKIPPED: there is no strace here; install it to test it")
            return
        }
        let trap = try SilentPort()
        let (daemon, chain) = try daemon(pointingTo: trap.url)
        let record = daemon.scratch.file("strace.txt")
        let pid = try #require(daemon.child?.pid)
        let tracer = Process()
        tracer.executableURL = URL(fileURLWithPath: strace)
        let calls = "trace=connect,sendto,sendmsg,sendmmsg,accept4"
        tracer.arguments = ["-f", "-qq", "-e", calls, "-o", record, "-p", "\(pid)"]
        tracer.standardError = FileHandle.nullDevice
        try tracer.run()
        defer { tracer.terminate() }
        // It watches once it has seen something come in.
        let watches = try eventually {
            _ = try daemon.call("ping")
            let text = try? String(contentsOfFile: record, encoding: .utf8)
            return text?.contains("accept4(") == true
        }
        guard watches else {
            print("SKIPPED: strace may not attach here")
            return
        }
        for _ in 0..<3 {
            let document = try chain.sign(test(UUID().uuidString, StoreVoice.now))
            #expect(try daemon.deliver(StoreVoice.body(signedPayload: document)).status == 200)
        }
        #expect(daemon.stop() == .exited(0))
        tracer.waitUntilExit()
        let text = try String(contentsOfFile: record, encoding: .utf8)
        #expect(text.contains("accept4("))
        let connects = text.split(separator: "\n")
            .filter { $0.contains(" connect(") || $0.contains("AF_INET") && $0.contains("send") }
        #expect(connects.isEmpty, "\(connects)")
    }
}
