// SimulatorProgram is what the command lines of the simulated stores have in common.
//
// In reading order:
//   SimulatorProgram  below: parses, runs, and leaves with an exit code
//   ServeOptions      where a store's API listens, and its weather
//   LifeOptions       how many customers live, for how long, in which weather
//
// Its laws:
//   1. What is printed never obeys: control characters are shown (VisibleText).
//
// It never knows which store is simulated.

import AppStoreSimulator
import ArgumentParser
import Foundation
import JSON

/// How a simulator runs as a program.
package enum SimulatorProgram {
    /// Parses, runs, and leaves with an exit code, as `--help` lists them.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - name: what its errors begin with.
    ///   - isRefusal: whether an error is the store's own refusal.
    package static func main(
        _ command: any AsyncParsableCommand.Type,
        _ name: String,
        isRefusal: @Sendable (any Error) -> Bool
    ) async {
        do {
            var parsed = try command.parseAsRoot()
            if var parsed = parsed as? any AsyncParsableCommand {
                try await parsed.run()
            } else {
                try parsed.run()
            }
        } catch let failure as DirectoryFailure {
            leave(.environment, "\(name): \(failure)")
        } catch let failure as CocoaError {
            let path = failure.filePath.map { "\($0): " } ?? ""
            leave(.environment, "\(name): \(path)\(failure.localizedDescription)")
        } catch  where isRefusal(error) {
            leave(.negative, "\(name): \(error)")
        } catch {
            let code = command.exitCode(for: error)
            let message = command.fullMessage(for: error)
            if code == .success {
                print(message)
                leave(code, "")
            }
            leave(code == .validationFailure ? .usage : code, message)
        }
    }

    private static func leave(_ code: ExitCode, _ message: String) -> Never {
        let shown = VisibleText.lines(message, quoted: CommandLine.arguments)
        // Nobody need listen any more.
        if !message.isEmpty {
            try? FileHandle.standardError.write(contentsOf: Data((shown + "\n").utf8))
        }
        fflush(nil)
        Foundation.exit(code.rawValue)
    }

    /// Prints a line whole and at once, whatever the output is.
    package static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((VisibleText.line(line) + "\n").utf8))
    }
}

extension ExitCode {
    /// Not delivered, or refused by the store.
    package static let negative = ExitCode(1)
    /// The command line is wrong.
    package static let usage = ExitCode(2)
    /// The directory cannot be used.
    package static let environment = ExitCode(78)
}

extension StoreTime: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
