import Foundation
import Glibc
import TestSupport
import Testing

/// One run of the built program, and what it left.
struct Invocation: Equatable {
    /// What it printed.
    let output: String
    /// What it complained about.
    let complaint: String
    /// How it ended.
    let code: Int32

    /// Runs `entitlctl` with `arguments` in an environment that has only `environment`; or `script`
    /// in a shell, in which the program is `$0`.
    init(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:],
        withoutPrivileges: Bool = false,
        inShell script: String? = nil
    ) throws {
        let process = Process()
        let program = try Self.program()
        process.executableURL = program
        process.arguments = arguments
        let scratch = try Scratch()
        defer { withExtendedLifetime(scratch) {} }
        if withoutPrivileges, getuid() == 0 {
            // The file modes of a socket mean nothing to root.
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=65534", "--regid=65534", "--clear-groups"]
                + [try Self.publicCopy(of: program, in: scratch)] + arguments
        }
        if let script {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script, program.path]
        }
        process.environment = environment
        let (input, output, complaint) = (Self.pipe(holding: input), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        self.output = try Self.text(output)
        self.complaint = try Self.text(complaint)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    private static func pipe(holding text: String) -> Pipe {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        pipe.fileHandleForWriting.closeFile()
        return pipe
    }

    private static func text(_ pipe: Pipe) throws -> String {
        String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// A copy that everybody may run, wherever the build stands.
    private static func publicCopy(
        of program: URL,
        in scratch: Scratch
    ) throws -> String {
        let copy = scratch.file("entitlctl")
        try FileManager.default.copyItem(atPath: program.path, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy)
        return copy
    }

    /// The program stands beside the program that runs the tests.
    static func program() throws -> URL {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("entitlctl")
        try #require(FileManager.default.isExecutableFile(atPath: program.path), "\(program)")
        return program
    }
}
