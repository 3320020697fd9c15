import ArgumentParser
import DaemonConfiguration
import Entitlements
import Foundation
import Glibc
import Ledger

/// `entitld verify`: an offline check of the store.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Replay the journal and compare every table with it. The daemon must not run."
    )

    @OptionGroup var options: ConfigurationOptions

    @Option(
        help: """
            A directory with room for all tables a second time. By default the storage directory, \
            or TMPDIR if that cannot be written.
            """
    )
    var scratch: String?

    func run() throws {
        try EarlyEnd.beginCommand()
        let configured = try Configured(options)
        let storage = configured.settings.storage
        let views = storage.directory + "/data.mdb"
        try Stop.unlessPresent("data.mdb", in: storage.directory)
        let ledgerOptions = try configured.ledgerOptions()
        let report: VerificationReport
        let place = scratchPlace(storage.directory)
        // SAFETY: access reads the path only.
        guard access(place, W_OK | X_OK) == 0 else {
            let why = Stop.errorText(errno)
            throw Stop.configuration("--scratch \(place) cannot be written: \(why).")
        }
        do throws(LedgerFailure) {
            report = try Ledger.verify(ledgerOptions, scratch: place)
        } catch .shuttingDown {
            throw Stop.ended
        } catch .storageFull {
            throw Stop(
                code: 78,
                sentence: "There is no room in \(place) to make the views a second time, which"
                    + " takes about as much as \(views). Name another directory with --scratch."
            )
        } catch {
            throw Stop(error, directory: storage.directory)
        }
        for (table, count) in report.rows { print("\(table.rawValue): \(count) rows") }
        print("journal: \(report.lastSeq) entries, views at \(report.applied)")
        if report.rules != Rules.version {
            print("rules: \(report.rules) made these views, this release has \(Rules.version)")
        }
        guard report.differencesCount > 0 else {
            print("clean")
            return
        }
        let list = report.differences.map { "  " + $0 }.joined(separator: "\n")
        throw Stop(
            code: 65,
            sentence: "\(report.differencesCount) differences between journal and views:\n\(list)\n"
                + "Keep a copy of \(storage.directory), then run entitld compact --rebuild: it"
                + " makes the views anew from the journal."
        )
    }

    private func scratchPlace(_ directory: String) -> String {
        if let scratch { return scratch }
        // SAFETY: access reads the path only.
        if access(directory, W_OK) == 0 { return directory }
        return ProcessInfo.processInfo.environment["TMPDIR"] ?? "/var/tmp"
    }
}
