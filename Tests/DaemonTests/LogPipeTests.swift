import Fixtures
import Foundation
import Glibc
import JSON
import Testing

/// A log that nobody reads delays neither answers nor the end of the daemon, and strangers cannot
/// fill it.
@Suite struct LogPipeTests {
    /// The read end of a daemon's log, of a pipe as small as there are.
    private final class LogPipe {
        /// F_SETPIPE_SZ of <linux/fcntl.h>, which Glibc's module leaves out.
        private static let setPipeSize: Int32 = 1_031

        let reading: Int32
        let writing: Int32
        private var text = ""

        init() throws {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw DaemonProblem("pipe: errno \(errno)") }
            (reading, writing) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(writing, Self.setPipeSize, 4_096)
        }

        deinit {
            close(reading)
            close(writing)
        }

        /// Reads until a whole line holds `word`; answers everything read so far.
        func read(until word: String) throws -> String {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let end = Date(timeIntervalSinceNow: 120)
            while !text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
                .contains(where: { $0.contains(word) })
            {
                var ready = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
                guard Date() < end, poll(&ready, 1, 1_000) >= 0 else {
                    throw DaemonProblem("no \(word) in the log: \(text.suffix(500))")
                }
                guard ready.revents & Int16(POLLIN) != 0 else { continue }
                let count = Glibc.read(reading, &buffer, buffer.count)
                guard count > 0 else { throw DaemonProblem("the log ended: \(text.suffix(500))") }
                text += String(decoding: buffer[..<count], as: UTF8.self)
            }
            return text
        }
    }

    /// A daemon that logs to a pipe, and its webhook's port.
    private func started(
        _ log: LogPipe,
        _ setup: TestDaemon.Setup = TestDaemon.Setup()
    ) throws -> (daemon: TestDaemon, child: ChildProcess, port: UInt16) {
        let daemon = try TestDaemon(setup)
        let child = try daemon.spawn(errors: log.writing)
        let text = try log.read(until: "\"msg\":\"ready\"")
        let ready = try #require(TestDaemon.event("ready", in: text))
        let port = try #require(ready["port"]?.string.flatMap { UInt16($0) })
        return (daemon, child, port)
    }

    @Test
    func `with a log that nobody reads, calls are answered, and dropped lines are told of later`()
        throws
    {
        let log = try LogPipe()
        let metricsPort = try StreamSocket.freePort()
        var setup = TestDaemon.Setup()
        setup.extra = "metrics: { listen: \"127.0.0.1:\(metricsPort)\" }"
        let (daemon, child, port) = try started(log, setup)
        let account = try daemon.call("registerAccount", ["userId": "ann"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        #expect(try HTTPExchange.post(body, port: port).json?["result"] == "applied")
        // Each is a line; more than the pipe takes and the buffer holds.
        let problems = Problems()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<600 {
                let reply = try? HTTPExchange.post(body, port: port)
                if reply?.json?["result"] != "duplicate" { problems.note() }
            }
        }
        #expect(problems.count == 0)
        let grant: JSONObject = ["userId": "ann", "amount": 5, "idempotencyKey": "k"]
        _ = try daemon.call("grantCredits", grant, admin: true)
        #expect(try daemon.status("ann")["creditsRemaining"] == 5)
        _ = try log.read(until: "Log lines were dropped")
        let metrics = try HTTPExchange.request("GET", "/metrics", [], port: metricsPort).text
        let line = metrics.split(separator: "\n")
            .first { $0.hasPrefix("entitld_log_lines_dropped_total ") }
        let dropped = try #require(line.flatMap { Int($0.split(separator: " ")[1]) })
        #expect(dropped > 0)
        child.signal(SIGTERM)
        let last = try log.read(until: "\"msg\":\"stopped\"")
        #expect(child.wait(seconds: 120) == .exited(0))
        let counts = last.components(separatedBy: "Log lines were dropped").dropFirst()
            .map { Int($0.prefix { $0 != "}" }.filter(\.isNumber)) ?? 0 }
        #expect(counts.reduce(0, +) == dropped, "each is told of once: \(counts)")
        // A line of another kind may be among them.
        let told = last.components(separatedBy: "\"result\":\"duplicate\"").count - 1
        #expect(told < 4 * 600 && told + dropped >= 4 * 600)
    }

    @Test(arguments: [SIGTERM, SIGTRAP])
    func `the daemon ends although nobody reads its log`(signal: Int32) throws {
        let log = try LogPipe()
        let (daemon, child, port) = try started(log)
        let account = try daemon.call("registerAccount", ["userId": "ann"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        for _ in 0..<60 { _ = try HTTPExchange.post(body, port: port) }
        child.signal(signal)
        let expected: ChildProcess.Ending = signal == SIGTERM ? .exited(0) : .killed(signal)
        #expect(child.wait(seconds: 120) == expected)
    }

    @Test func `strangers are counted each time, and logged a few times a minute`() throws {
        let daemon = try TestDaemon.started()
        for _ in 0..<60 {
            let reply = try HTTPExchange.post(Array("{}".utf8), port: daemon.port)
            #expect(reply.status == 400)
        }
        let account = try daemon.call("registerAccount", ["userId": "ann"])
        let life = StoreLife(token: account["appAccountToken"]?.string)
        let body = try daemon.voice.notification("SUBSCRIBED", about: life)
        for _ in 0..<60 { _ = try daemon.deliver(body) }
        let lines = daemon.log.split(separator: "\n")
        #expect(lines.filter { $0.contains("\"result\":\"malformed\"") }.count == 20)
        // The store's own are logged each.
        #expect(lines.filter { $0.contains("\"type\":\"SUBSCRIBED\"") }.count == 60)
    }
}

/// Counts what went wrong on several threads.
private final class Problems: @unchecked Sendable {
    private let lock = NSLock()
    private var noted = 0

    func note() { lock.withLock { noted += 1 } }
    var count: Int { lock.withLock { noted } }
}
