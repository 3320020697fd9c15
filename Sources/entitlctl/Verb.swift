import ArgumentParser
import JSON

/// One command: arguments in, one call or a few, text or JSON out.
protocol Verb: ParsableCommand {
    /// Which socket it needs.
    static var door: Door { get }

    /// The global options, before or after the verb.
    var global: GlobalOptions { get }

    /// How many seconds one call may take unless the global options say it.
    var callSeconds: Double { get }

    /// Calls the daemon and prints what it said; throws `ExitCode.negative` for a no.
    func perform(_ session: inout Session) throws
}

extension Verb {
    static var door: Door { .app }

    var callSeconds: Double { 5 }

    func run() throws {
        try global.reporting {
            var session = try global.session(to: Self.door, callSeconds)
            try perform(&session)
        }
    }
}
