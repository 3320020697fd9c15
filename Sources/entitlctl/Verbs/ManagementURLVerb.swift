import ArgumentParser
import EntitlementsClient
import JSON

/// `management-url USER`: where the user manages the subscription.
struct ManagementURLVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "management-url",
        abstract: "Where a user manages the subscription."
    )

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The platform that the user is on.")
    var platform: ClientPlatform?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["platform"] = platform.map { .string($0.rawValue) }
        let result = try session.call("getManagementURL", parameters)
        try session.show(result) { TextBlock.word($0["url"] ?? .null) }
    }
}

extension ClientPlatform: ExpressibleByArgument {}
