import CertificateAuthority
import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// What a configuration allows and its author may not mean is said; what is blocked stays out.
@Suite struct CautionTests {
    /// What the daemon warns of, by the keys it names.
    private func warned(_ daemon: TestDaemon) -> Set<String> {
        let lines = daemon.log.split(separator: "\n")
            .compactMap { try? JSONValue.parse(Array($0.utf8)) }
            .filter { $0["msg"] == "The configuration lets in more than may be meant" }
        return Set(lines.compactMap { $0["key"]?.string })
    }

    private func amber(_ port: UInt16) throws -> Set<Substring> {
        let reply = try HTTPExchange.request("GET", "/readyz?verbose", [], port: port)
        #expect(reply.status == 200)
        let lines = reply.text.split(separator: "\n").filter { $0.contains("amber") }
        return Set(lines.map { $0.drop { $0 != "]" }.dropFirst().prefix { $0 != " " } })
    }

    @Test func `what lets in more than may be meant is said in the log and by readyz`() throws {
        var setup = TestDaemon.Setup()
        setup.environments = "[Production, Sandbox]"
        setup.catalog = "freeCredits: 1"
        let port = try setup.servingMetrics()
        let daemon = try TestDaemon(setup)
        // The setup has a listen of its own, and a second one would be a duplicate key.
        let path = daemon.configPath
        let open = try String(contentsOfFile: path, encoding: .utf8)
            .replacing("listen: \"127.0.0.1:0\"", with: "listen: \"0.0.0.0:0\"")
        try open.write(toFile: path, atomically: true, encoding: .utf8)
        try daemon.start()
        let all: Set = ["apple.sandboxAccess", "webhook.plaintext", "catalog"]
        #expect(warned(daemon) == all)
        #expect(try amber(port) == ["sandbox", "plaintext", "catalog"])
        let check = try daemon.run("check-config")
        #expect(check.ending == .exited(0))
        for key in all { #expect(check.said.contains("warning: \(key): "), "\(check.said)") }
        // A catalog that names plans mends the last; the other two need a restart.
        try daemon.scratch.write("plans: { paid: { products: [a] } }", to: "catalog.yaml")
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try amber(port) == ["sandbox", "plaintext"] })
        #expect(daemon.stop() == .exited(0))
    }

    @Test(arguments: [
        ("[Production, Sandbox]", "none"), ("[Production, Sandbox]", "listed"),
        ("[Production]", "all"), ("[Sandbox]", "all"),
    ])
    func `a careful configuration is not warned of`(environments: String, sandbox: String) throws {
        var setup = TestDaemon.Setup()
        setup.environments = environments
        setup.sandbox = sandbox
        let port = try setup.servingMetrics()
        let daemon = try TestDaemon.started(setup)
        #expect(warned(daemon).isEmpty)
        #expect(try amber(port).isEmpty)
        #expect(try !daemon.run("check-config").said.contains("warning"))
        #expect(daemon.stop() == .exited(0))
    }

    @Test(arguments: ["google", "stripe"])
    func `a catalog that names no plans is warned of, whichever store sells`(store: String) throws {
        let scratch = try Scratch()
        let played =
            try store == "google"
            ? PlayedProgram.googlePlay(month: "30d", in: scratch)
            : PlayedProgram.stripe(month: "30d", in: scratch)
        var setup = TestDaemon.Setup()
        setup.apple = false
        setup.catalog = "freeCredits: 1"
        setup.extra = played.configuration
        let check = try TestDaemon(setup).run("check-config")
        #expect(check.ending == .exited(0))
        #expect(check.said.contains("warning: catalog: "), "\(check.said)")
    }

    @Test func `a certificate that is blocked signs nothing here, and a restart is needed`() throws
    {
        let daemon = try TestDaemon.started()
        func notification() throws -> (status: Int, result: String?) {
            let life = StoreLife(token: UUID().uuidString.lowercased())
            return try daemon.deliver(daemon.voice.notification("SUBSCRIBED", about: life))
        }
        #expect(try notification() == (200, "applied"))
        // Leaf, intermediate, root.
        for certificate in daemon.voice.authority.x5c {
            let serial = try Self.serial(of: certificate)
            try daemon.configure { $0.receipts = "blockedSerials: [\"\(serial)\"]" }
            try daemon.restart()
            #expect(try notification().status == 401)
            let shown = try daemon.voice.purchase(StoreLife(token: nil))
            let refusal = try daemon.refusal(
                of: "verifyPurchase",
                ["userId": "alice", "signedTransaction": .string(shown)]
            )
            #expect(refusal?.reason == "chain")
        }
        try daemon.configure { $0.receipts = "blockedSerials: [\"01:02:03\"]" }
        try daemon.restart()
        #expect(try notification() == (200, "applied"))
        #expect(daemon.stop() == .exited(0))
    }

    /// As `openssl x509 -serial` has it, in lower case, with colons and a zero in front.
    private static func serial(of base64: String) throws -> String {
        let der = Array(try #require(Data(base64Encoded: base64)))
        // Two sequences, the version in four bytes behind its tag, the serial's tag and length.
        let start = try #require(
            der.indices.first {
                Array(der[$0...].prefix(6)) == [0xa0, 0x03, 0x02, 0x01, 0x02, 0x02]
            }
        )
        let bytes = der[(start + 7)...].prefix(Int(der[start + 6]))
        let words = bytes.map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        return "00:" + words.joined(separator: ":")
    }
}
