import Foundation
import Glibc
import TestSupport

/// A program that was started, its output in files.
final class ChildProcess {
    /// How a program ended.
    enum Ending: Equatable {
        case exited(Int32)
        case killed(Int32)
        case stillRunning
    }

    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    private var ending: Ending?

    /// Starts `program`, which is a file beside the tests.
    ///
    /// It reads from `input`, or nothing, writes its errors to `errors`, or a file, and may have no
    /// more than `descriptorsMax` files open, where that is said, and no more of anything else than
    /// `ulimits` say, in the shell's words.
    init(
        _ program: String,
        _ arguments: [String],
        in scratch: Scratch,
        environment: [String: String] = [:],
        input: Int32? = nil,
        errors: Int32? = nil,
        descriptorsMax: Int? = nil,
        ulimits: [String] = []
    ) throws {
        let executable = Programs.directory + "/" + program
        guard access(executable, X_OK) == 0 else { throw DaemonProblem("no program \(executable)") }
        let run = UUID().uuidString.prefix(8)
        outputPath = scratch.file("\(program)-\(run).out")
        errorPath = scratch.file("\(program)-\(run).err")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, flags, 0o600)
        if let errors {
            posix_spawn_file_actions_adddup2(&actions, errors, 2)
        } else {
            posix_spawn_file_actions_addopen(&actions, 2, errorPath, flags, 0o600)
        }
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ENTITLD_") }
        variables.merge(environment) { _, new in new }
        var command = [executable] + arguments
        let limits = ulimits + (descriptorsMax.map { ["-n \($0)"] } ?? [])
        if !limits.isEmpty {
            // The shell lowers its own limits, and becomes the program.
            let script = limits.map { "ulimit \($0); " }.joined()
            command = ["/bin/sh", "-c", script + "exec \"$0\" \"$@\""] + command
        }
        var words = command.map { strdup($0) } + [nil]
        var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, command[0], &actions, nil, &words, &settings)
        guard failure == 0 else { throw DaemonProblem("spawn: errno \(failure)") }
        self.pid = pid
    }

    deinit {
        signal(SIGKILL)
        wait(seconds: 5)
    }

    /// What it wrote to standard output so far.
    var output: String { Self.text(of: outputPath) }

    /// What it wrote to standard error so far.
    var log: String { Self.text(of: errorPath) }

    func signal(_ number: Int32) {
        if ending == nil { kill(pid, number) }
    }

    /// Waits until it has ended.
    @discardableResult
    func wait(seconds: Double = 120) -> Ending {
        if let ending { return ending }
        let end = Date(timeIntervalSinceNow: seconds)
        var status: Int32 = 0
        while waitpid(pid, &status, WNOHANG) == 0 {
            if Date() > end { return .stillRunning }
            usleep(2_000)
        }
        let signal = status & 0x7f
        let ending: Ending = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
        self.ending = ending
        return ending
    }

    private static func text(of path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// Where the programs under test are: beside the tests, or where ENTITLD_BIN_DIR says.
enum Programs {
    static let directory: String = {
        if let named = ProcessInfo.processInfo.environment["ENTITLD_BIN_DIR"] { return named }
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().path
    }()
}

/// Why a test cannot go on.
struct DaemonProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
