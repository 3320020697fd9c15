import Fixtures
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// The webhook over TLS, as Apple meets it, and what SIGHUP does to it.
@Suite struct TLSDoorTests {
    private func secured() throws -> (daemon: TestDaemon, files: TLSFiles) {
        let scratch = try Scratch()
        let files = try TLSFiles("first", in: scratch)
        var setup = TestDaemon.Setup()
        setup.webhook = files.setting
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        return (daemon, files)
    }

    private func refusals(_ daemon: TestDaemon) -> [Substring] {
        daemon.log.split(separator: "\n").filter { $0.contains("Nothing was reloaded") }
    }

    private func renewal(_ daemon: TestDaemon) throws -> [UInt8] {
        try daemon.voice.notification("DID_RENEW", about: StoreLife())
    }

    @Test func `a notification over TLS changes what canRender answers`() throws {
        let (daemon, files) = try secured()
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        #expect(try daemon.canRender("alice")["canRender"]?.bool == false)
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", "INITIAL_BUY", about: life)
        for (version, result) in [("-tls1_2", "applied"), ("-tls1_3", "duplicate")] {
            let port = daemon.port
            let talk = try TLSClient.post(body, port: port, trusting: files.root, [version])
            #expect(talk.isTrusted && talk.status == 200, "\(talk.text)")
            #expect(talk.text.contains(#""result":"\#(result)""#), "\(talk.text)")
        }
        #expect(try daemon.canRender("alice")["canRender"]?.bool == true)
        let old = ["-tls1_1", "-cipher", "ALL@SECLEVEL=0"]
        let talk = try TLSClient.post(body, port: daemon.port, trusting: files.root, old)
        #expect(talk.status == nil)
        #expect(throws: DaemonProblem.self) { try daemon.deliver(body) }
    }

    @Test func `a certificate in the same files is served after SIGHUP, without a restart`() throws
    {
        let (daemon, first) = try secured()
        let second = try TLSFiles("second", in: daemon.scratch)
        let port = daemon.port
        let pid = daemon.child?.pid
        #expect(try TLSClient.post(renewal(daemon), port: port, trusting: first.root).isTrusted)
        try first.replace(by: second)
        #expect(try TLSClient.post(renewal(daemon), port: port, trusting: first.root).isTrusted)
        daemon.child?.signal(SIGHUP)
        #expect(eventually { daemon.reloads == 1 })
        let talk = try TLSClient.post(renewal(daemon), port: port, trusting: second.root)
        #expect(talk.isTrusted && talk.status == 200, "\(talk.text)")
        let stranger = try TLSClient.post(renewal(daemon), port: port, trusting: first.root)
        #expect(!stranger.isTrusted && stranger.status == nil)
        #expect(daemon.child?.pid == pid && daemon.port == port)
    }

    /// A status without the journal position, which others move.
    private func withoutPosition(_ status: JSONValue) -> JSONValue {
        guard case .object(var object) = status else { return status }
        object["seq"] = nil
        return .object(object)
    }

    @Test func `a reload changes everything or nothing`() throws {
        let (daemon, first) = try secured()
        let second = try TLSFiles("second", in: daemon.scratch)
        let account = try daemon.call("registerAccount", ["userId": "alice"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        let port = daemon.port
        #expect(try TLSClient.post(body, port: port, trusting: first.root).status == 200)
        let before = try withoutPosition(daemon.status("alice"))
        let gold = "plans: { gold: { rank: 3, tier: gold, products: [com.example.monthly] } }"
        func expectNothingChanged(_ why: String, _ count: Int) throws {
            daemon.child?.signal(SIGHUP)
            #expect(eventually { refusals(daemon).count == count }, "\(why)")
            #expect(refusals(daemon).last?.contains(why) == true, "\(daemon.log)")
            #expect(try withoutPosition(daemon.status("alice")) == before, "\(why)")
            let talk = try TLSClient.post(renewal(daemon), port: port, trusting: first.root)
            #expect(talk.isTrusted && talk.status == 200, "\(why): \(talk.text)")
        }
        let catalog = TestDaemon.Setup().catalog
        // A good certificate with a bad catalog: the certificate stays.
        try daemon.configure {
            $0.webhook = second.setting
            $0.catalog = "plans: { paid: { rnak: 1 } }"
        }
        try expectNothingChanged("rnak", 1)
        // A good catalog with a key of another certificate: the catalog stays, and so does who
        // may send.
        let torn = "tls: { certificateFile: \(second.certificate), privateKeyFile: \(first.key) }"
        try daemon.configure {
            $0.webhook = torn + ", allowedSources: [17.0.0.0/8]"
            $0.catalog = gold
            $0.logLevel = "error"
        }
        try expectNothingChanged("webhook.tls", 2)
        // A certificate that is not there.
        try daemon.configure {
            $0.webhook = second.setting.replacing("second.pem", with: "third.pem")
        }
        try expectNothingChanged("third.pem", 3)
        // The log level stayed, so a success is still told.
        try daemon.configure {
            $0.webhook = second.setting
            $0.catalog = gold
            $0.logLevel = "info"
        }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { daemon.reloads == 1 })
        #expect(try daemon.status("alice")["plan"]?.string == "gold")
        #expect(try TLSClient.post(renewal(daemon), port: port, trusting: second.root).isTrusted)
        try daemon.configure { $0.catalog = catalog }
        daemon.child?.signal(SIGHUP)
        #expect(try eventually { try withoutPosition(daemon.status("alice")) == before })
    }

    @Test func `a full disk refuses a reload whole`() throws {
        let scratch = try Scratch()
        let disk = scratch.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=8m,mode=0700") == 0 else {
            print("SKIPPED: no tmpfs can be mounted here (errno \(errno)); run as root to test it")
            return
        }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let first = try TLSFiles("first", in: scratch)
        let second = try TLSFiles("second", in: scratch)
        var setup = TestDaemon.Setup()
        setup.webhook = first.setting
        setup.storage = disk + "/store"
        let daemon = try TestDaemon(setup, scratch: scratch)
        try daemon.start()
        let filler = open(disk + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let zeros = [UInt8](repeating: 0, count: 4_096)
        while write(filler, zeros, zeros.count) == zeros.count {}
        close(filler)
        let isFull = try (0..<20_000)
            .contains { index in
                let user = "user-\(index)"
                return try daemon.refusal(of: "registerAccount", ["userId": .string(user)]) != nil
            }
        #expect(isFull)
        try daemon.configure {
            $0.webhook = second.setting
            $0.catalog = "plans: { gold: { rank: 3, products: [com.example.monthly] } }"
        }
        daemon.child?.signal(SIGHUP)
        #expect(eventually { refusals(daemon).count == 1 })
        #expect(refusals(daemon).last?.contains("the disk is full") == true, "\(daemon.log)")
        let talk = try TLSClient.post(renewal(daemon), port: daemon.port, trusting: first.root)
        #expect(talk.isTrusted && talk.status == 503, "\(talk.text)")
        unlink(disk + "/filler")
        daemon.child?.signal(SIGHUP)
        let resumes = eventually(within: 20) {
            if daemon.reloads > 0 { return true }
            daemon.child?.signal(SIGHUP)
            usleep(200_000)
            return daemon.reloads > 0
        }
        #expect(resumes)
        #expect(
            try TLSClient.post(renewal(daemon), port: daemon.port, trusting: second.root).isTrusted
        )
    }
}
