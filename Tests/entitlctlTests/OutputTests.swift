import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Nothing of the output is lost unnoticed, wherever it goes.
struct OutputTests {
    private static let pages = 20

    /// A page of 1,000 rows, which are more than a pipe holds; each has its number as key.
    private static func page(_ request: FakeDaemon.Request) -> FakeDaemon.Act {
        let number = request.params["cursor"]?.string.flatMap { Int($0) } ?? 0
        let rows = (number * 1_000..<(number + 1) * 1_000)
            .map { row -> JSONValue in
                ["table": "accounts", "key": .string("\(row)"), "value": .string(padding)]
            }
        let next = number + 1
        return .result([
            "seq": 1, "entries": .array(rows),
            "cursor": next < pages ? .string("\(next)") : nil,
        ])
    }

    private static let padding = String(repeating: "x", count: 60)

    @Test func `a pipe that does not block is waited for`() throws {
        let daemon = try FakeDaemon { request, _ in Self.page(request) }
        let process = Process()
        process.executableURL = try Invocation.program()
        process.arguments = ["dump", "--socket", daemon.path]
        let output = Pipe()
        let end = output.fileHandleForWriting.fileDescriptor
        try #require(fcntl(end, F_SETFL, O_WRONLY | O_NONBLOCK) == 0)
        process.standardOutput = output
        try process.run()
        // So long that the pipe is full.
        usleep(300_000)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == Self.pages * 1_000)
        for (number, line) in lines.enumerated() {
            try #require(line.contains("\"key\":\"\(number)\""), "\(line)")
        }
        #expect(process.terminationStatus == 0)
    }

    @Test func `a disk that is full for a moment ends a dump at once`() throws {
        guard let disk = try SmallDisk(bytes: 8 << 20) else { return }
        try disk.fill(leaving: 8_192)
        let daemon = try FakeDaemon { [ballast = disk.path + "/ballast"] request, _ in
            // There is room again for what comes behind the first page.
            if request.params["cursor"] != nil { unlink(ballast) }
            return Self.page(request)
        }
        let output = disk.path + "/rows"
        let run = try Invocation([], inShell: "\"$0\" dump --socket \(daemon.path) > \(output)")
        #expect(run.code == 1)
        #expect(run.complaint == "entitlctl: the output could not be written\n")
        #expect(daemon.requests.count == 1)
    }

    @Test(arguments: ["> /dev/full", ">&-"])
    func `an answer that cannot be printed is none`(place: String) throws {
        let daemon = try FakeDaemon { request, _ in
            request.method == "dump" ? Self.page(request) : .result(["events": [], "seq": 1])
        }
        let verbs = [
            "dump", "list", "list --json", "stats", "ping", "timeline alice",
            "token crm --role app", "watch",
        ]
        for verb in verbs {
            let script = "\"$0\" \(verb) --socket \(daemon.path) \(place)"
            let run = try Invocation([], inShell: script)
            #expect(run.code == 1, "\(verb)")
            #expect(run.complaint == "entitlctl: the output could not be written\n", "\(verb)")
        }
        let help = try Invocation([], inShell: "\"$0\" --help \(place)")
        #expect(help.code == 1)
    }

    @Test(arguments: ["/dev/full", "&-"])
    func `a complaint that nobody hears changes no exit code`(place: String) throws {
        let run = try Invocation([], inShell: "\"$0\" ping --socket /nowhere/s 2>\(place)")
        #expect(run.code == 69)
    }
}
