import ArgumentParser
import EntitlementsClient

/// The options that stand before or after the verb.
struct GlobalOptions: ParsableArguments {
    @Option(help: "The daemon's socket.")
    var socket: String?

    @Option(help: "How many seconds one call may take.")
    var timeout: Double = 5

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout is more than 0 and at most 86400 seconds")
        }
        if socket == "" { throw ValidationError("--socket is empty") }
    }

    /// The path to connect to: the option, else the environment, else where it usually is.
    func path(to door: Door, in environment: [String: String]) -> String {
        let named = socket ?? environment[door.variable].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? door.defaultPath
        return path.hasPrefix("unix://") ? String(path.dropFirst("unix://".count)) : path
    }
}

/// Which of the daemon's two sockets a verb needs.
enum Door {
    case app
    case admin

    /// The environment variable that names the socket.
    var variable: String {
        switch self {
        case .app: "ENTITLD_SOCKET"
        case .admin: "ENTITLD_ADMIN_SOCKET"
        }
    }

    /// Where the socket is unless the daemon was configured otherwise.
    var defaultPath: String {
        switch self {
        case .app: EntitlementsClient.defaultSocketPath
        case .admin: EntitlementsClient.defaultAdminSocketPath
        }
    }
}
