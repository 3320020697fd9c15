import CertificateAuthority
import EntitlementsClient
import Foundation
import Glibc
import JSON

/// A real `entitld` in a directory of its own: started, asked, stopped, killed and started again.
final class DaemonUnderTest {
    let directory: String
    let authority: SigningAuthority
    private(set) var port = 0
    private var process: Process?

    var socket: String { directory + "/e.sock" }
    var adminSocket: String { directory + "/a.sock" }
    var configuration: String { directory + "/entitld.yaml" }
    var catalog: String { directory + "/catalog.yaml" }
    var data: String { directory + "/data" }
    var logPath: String { directory + "/log" }

    /// A directory with a chain, a catalog and a configuration; not started.
    init(
        catalog text: String = DaemonUnderTest.plainCatalog,
        storage: String? = nil,
        more: String = ""
    ) throws {
        directory = "/tmp/entitld-t-\(UInt32.random(in: 1...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true
        )
        let now = Self.now
        let decade: Int64 = 10 * 365 * 86_400_000
        authority = try SigningAuthority.mint(validFrom: now - decade, validUntil: now + decade)
        try write(authority.rootPEM, to: directory + "/root.pem")
        try write(text, to: catalog)
        try write(
            """
            storage: { directory: \(storage ?? data), mapSizeGiB: 1 }
            rpc: { socket: \(socket), adminSocket: \(adminSocket) }
            webhook: { listen: "127.0.0.1:0", plaintext: true }
            apple:
              bundleId: com.example.app
              appAppleId: 1234567890
              environments: [Production]
              rootCertificateFiles: [\(directory)/root.pem]
            catalog: \(catalog)
            \(more)
            """,
            to: configuration
        )
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(atPath: directory)
    }

    static let plainCatalog = """
        freeCredits: 3
        plans:
          paid: { products: [com.example.app.monthly], unlimited: [render] }
        """

    static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }

    func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The log so far.
    var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }

    /// Starts the daemon and waits until it says that it is ready.
    func start() throws {
        _ = FileManager.default.createFile(atPath: logPath, contents: nil)
        let process = Process()
        process.executableURL = URL(filePath: Programs.path("entitld"))
        process.arguments = ["serve", "--config", configuration]
        process.standardError = FileHandle(forWritingAtPath: logPath)
        try process.run()
        self.process = process
        for _ in 0..<600 {
            if let ready = log.split(separator: "\n").first(where: { $0.contains("\"ready\"") }) {
                let line = try JSONValue.parse(Array(ready.utf8))
                port = Int(line["port"]?.string ?? "") ?? 0
                return
            }
            guard process.isRunning else { break }
            usleep(50_000)
        }
        throw DaemonFailure(description: "not ready: \(log)")
    }

    /// SIGKILL, as a crash of the process would be.
    func kill() {
        guard let process, process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func signal(_ number: Int32) {
        if let process { Glibc.kill(process.processIdentifier, number) }
    }

    /// SIGTERM; answers the exit code and how long it took, in seconds.
    func stop() -> (code: Int32, seconds: Double) {
        guard let process else { return (-1, 0) }
        let began = Date()
        signal(SIGTERM)
        process.waitUntilExit()
        return (process.terminationStatus, Date().timeIntervalSince(began))
    }

    /// A question over the app socket, or the admin one; answers result or error.
    func ask(
        _ method: String,
        _ params: JSONObject = JSONObject(),
        asAdmin: Bool = false
    ) throws -> JSONValue {
        var connection = try Connection(
            to: asAdmin ? adminSocket : socket,
            timeout: .seconds(20)
        )
        do throws(ClientError) {
            return try connection.call(method, params)
        } catch {
            return ["error": .integer(Int64(error.code)), "name": .string(error.name)]
        }
    }

    /// Runs a program of the project to its end.
    static func run(
        _ program: String,
        _ arguments: [String]
    ) throws -> (code: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: Programs.path(program))
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

struct DaemonFailure: Error, CustomStringConvertible {
    let description: String
}

/// Where the built programs lie: beside the tests, or where ENTITLD_BIN_DIR says.
enum Programs {
    static func path(_ name: String) -> String {
        if let folder = ProcessInfo.processInfo.environment["ENTITLD_BIN_DIR"] {
            return folder + "/" + name
        }
        let bundle = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return bundle.appending(path: name).path
    }
}
