// entitlctl is the client for people and scripts: one command, one call or a few, text or JSON out.
//
// In reading order:
//   Entitlctl      below: the list of commands
//   Verb           what a command is; the folder Verbs has one in a file
//   GlobalOptions  sockets, output, time
//   Session        the connection, and how answers are shown; RemoteDoor is the one over HTTPS
//   Terminal       all that is written goes through here
//   TextBlock      names and values in columns; Timeline draws a history
//
// Its laws:
//   1. Text from outside is made harmless before it is shown.
//   2. The exit code says what came of it (docs/entitlctl.md, "Exit codes").
//   3. What cannot be undone is asked for first, or wants --yes.
//
// It never opens the database: it asks over the socket, or at the HTTPS door.

import ArgumentParser
import CLinux
import EntitlementsClient
import Glibc

/// The client of entitld for people and scripts.
@main
struct Entitlctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entitlctl",
        abstract: "Ask entitld what users may do, and look inside it.",
        discussion: """
            The socket is --socket, else ENTITLD_SOCKET (ENTITLD_ADMIN_SOCKET for admin commands), \
            else the one in /run/entitld. From another host: --url and --token-file.

            Exit codes: 0 ok, 1 a negative answer or a refused call, 2 usage, 65 damaged input, \
            69 the daemon cannot be reached, 77 denied.
            """,
        version: "entitlctl \(ClientVersion.current)",
        groupedSubcommands: [
            CommandGroup(
                name: "Questions:",
                subcommands: [
                    CanRenderVerb.self, CanVerb.self, StatusVerb.self, EntitlementVerb.self,
                    SubscriptionsVerb.self, CreditsVerb.self, HistoryVerb.self,
                    TimelineVerb.self, ExplainVerb.self, WatchVerb.self, ManagementURLVerb.self,
                ]
            ),
            CommandGroup(
                name: "Commands:",
                subcommands: [
                    RegisterVerb.self, VerifyVerb.self, RestoreVerb.self, ReceiptVerb.self,
                    ConsumeVerb.self, ReserveVerb.self, CommitVerb.self, ReleaseVerb.self,
                    ReverseVerb.self, MergeVerb.self,
                ]
            ),
            CommandGroup(
                name: "Admin (over the admin socket):",
                subcommands: [
                    GrantVerb.self, RevokeVerb.self, MovePurchaseVerb.self, FindVerb.self,
                    GrantCreditsVerb.self, AdjustCreditsVerb.self, EraseVerb.self,
                    ExportVerb.self, DumpVerb.self,
                    LoadVerb.self, ImportVerb.self, CompareVerb.self, PreviewVerb.self,
                    GetVerb.self, ListVerb.self,
                    BackupVerb.self,
                    ReconcileVerb.self, TestNotificationVerb.self, OutboxVerb.self,
                    StatsVerb.self, LogLevelVerb.self,
                ]
            ),
            CommandGroup(
                name: "The daemon:",
                subcommands: [PingVerb.self, VersionVerb.self, TokenVerb.self]
            ),
        ]
    )

    @OptionGroup(title: "Global options") var global: GlobalOptions

    /// Parses, runs, and leaves with an exit code (docs/entitlctl.md, "Exit codes").
    static func main() {
        // Else the socket could have the number of standard output.
        linux_hold_standard_descriptors()
        do {
            guard Terminal.hasReadableArguments else {
                throw ValidationError("an argument is not UTF-8")
            }
            var command = try parseAsRoot(SignedAmount.rewritten(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch {
            Glibc.exit(code(after: error).rawValue)
        }
        Glibc.exit(ExitCode.success.rawValue)
    }

    /// Says what ended the program early, and with which code it ends.
    private static func code(after error: any Error) -> ExitCode {
        if error is Terminal.Unwritten {
            // What could not be printed was not answered.
            Terminal.complain("entitlctl: the output could not be written")
            return .negative
        }
        let code = exitCode(for: error)
        let message = fullMessage(for: error)
        guard !message.isEmpty else { return code }
        guard code == .success else {
            Terminal.complain(message)
            // The parser's own code for usage is 64.
            return code == .validationFailure ? .usage : code
        }
        do {
            try Terminal.show(message)
            return code
        } catch {
            return Self.code(after: error)
        }
    }
}
