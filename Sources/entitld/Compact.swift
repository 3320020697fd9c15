import ArgumentParser
import DaemonConfiguration
import JSON
import Ledger
import Telemetry

/// `entitld compact`: writes data.mdb anew, without the bytes of what was deleted; with
/// `--rebuild`, from the base and the journal, whatever is in the old one.
struct Compact: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write data.mdb anew, small and without deleted bytes. The daemon must not run."
    )

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Make data.mdb from base and journal; the old one is kept beside it.")
    var rebuild = false

    func run() throws {
        try EarlyEnd.beginCommand()
        let configured = try Configured(options)
        let storage = configured.settings.storage
        let needed = rebuild ? "journal" : "data.mdb"
        try Stop.unlessPresent(needed, in: storage.directory)
        let ledgerOptions = try configured.ledgerOptions()
        do {
            guard rebuild else { return tell(try Ledger.compact(ledgerOptions)) }
            let progress = RebuildLine()
            let made = try Ledger.rebuild(
                ledgerOptions,
                under: configured.policy,
                onProgress: { progress.show($0) },
                onStep: { progress.show($0) }
            )
            if let kept = made.kept {
                print(VisibleText.line("the old file is kept: \(storage.directory)/\(kept)"))
            }
            tell(made.report)
        } catch {
            throw Stop(error, directory: storage.directory)
        }
    }

    private func tell(_ report: CompactionReport) {
        print("data.mdb: \(report.bytesBefore) bytes became \(report.bytesAfter)")
        print("views at \(report.seq), compared with the journal: clean")
    }
}

/// Says on standard error how far a rebuild is, a line a second at most.
private final class RebuildLine {
    private var last: ContinuousClock.Instant?

    func show(_ progress: RebuildProgress) {
        let now = ContinuousClock.now
        if let last, now - last < .seconds(1) { return }
        last = now
        say("\(progress.entries) entries absorbed, \(Int(progress.share * 100)) %")
    }

    func show(_ step: CompactionStep) {
        switch step {
        case .copied: say("everything is absorbed; now it is compared with the journal")
        case .verified: say("it agrees with the journal")
        case .replaced: say("data.mdb is replaced")
        }
    }

    private func say(_ text: String) {
        BoundedWrite.complain("rebuild: \(VisibleText.line(text))")
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
        case .ledger(.shuttingDown): self = .ended
        case .ledger(let failure): self.init(failure, directory: directory)
        }
    }
}
