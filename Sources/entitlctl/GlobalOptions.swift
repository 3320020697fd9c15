import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// The options that stand before or after the verb.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The daemon's socket.")
    var socket: String?

    @Option(help: "The daemon's HTTPS door, such as https://entitlements.example.com:8444.")
    var url: String?

    @Option(help: "With --url: the file that holds the token.")
    var tokenFile: String?

    @Option(help: "With --url: the certificates to trust, PEM; the system's when absent.")
    var caFile: String?

    @Option(help: "How many seconds one call may take; 5, or more if the command needs it.")
    var timeout: Double?

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        // Written so that it holds for no number at all, too.
        if let timeout, !(timeout > 0 && timeout <= 86_400) {
            throw ValidationError("--timeout is more than 0 and at most 86400 seconds")
        }
        if socket == "" { throw ValidationError("--socket is empty") }
        if let url {
            guard socket == nil else {
                throw ValidationError("--url and --socket exclude each other")
            }
            guard tokenFile != nil else { throw ValidationError("--url needs --token-file") }
            guard RemoteDoor.isURL(url) else {
                throw ValidationError("--url is https://HOST:PORT; http only to this host")
            }
        } else if tokenFile != nil || caFile != nil {
            throw ValidationError("--token-file and --ca-file need --url")
        }
    }

    /// How long one call may take, of a verb that needs `seconds`.
    func patience(_ seconds: Double) -> Duration {
        .milliseconds(Int64(((timeout ?? seconds) * 1_000).rounded(.up)))
    }

    /// Runs `body`, and turns its failure into a complaint and an exit code.
    func reporting(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as ClientError {
            if json {
                Terminal.complain(Terminal.json(.object(error.object)))
            } else {
                Terminal.complain("entitlctl: \(Terminal.safe(error.description))")
            }
            throw ExitCode(for: error)
        }
    }

    /// Connects to the HTTPS door, or to the socket that a verb needs.
    func session(to door: Door, _ seconds: Double) throws(ClientError) -> Session {
        try Session(at: place(of: door), timeout: patience(seconds), isJSON: json)
    }

    /// The HTTPS door, where one is named.
    private func remoteDoor() throws(ClientError) -> RemoteDoor? {
        guard let url, let tokenFile else { return nil }
        guard let data = FileManager.default.contents(atPath: tokenFile) else {
            throw ClientError("invalid_params", "\(tokenFile) cannot be read", retryable: false)
        }
        let token = String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty else {
            throw ClientError("invalid_params", "\(tokenFile) holds no token", retryable: false)
        }
        return try RemoteDoor(url, token: token, caFile: caFile)
    }

    /// Where a verb asks: at the HTTPS door where one is named, else at its socket.
    func place(of door: Door) throws(ClientError) -> DaemonPlace {
        if let remote = try remoteDoor() { return .door(remote) }
        return .socket(path(to: door, in: ProcessInfo.processInfo.environment))
    }

    /// The path to connect to: the option, else the environment, else where it usually is.
    func path(to door: Door, in environment: [String: String]) -> String {
        let named = socket ?? environment[door.variable].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? door.defaultPath
        return path.hasPrefix("unix://") ? String(path.dropFirst("unix://".count)) : path
    }
}
