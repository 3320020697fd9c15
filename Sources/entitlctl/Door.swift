import EntitlementsClient

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
