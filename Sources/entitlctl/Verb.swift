import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// One command: arguments in, one call or a few, text or JSON out.
protocol Verb: ParsableCommand {
    /// Which socket it needs.
    static var door: Door { get }

    /// The global options, before or after the verb.
    var global: GlobalOptions { get }

    /// Calls the daemon and prints what it said; throws `ExitCode.negative` for a no.
    func perform(_ session: inout Session) throws
}

extension Verb {
    static var door: Door { .app }

    func run() throws {
        do {
            var session = try Session(
                path: global.path(to: Self.door, in: ProcessInfo.processInfo.environment),
                timeout: .milliseconds(Int64((global.timeout * 1_000).rounded(.up))),
                isJSON: global.json
            )
            try perform(&session)
        } catch let error as ClientError {
            if global.json {
                Terminal.complain(Terminal.json(.object(error.object)))
            } else {
                Terminal.complain("entitlctl: \(Terminal.safe(error.description))")
            }
            throw ExitCode(for: error)
        }
    }
}
