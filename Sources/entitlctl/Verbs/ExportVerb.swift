import ArgumentParser
import EntitlementsClient
import JSON

/// `export USER`: everything kept about a person, one JSON object.
struct ExportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything kept about a user, as one JSON object."
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 60 }

    func perform(_ session: inout Session) throws {
        var pages = ExportPages(of: user)
        while try !pages.take(session.call("exportUser", pages.parameters)) {}
        try Terminal.show(Terminal.json(.object(pages.whole)))
    }
}
