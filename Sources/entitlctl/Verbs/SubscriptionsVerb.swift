import ArgumentParser
import JSON

/// `subscriptions USER`: all of them, the best first.
struct SubscriptionsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "subscriptions",
        abstract: "All subscriptions of a user, the best first."
    )

    @Argument(help: "The user's id.")
    var user: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("getSubscriptions", ["userId": .string(user)])
        try session.show(result) { result in
            let blocks = (result["subscriptions"]?.array ?? []).compactMap(\.object)
                .map { TextBlock($0).text }
            return blocks.isEmpty ? "no subscription" : blocks.joined(separator: "\n\n")
        }
    }
}
