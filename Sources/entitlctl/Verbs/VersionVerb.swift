import ArgumentParser

/// `version`: which daemon answers.
struct VersionVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "The daemon's versions; --version prints this program's."
    )

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        try session.show(session.call("version"))
    }
}
