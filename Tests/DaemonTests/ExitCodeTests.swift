import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// How the programs end (docs/operating.md, "Exit codes").
@Suite struct ExitCodeTests {
    @Test(arguments: [
        ("nonsense: 1", "nonsense"),
        ("rpc: { sokcet: /tmp/x }", "sokcet"),
        ("rpc: { threads: many }", "threads"),
        ("apple: { environments: [Xcode] }", "environments"),
        ("apple: { bundleId: com.example.app }", "appAppleId"),
        ("storage: { mapSizeGiB: [1] }", "mapSizeGiB"),
        ("log: { level: loud }", "level"),
        ("catalog: /nonexistent/catalog.yaml", "catalog"),
    ])
    func `a mistake in the configuration ends with 78 and names the key`(
        _ text: String,
        _ key: String
    ) throws {
        let scratch = try Scratch()
        let path = try scratch.write(text + "\n", to: "bad.yaml")
        for command in ["serve", "check-config"] {
            let child = try ChildProcess("entitld", [command, "--config", path], in: scratch)
            #expect(child.wait() == .exited(78), "\(command)")
            #expect(child.log.contains(key), "\(command): \(child.log)")
            #expect(child.log.split(separator: "\n").count == 1, "one sentence: \(child.log)")
        }
    }

    /// A terminal would clear its screen, or write from right to left.
    @Test func `what a complaint quotes is shown and not obeyed`() throws {
        let hostile = "\u{1B}[2J\u{9B}2J\u{202E}"
        let scratch = try Scratch()
        let path = try scratch.write(
            "\"a\\e[2J\\x9b2J\\u202e\\nb\": 1\n",
            to: "bad\(hostile).yaml"
        )
        let value = try scratch.write("log: { level: \"\u{202E}x\" }\n", to: "value.yaml")
        let rows = [
            ["check-config", "--config", path], ["serve", "--config", path],
            ["check-config", "--config", value],
            ["verify", "--config", scratch.file("none\(hostile).yaml")],
            ["no-such-verb\(hostile)"], ["serve", "--no-\(hostile)", "a\nb\(hostile)"],
        ]
        for words in rows {
            let child = try ChildProcess("entitld", words, in: scratch)
            #expect([.exited(2), .exited(78)].contains(child.wait()), "\(words)")
            let said = child.output + child.log
            #expect(!said.isEmpty)
            let isClean = said.unicodeScalars.allSatisfy {
                $0 == "\n" || !VisibleText.isCommand($0)
            }
            #expect(isClean, "\(said)")
        }
        let good = try scratch.write("", to: "good\(hostile).yaml")
        let child = try ChildProcess("entitld", ["check-config", "--config", good], in: scratch)
        #expect(child.wait() == .exited(0))
        #expect(child.output == VisibleText.line(good) + ": ok\n")
    }

    @Test func `a file that is missing, or not YAML, ends with 78`() throws {
        let scratch = try Scratch()
        let missing = scratch.file("missing.yaml")
        let child = try ChildProcess("entitld", ["serve", "--config", missing], in: scratch)
        #expect(child.wait() == .exited(78))
        #expect(child.log.contains(missing))
        let path = try scratch.write("rpc: {", to: "cut.yaml")
        let other = try ChildProcess("entitld", ["check-config", "--config", path], in: scratch)
        #expect(other.wait() == .exited(78))
    }

    @Test func `the environment overrides the file and names the key where it is wrong`() throws {
        let daemon = try TestDaemon()
        let socket = daemon.scratch.file("other.sock")
        try daemon.start(environment: ["ENTITLD_RPC_SOCKET": socket, "ENTITLD_UNHEARD_OF": "1"])
        #expect(access(socket, F_OK) == 0)
        #expect(access(daemon.socket, F_OK) != 0)
        #expect(daemon.stop() == .exited(0))
        let child = try daemon.spawn(environment: ["ENTITLD_RPC_THREADS": "many"])
        #expect(child.wait() == .exited(78))
        #expect(child.log.contains("threads") || child.log.contains("ENTITLD_RPC_THREADS"))
    }

    @Test func `check-config, version and usage`() throws {
        let daemon = try TestDaemon()
        let check = try daemon.run("check-config")
        #expect(check.ending == .exited(0), "\(check.said)")
        #expect(access(daemon.storage, F_OK) != 0, "check-config makes nothing")
        let scratch = daemon.scratch
        for program in ["entitld", "entitlctl"] {
            let version = try ChildProcess(program, ["--version"], in: scratch)
            #expect(version.wait() == .exited(0))
            #expect(version.output.contains("0."))
            let usage = try ChildProcess(program, ["--no-such-option"], in: scratch)
            #expect(usage.wait() == .exited(2), "\(program)")
            #expect(!usage.log.isEmpty)
            let verb = try ChildProcess(program, ["no-such-verb"], in: scratch)
            #expect(verb.wait() == .exited(2), "\(program)")
        }
    }

