import ArgumentParser
import EntitlementsClient

/// The exit codes of all programs here; 0 is the parser's own `success`.
extension ExitCode {
    /// A negative answer where one was asked for, or a call that the daemon refused.
    static let negative = ExitCode(1)
    /// The command line is wrong, or what it says is no value for the daemon.
    static let usage = ExitCode(2)
    /// What was to be read is damaged.
    static let damaged = ExitCode(65)
    /// The daemon cannot be reached.
    static let unreachable = ExitCode(69)
    /// The caller may not do this.
    static let denied = ExitCode(77)

    /// The code for a call that failed.
    init(for error: ClientError) {
        switch error.name {
        case ClientError.LocalName.permissionDenied: self = .denied
        case ClientError.LocalName.unreachable, ClientError.LocalName.connectionLost,
            ClientError.LocalName.timedOut:
            self = .unreachable
        case "invalid_params": self = .usage
        default: self = .negative
        }
    }
}
