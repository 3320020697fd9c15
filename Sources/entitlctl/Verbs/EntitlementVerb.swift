import ArgumentParser
import JSON

/// `entitlement USER`: the access by a purchase or a grant.
struct EntitlementVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "entitlement",
        abstract: "Whether a user has access by a purchase or a grant."
    )

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("getEntitlement", ["userId": .string(user)])
        try session.show(result) { TextBlock($0["entitlement"]?.object ?? [:]).text }
    }
}