    @Test func `a second daemon ends with 75, on the directory and on the sockets`() throws {
        let daemon = try TestDaemon()
        try daemon.start(environment: ["ENTITLD_RPC_SHARED_ANSWERS": "true"])
        func marks() throws -> NSNumber? {
            let found = try FileManager.default.attributesOfItem(atPath: daemon.socket + ".marks")
            return found[.systemFileNumber] as? NSNumber
        }
        let taken = try marks()
        let second = try daemon.spawn()
        #expect(second.wait() == .exited(75))
        #expect(second.log.contains(daemon.socket), "\(second.log)")
        // Another directory, the same sockets.
        let path = daemon.configPath
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(daemon.storage, with: daemon.scratch.file("elsewhere"))
        try daemon.scratch.write(text, to: "second.yaml")
        let third = try ChildProcess(
            "entitld",
            ["serve", "--config", daemon.scratch.file("second.yaml")],
            in: daemon.scratch
        )
        #expect(third.wait() == .exited(75))
        #expect(third.log.contains(daemon.socket), "\(third.log)")
        #expect(try daemon.call("ping") == [:])
        // Clients that keep answers go by this file.
        #expect(try taken != nil && marks() == taken)
        #expect(try daemon.run("verify").ending == .exited(75))
        #expect(try daemon.run("compact").ending == .exited(75))
        #expect(try daemon.call("ping") == [:])
    }

    @Test func `a stale socket file is taken over`() throws {
        let daemon = try TestDaemon.started()
        daemon.killAtOnce()
        #expect(access(daemon.socket, F_OK) == 0)
        try daemon.start()
        #expect(try daemon.call("ping") == [:])
    }

    @Test(arguments: ["file/store", "loop/store", "nowhere"])
    func `a place where no directory can be made ends with 78`(_ place: String) throws {
        let scratch = try Scratch()
        try scratch.write("precious", to: "file")
        #expect(symlink("loop", scratch.file("loop")) == 0)
        #expect(symlink(scratch.file("none/none"), scratch.file("nowhere")) == 0)
        var setup = TestDaemon.Setup()
        setup.storage = scratch.file(place)
        let daemon = try TestDaemon(setup, scratch: scratch)
        let child = try daemon.spawn()
        #expect(child.wait() == .exited(78), "\(child.log)")
        #expect(child.log.contains("storage.directory"), "\(child.log)")
    }

    @Test(arguments: ["", "/journal", "/data.mdb"])
    func `a data directory that others can write ends with 78`(_ part: String) throws {
        let daemon = try TestDaemon.started()
        _ = try daemon.call("registerAccount", ["userId": "alice"])
        #expect(daemon.stop() == .exited(0))
        let path = daemon.storage + part
        var status = stat()
        #expect(stat(path, &status) == 0)
        let mode = status.st_mode & 0o7777
        #expect(mode & 0o077 == 0, "made for the daemon alone: \(String(mode, radix: 8))")
        for bits in [mode | S_IWGRP, mode | S_IWOTH] as [mode_t] {
            #expect(chmod(path, bits) == 0)
            let child = try daemon.spawn()
            #expect(child.wait() == .exited(78), "\(child.log)")
            #expect(child.log.contains("others can write \(path) "), "\(child.log)")
            // It has no part in the journal.
            let compacts = part == "/journal"
            #expect(try daemon.run("compact").ending == .exited(compacts ? 0 : 78))
        }
        #expect(chmod(path, mode) == 0)
        try daemon.start()
        #expect(try daemon.canRender("alice")["reason"] != "no_account")
    }

    @Test func `something else at the path of the socket ends with 78`() throws {
        let daemon = try TestDaemon()
        try daemon.scratch.write("precious", to: "app.sock")
        let child = try daemon.spawn()
        #expect(child.wait() == .exited(78))
        #expect(try String(contentsOfFile: daemon.socket, encoding: .utf8) == "precious")
    }

    @Test func `the directory and the sockets have the modes that are documented`() throws {
        let daemon = try TestDaemon.started()
        #expect(Self.mode(daemon.storage) == 0o700)
        #expect(Self.mode(daemon.socket) == 0o660)
        #expect(Self.mode(daemon.adminSocket) == 0o600)
    }

    private static func mode(_ path: String) -> UInt32 {
        var info = stat()
        stat(path, &info)
        return info.st_mode & 0o777
    }
}
