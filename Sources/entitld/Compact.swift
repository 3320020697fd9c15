import ArgumentParser
import DaemonConfiguration
import Foundation
import Ledger

/// `entitld compact`: writes data.mdb anew, without the bytes of what was deleted.
struct Compact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write data.mdb anew, small and without deleted bytes. The daemon must not run."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        let configured = try Configured(options)
        let storage = configured.settings.storage
        guard FileManager.default.fileExists(atPath: storage.directory + "/data.mdb") else {
            throw Stop.configuration("storage.directory \(storage.directory) holds no data.mdb.")
        }
        let ledgerOptions = try configured.ledgerOptions()
        do {
            let report = try Ledger.compact(ledgerOptions)
            print("data.mdb: \(report.bytesBefore) bytes became \(report.bytesAfter)")
            print("views at \(report.seq), compared with the journal: clean")
        } catch {
            throw Stop(error, directory: storage.directory)
        }
    }
}

extension Stop {
    /// Why nothing was changed in `directory`.
    fileprivate init(_ failure: CompactionFailure, directory: String) {
        switch failure {
        case .unfinished(let what):
            self.init(
                code: 1,
                sentence: "Nothing was changed in \(directory): \(what). Start the daemon, stop it"
                    + " with SIGTERM, and compact again."
            )
        case .differs(let differences):
            let list = differences.map { "  " + $0 }.joined(separator: "\n")
            self.init(
                code: 65,
                sentence: "Nothing was changed: the views in \(directory) are not what the journal"
                    + " makes:\n\(list)\nRun verify."
            )
        case .ledger(let failure): self.init(failure, directory: directory)
        }
    }
}
