import EntitlementsClient
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// What people and scripts do with `entitlctl`, on a live daemon.
@Suite struct VerbTests {
    private static let catalog = """
        freeCredits: 3
        plans:
          paid: { products: [com.example.monthly], unlimited: [render] }
        """

    private func daemon(storage: String? = nil) throws -> TestDaemon {
        var setup = TestDaemon.Setup()
        setup.catalog = Self.catalog
        setup.storage = storage
        return try TestDaemon.started(setup)
    }

    /// Starts `entitlctl` with these words, which finds both sockets in its environment.
    private func began(
        _ words: [String],
        _ daemon: TestDaemon,
        input: Int32? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            "entitlctl",
            words,
            in: daemon.scratch,
            environment: [
                "ENTITLD_SOCKET": daemon.socket, "ENTITLD_ADMIN_SOCKET": daemon.adminSocket,
            ],
            input: input
        )
    }

    /// What `entitlctl` prints; it must end with `code`.
    @discardableResult
    private func said(
        _ daemon: TestDaemon,
        _ words: String...,
        code: Int32 = 0
    ) throws -> String {
        let child = try began(words, daemon)
        #expect(child.wait(seconds: 60) == .exited(code), "\(words): \(child.log)")
        return child.output
    }

    private func json(_ line: some StringProtocol) throws -> JSONValue {
        try JSONValue.parse(Array(line.utf8))
    }

    @Test func `credits are spent, held, put back, given and corrected`() throws {
        let daemon = try daemon()
        try said(daemon, "register", "alice")
        func spend(_ words: String..., code: Int32 = 0) throws -> JSONValue {
            let child = try began(words + ["--json"], daemon)
            #expect(child.wait(seconds: 60) == .exited(code), "\(words): \(child.log)")
            return try json(child.output)
        }
        #expect(try spend("consume", "alice", "--key", "a")["creditsRemaining"] == 2)
        #expect(try spend("consume", "alice", "--key", "a")["replayed"] == true)
        #expect(
            try spend("consume", "alice", "--amount", "9", code: 1)["outcome"] == "insufficient"
        )
        let held = try spend("reserve", "alice", "--amount", "2", "--ttl", "600")
        #expect(held["outcome"] == "reserved")
        let name = try #require(held["reservation"]?.string)
        #expect(try spend("commit", name, "--amount", "1")["creditsRemaining"] == 1)
        #expect(try spend("release", name, code: 1)["outcome"] == "committed")
        let other = try spend("reserve", "alice")
        let second = try #require(other["reservation"]?.string)
        #expect(try spend("release", second)["outcome"] == "released")
        #expect(try spend("reverse", "alice", "a")["creditsRemaining"] == 2)
        #expect(
            try spend("grant-credits", "alice", "5", "--source", "gift")["creditsRemaining"] == 7
        )
        #expect(try spend("adjust-credits", "alice", "-3", "--yes")["creditsRemaining"] == 4)
        #expect(try spend("credits", "alice")["balance"] == 4)
        try said(daemon, "adjust-credits", "alice", "-1", code: 1)
        #expect(try spend("credits", "alice")["balance"] == 4)
    }

    @Test func `the past is printed, drawn and explained`() throws {
        let daemon = try daemon()
        try said(daemon, "register", "alice")
        try said(daemon, "consume", "alice", "--key", "a")
        try said(daemon, "grant", "alice", "--plan", "paid", "--key", "g")
        let events = try said(daemon, "history", "alice").split(separator: "\n").map(json)
        #expect(events.map { $0["cause"]?.string } == ["registered", "consumed", "granted"])
        let seq = try #require(events[1]["seq"]?.int64)
        let later = try said(daemon, "history", "alice", "--after", "\(seq)")
        #expect(try json(later) == events[2])
        let drawn = try said(daemon, "timeline", "alice")
        #expect(drawn.contains("● registered      no_account → free_with_credits"))
        #expect(drawn.contains("creditsRemaining 3 → 2"))
        let whole = try json(try said(daemon, "timeline", "alice", "--json"))
        #expect(whole["events"]?.array == events)
        let last = try #require(events[2]["after"]?["state"]?.string)
        #expect(drawn.hasSuffix("\n\(last)\n"))
        let explained = try json(try said(daemon, "explain", "alice", "--json"))
        #expect(explained["status"] == events[2]["after"])
    }

    @Test func `a watch of one user hears of no other`() throws {
        let daemon = try daemon()
        let watch = try began(["watch", "bob", "--user", "carol"], daemon)
        #expect(eventually(within: 30) { watch.output.contains(#"{"seq":"#) })
        for user in ["alice", "bob", "carol"] { try said(daemon, "register", user) }
        #expect(eventually(within: 30) { watch.output.contains(#""userId":"carol""#) })
        #expect(watch.output.contains(#""userId":"bob""#))
        #expect(!watch.output.contains(#""userId":"alice""#))
        watch.signal(SIGKILL)
        #expect(watch.wait() == .killed(SIGKILL))
    }

    @Test func `a watch follows, and goes on when the daemon is back`() throws {
        let daemon = try daemon()
        let watch = try began(["watch"], daemon)
        func users() throws -> [String] {
            try watch.output.split(separator: "\n").map(json)
                .filter { $0["event"] == "entitlementChanged" }
                .compactMap { $0["userId"]?.string }
        }
        #expect(eventually(within: 30) { watch.output.contains(#"{"seq":"#) })
        try said(daemon, "register", "alice")
        #expect(eventually(within: 30) { watch.output.contains(#""userId":"alice""#) })
        try daemon.restart()
        try said(daemon, "register", "bob")
        #expect(eventually(within: 30) { watch.output.contains(#""userId":"bob""#) })
        #expect(watch.log.contains("connected again"))
        #expect(watch.wait(seconds: 0) == .stillRunning)
        // The tests block SIGTERM, and so what they start.
        watch.signal(SIGKILL)
        #expect(watch.wait() == .killed(SIGKILL))
        #expect(try users() == ["alice", "bob"])
    }

    @Test func `a backup answers the same, and so does what was dumped and loaded`() throws {
        let daemon = try daemon()
        for user in ["alice", "bob"] { try said(daemon, "register", user) }
        try said(daemon, "consume", "alice", "--key", "a")
        try said(daemon, "grant", "bob", "--plan", "paid", "--key", "g")
        let record = try json(try said(daemon, "export", "alice"))
        #expect(record["userId"] == "alice")
        #expect(record["settlements"]?.array?.count == 1)
        let path = daemon.scratch.file("backup")
        try said(daemon, "backup", path)
        try said(daemon, "backup", path, code: 2)
        let rows = try daemon.scratch.write(try said(daemon, "dump"), to: "rows")
        let copy = try self.daemon(storage: path)
        let fresh = try self.daemon()
        #expect(try said(fresh, "load", rows, "--json").contains(#""loaded":"#))
        for user in ["alice", "bob"] {
            let status = try json(try said(daemon, "status", user, "--json"))
            #expect(try json(try said(copy, "status", user, "--json")) == status)
            let loaded = try json(try said(fresh, "status", user, "--json"))
            for member in ["state", "plan", "creditsRemaining", "canRender"] {
                #expect(loaded[member] == status[member], "\(user): \(member)")
            }
        }
        let again = try json(try said(fresh, "consume", "alice", "--key", "a", "--json"))
        #expect(again["replayed"] == true)
        #expect(try said(daemon, "log-level", "error") == "level  error\n")
        try said(daemon, "log-level", "loud", code: 2)
    }

    /// `entitlctl load -` with `text` on a pipe that is written piece by piece.
    private func load(
        _ text: String,
        into daemon: TestDaemon,
        pieceBytes: Int
    ) throws -> ChildProcess {
        // One with a name, so that no program that another test starts meanwhile inherits an end.
        let path = daemon.scratch.file("pipe-\(UUID().uuidString.prefix(8))")
        try #require(mkfifo(path, 0o600) == 0)
        let from = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let to = open(path, O_WRONLY | O_CLOEXEC)
        try #require(from >= 0 && to >= 0 && fcntl(from, F_SETFL, O_RDONLY) == 0)
        let child = try began(["load", "-", "--json"], daemon, input: from)
        close(from)
        let bytes = Array(text.utf8)
        let writing = Thread {
            var place = 0
            while place < bytes.count {
                let piece = bytes[place..<min(place + pieceBytes, bytes.count)]
                let count = piece.withUnsafeBytes { write(to, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                place += count
            }
            close(to)
        }
        writing.start()
        child.wait(seconds: 60)
        while !writing.isFinished { usleep(1_000) }
        return child
    }

    @Test func `what is dumped can be loaded from a pipe`() throws {
        // Who stops reading early is an error of a write, not the end of the tests.
        signal(SIGPIPE, SIG_IGN)
        let daemon = try daemon()
        var connection = try Connection(to: daemon.socket, timeout: .seconds(120))
        for number in 0..<1_200 {
            _ = try connection.call("registerAccount", ["userId": .string("user-\(number)")])
        }
        let dumped = try said(daemon, "dump")
        let count = dumped.split(separator: "\n").count
        #expect(count > 2_400, "more than one page of a load")
        for pieceBytes in [997, 1 << 20] {
            let fresh = try self.daemon()
            let child = try load(dumped, into: fresh, pieceBytes: pieceBytes)
            #expect(child.wait() == .exited(0), "\(child.log)")
            #expect(try json(child.output)["loaded"] == 2_400)
            #expect(
                try said(fresh, "dump", "--table", "tokens")
                    == said(daemon, "dump", "--table", "tokens")
            )
            // A row cut in the middle, as when the other side of the pipe ends too early.
            let cut = try load(String(dumped.dropLast(9)), into: fresh, pieceBytes: pieceBytes)
            #expect(cut.wait() == .exited(65), "\(cut.log)")
            #expect(cut.log.contains("standard input: line \(count) is not a row"), "\(cut.log)")
        }
        // A daemon with short frames takes shorter pages.
        let small = try TestDaemon()
        try small.start(environment: ["ENTITLD_RPC_MAX_FRAME_BYTES": "65536"])
        let child = try load(dumped, into: small, pieceBytes: 1 << 20)
        #expect(child.wait() == .exited(0), "\(child.log)")
        #expect(try json(child.output)["loaded"] == 2_400)
        let nothing = try load("", into: daemon, pieceBytes: 1)
        #expect(nothing.wait() == .exited(0), "\(nothing.log)")
    }

    @Test func `nobody waits for a test message of a store that is not configured`() throws {
        let daemon = try daemon()
        let child = try began(["test-notification", "--store", "google", "--wait", "60"], daemon)
        #expect(child.wait(seconds: 30) == .exited(2), "\(child.log)")
        #expect(child.log.contains("google.api is not configured"), "\(child.log)")
    }

    @Test func `a person is erased when that is confirmed, and nobody else`() throws {
        let daemon = try daemon()
        for user in ["alice", "bob"] { try said(daemon, "register", user) }
        // Nobody is there to be asked.
        try said(daemon, "erase", "alice", code: 1)
        #expect(try daemon.status("alice")["state"] == "free_with_credits")
        let erased = try json(try said(daemon, "erase", "alice", "--yes", "--json"))
        #expect(erased["erased"] == true)
        #expect(try daemon.status("alice")["state"] == "no_account")
        #expect(try daemon.status("bob")["state"] == "free_with_credits")
        let again = try json(try said(daemon, "erase", "alice", "--yes", "--json"))
        #expect(again["erased"] == false)
    }
}
