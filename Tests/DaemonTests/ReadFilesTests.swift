import Foundation
import JSON
import TestSupport
import Testing

/// `check-config` and `serve` stop at the same files.
@Suite struct ReadFilesTests {
    private let scratch: Scratch
    private let files: TLSFiles
    private let garbage: String

    init() throws {
        scratch = try Scratch()
        files = try TLSFiles("first", in: scratch)
        garbage = try scratch.write("garbage", to: "garbage")
        try scratch.write(Receiver.secret + "\n", to: "secret")
        try scratch.write("", to: "tokens")
    }

    /// What both say of this configuration.
    private func endings(
        _ change: (inout TestDaemon.Setup) -> Void
    ) throws -> (check: ChildProcess.Ending, serve: ChildProcess.Ending, said: String) {
        var setup = TestDaemon.Setup()
        change(&setup)
        let daemon = try TestDaemon(setup, scratch: scratch)
        let check = try daemon.run("check-config")
        let serve = try daemon.spawn()
        return (check.ending, serve.wait(seconds: 60), check.said + serve.log)
    }

    private func api(_ tls: String) -> String {
        "api: { listen: \"127.0.0.1:0\", tokensFile: \(scratch.file("tokens")), \(tls) }"
    }

    private func outbox(roots: String) -> String {
        """
        outbox:
          - name: crm
            url: https://localhost:1/hooks
            secretFile: \(scratch.file("secret"))
            caFile: \(roots)
        """
    }

    @Test func `a certificate and a key that do not belong together`() throws {
        let other = try TLSFiles("second", in: scratch)
        for (certificate, key) in [
            (other.certificate, files.key), (garbage, files.key), (files.certificate, garbage),
        ] {
            let tls = "tls: { certificateFile: \(certificate), privateKeyFile: \(key) }"
            let webhook = try endings { $0.webhook = tls }
            #expect(webhook.check == .exited(78) && webhook.serve == .exited(78), "\(tls)")
            #expect(webhook.said.contains("webhook.tls"), "\(webhook.said)")
            let door = try endings { $0.extra = api(tls) }
            #expect(door.check == .exited(78) && door.serve == .exited(78), "\(tls)")
            #expect(door.said.contains("api.tls"), "\(door.said)")
        }
        let good = try TestDaemon(scratch: scratch)
        try good.configure { setup in
            setup.webhook = files.setting
            setup.extra = api(files.setting)
        }
        #expect(try good.run("check-config").ending == .exited(0))
    }

    @Test func `a caFile without a certificate`() throws {
        for file in [garbage, files.key] {
            let ended = try endings { $0.extra = outbox(roots: file) }
            #expect(ended.check == .exited(78) && ended.serve == .exited(78), "\(ended.said)")
            let sentence = "outbox[0].caFile names \(file), which holds no certificate in PEM"
            #expect(ended.said.split(separator: "\n").count { $0 == sentence } == 2)
        }
        let good = try TestDaemon(scratch: scratch)
        try good.configure { $0.extra = outbox(roots: files.root) }
        #expect(try good.run("check-config").ending == .exited(0))
    }

    @Test func `a system whose certificate leads to caFile is told`() throws {
        let port = try StreamSocket.freePort()
        let receiver = try Receiver(port: port, files: files)
        var setup = TestDaemon.Setup()
        setup.extra = outbox(roots: files.root)
            .replacing("localhost:1/", with: "localhost:\(port)/")
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        #expect(eventually(within: 30) { receiver.posts.map(\.user) == ["alice"] }, "\(daemon.log)")
    }
}
