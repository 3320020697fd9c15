import DaemonConfiguration
import Entitlements
import Glibc
import JSON
import Ledger
import Sockets
import Telemetry
import Wire

/// Why the program ends: its exit code (docs/operating.md, "Exit codes") and one sentence for
/// standard error.
struct Stop: Error {
    let code: Int32
    let sentence: String

    static func usage(_ sentence: String) -> Stop { Stop(code: 2, sentence: sentence) }
    static func configuration(_ sentence: String) -> Stop { Stop(code: 78, sentence: sentence) }

    /// Goes on if the file or directory `name` is in the data directory.
    static func unlessPresent(_ name: String, in directory: String) throws(Stop) {
        // SAFETY: access reads the path only.
        guard access("\(directory)/\(name)", F_OK) != 0 else { return }
        let problem = errno == ENOENT ? "holds no \(name)" : "cannot be read: \(errorText(errno))"
        throw .configuration("storage.directory \(directory) \(problem).")
    }

    /// What the system calls an error.
    static func errorText(_ code: Int32) -> String {
        // SAFETY: strerror returns a string that is valid until the next call on this thread.
        String(cString: strerror(code))
    }

    init(code: Int32, sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    init(_ failure: ConfigurationFailure) {
        // One sentence on one line, whatever the file's keys are made of.
        self.init(code: 78, sentence: VisibleText.line(failure.sentence))
    }

    /// A ledger in `directory` that cannot be opened, or cannot go on.
    init(_ failure: LedgerFailure, directory: String) {
        switch failure {
        case .damaged(let what) where what.hasPrefix("journal"):
            self.init(
                code: 65,
                sentence: "The data in \(directory) is damaged: \(what). Keep a copy of the"
                    + " directory and restore a backup; leave data.mdb where it is, or the damage"
                    + " at the journal's end could not be told from a torn tail."
            )
        case .damaged(let what):
            self.init(
                code: 65,
                sentence: "The data in \(directory) is damaged: \(what). Keep a copy of the"
                    + " directory, then run entitld compact --rebuild: it makes the views anew from"
                    + " the journal. Where it says that base or journal are damaged, restore a"
                    + " backup."
            )
        case .busy(let pid):
            self.init(code: 75, sentence: "Process \(pid) already works in \(directory).")
        case .unusable(let why):
            self.init(code: 78, sentence: "storage.directory \(directory) cannot be used: \(why).")
        case .storageFull:
            self.init(code: 78, sentence: "storage.directory \(directory): the disk is full.")
        case .clockBehind(let clock, let journal):
            let hours = (journal.milliseconds - clock.milliseconds) / 3_600_000
            self.init(
                code: 78,
                sentence: "The system clock says \(TimeText.text(clock.milliseconds)), \(hours) h"
                    + " before the last entry of the journal in \(directory)"
                    + " (\(TimeText.text(journal.milliseconds))). Set the clock right; if the clock"
                    + " is right now and was ahead then, start once with --allow-clock-behind."
            )
        case .failed(let what):
            self.init(code: 1, sentence: "The ledger in \(directory) failed: \(what).")
        case .notReady, .shuttingDown, .overloaded, .tooLarge, .gone:
            self.init(code: 1, sentence: "The ledger in \(directory) is not ready.")
        }
    }

    init(_ failure: SocketFailure) {
        switch failure {
        case .alreadyRunning: self.init(code: 75, sentence: failure.description)
        case .pathLength, .notASocket, .system:
            self.init(code: 78, sentence: failure.description)
        }
    }

    func exit() -> Never {
        if !sentence.isEmpty {
            // Paths, words of the command line and rows of the store are quoted in it.
            BoundedWrite.complain(VisibleText.lines(sentence, quoted: CommandLine.arguments))
        }
        Glibc.exit(code)
    }
}
