import Foundation
import Glibc
import JSON
import Testing

/// Exit codes, as the contract lists them: each with a sentence that helps.
struct ExitTests {
    @Test func `a wrong key is named and ends with 78`() throws {
        let daemon = try DaemonUnderTest(more: "nonsense: 1")
        for verb in ["serve", "check-config"] {
            let end = try DaemonUnderTest.run("entitld", [verb, "--config", daemon.configuration])
            #expect(end.code == 78)
            #expect(end.output.contains("nonsense"))
        }
    }

    @Test func `a file that cannot be read ends with 78, wrong usage with 2`() throws {
        let missing = try DaemonUnderTest.run("entitld", ["serve", "--config", "/nowhere.yaml"])
        #expect(missing.code == 78)
        #expect(try DaemonUnderTest.run("entitld", ["--nonsense"]).code == 2)
        let version = try DaemonUnderTest.run("entitld", ["--version"])
        #expect(version.code == 0)
        #expect(version.output.contains("."))
    }

    @Test func `a second daemon on the same directory ends with 75`() throws {
        let daemon = try DaemonUnderTest()
        try daemon.start()
        let second = try DaemonUnderTest.run(
            "entitld",
            ["serve", "--config", daemon.configuration]
        )
        #expect(second.code == 75)
        #expect(try daemon.ask("ping") == .object([:]))
    }

    @Test func `a cut data file ends with 65 and what to do, and the journal rebuilds it`() throws {
        let daemon = try DaemonUnderTest()
        try daemon.start()
        for index in 0..<50 {
            _ = try daemon.ask("registerAccount", ["userId": .string("user-\(index)")])
        }
        #expect(daemon.stop().code == 0)
        let path = daemon.data + "/data.mdb"
        #expect(truncate(path, 8192) == 0)
        let cut = try DaemonUnderTest.run("entitld", ["serve", "--config", daemon.configuration])
        #expect(cut.code == 65)
        #expect(cut.output.contains("data.mdb"))
        try FileManager.default.removeItem(atPath: path)
        try daemon.start()
        let answer = try daemon.ask("canRender", ["userId": "user-49"])
        #expect(answer["via"] == "credits")
        #expect(daemon.stop().code == 0)
        let verified = try DaemonUnderTest.run(
            "entitld",
            ["verify", "--config", daemon.configuration]
        )
        #expect(verified.code == 0, "\(verified.output)")
    }

    @Test func `entitlctl says 69 where nobody listens and 1 for a no`() throws {
        let daemon = try DaemonUnderTest()
        let nobody = try DaemonUnderTest.run("entitlctl", ["--socket", daemon.socket, "ping"])
        #expect(nobody.code == 69)
        try daemon.start()
        let arguments = ["--json", "--socket", daemon.socket, "can-render", "nobody"]
        let answer = try DaemonUnderTest.run("entitlctl", arguments)
        #expect(answer.code == 1)
        #expect(answer.output.contains("\"no_account\""))
    }

    @Test func `a full disk refuses writes, answers reads, and takes writes again`() throws {
        guard getuid() == 0 else {
            print("SKIPPED: a size-limited tmpfs needs root")
            return
        }
        let mount = "/tmp/entitld-full-\(UInt32.random(in: 1...UInt32.max))"
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        defer { rmdir(mount) }
        guard system("mount -t tmpfs -o size=8m tmpfs \(mount)") == 0 else {
            print("SKIPPED: no tmpfs can be mounted here")
            return
        }
        defer { _ = system("umount -l \(mount)") }
        let daemon = try DaemonUnderTest(storage: mount + "/data")
        try daemon.start()
        _ = try daemon.ask("registerAccount", ["userId": "early"])
        #expect(system("dd if=/dev/zero of=\(mount)/ballast bs=4096 status=none 2>/dev/null") != 0)
        var refused = false
        for index in 0..<2000 where !refused {
            let answer = try daemon.ask("registerAccount", ["userId": .string("full-\(index)")])
            refused = answer["error"] == -32_010
        }
        #expect(refused)
        #expect(try daemon.ask("canRender", ["userId": "early"])["canRender"] == true)
        #expect(unlink(mount + "/ballast") == 0)
        var created = false
        for _ in 0..<100 where !created {
            created = try daemon.ask("registerAccount", ["userId": "late"])["error"] == nil
            if !created { usleep(100_000) }
        }
        #expect(created)
        #expect(daemon.stop().code == 0)
        let verified = try DaemonUnderTest.run(
            "entitld",
            ["verify", "--config", daemon.configuration]
        )
        #expect(verified.code == 0, "\(verified.output)")
        daemon.kill()
    }
}
