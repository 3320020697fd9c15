import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// `backup PATH`: a copy of everything, made while the daemon works.
struct BackupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy everything that is kept to a new directory on the daemon's host.",
        discussion: """
            The directory must not be there yet, and the daemon's user must be able to make it. \
            It becomes a data directory, with which a daemon can start. The digest is the \
            SHA-256 of data.mdb, then the journal's segments in their order, then base/data.mdb \
            where there is one.
            """
    )

    static let door = Door.admin

    @Argument(help: "The new directory.")
    var path: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    /// A large store takes long to copy.
    var callSeconds: Double { 6 * 3_600 }

    func perform(_ session: inout Session) throws {
        // The daemon has another working directory.
        let absolute = URL(fileURLWithPath: path).standardizedFileURL.path
        try session.show(session.call("backup", ["path": .string(absolute)]))
    }
}
