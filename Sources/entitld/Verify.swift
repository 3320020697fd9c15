import ArgumentParser
import DaemonConfiguration
import Foundation
import Ledger

/// `entitld verify`: an offline check of the store.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Replay the journal and compare every view with it. The daemon must not run."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configured = try Configured(options)
        let storage = configured.settings.storage
        let views = storage.directory + "/data.mdb"
        guard FileManager.default.fileExists(atPath: views) else {
            throw Stop.configuration("storage.directory \(storage.directory) holds no data.mdb.")
        }
        let ledgerOptions = try configured.ledgerOptions()
        let report: VerificationReport
        do {
            report = try Ledger.verify(ledgerOptions)
        } catch {
            throw Stop(error, directory: storage.directory)
        }
        for (table, count) in report.rows { print("\(table.rawValue): \(count) rows") }
        print("journal: \(report.lastSeq) entries, views at \(report.applied)")
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
}
