import ArgumentParser
import JSON

/// `can USER FEATURE`: the same for any feature.
struct CanVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "can",
        abstract: "Whether a user may use a feature: exit 0 for yes, 1 for no."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Argument(help: "The feature, as plans of the catalog name it.")
    var feature: String

    @Option(help: "The price in credits, where credits pay.")
    var cost: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user), "feature": .string(feature)]
        parameters["cost"] = cost.map { .integer($0) }
        let answer = try session.call("can", parameters)
        try session.show(decision: answer, named: "allowed")
    }
}
