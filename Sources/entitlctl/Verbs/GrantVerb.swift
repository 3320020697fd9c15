import ArgumentParser
import EntitlementsClient
import Foundation
import JSON

/// `grant USER --plan P`: gives the access of a plan.
struct GrantVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Give a user the access of a plan.",
        discussion: """
            Repeating a call with the same key never makes a second grant. A key that was made \
            up is printed, also when nobody knows whether the call was carried out.
            """
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String

    @Option(help: "The plan.")
    var plan: String

    @Option(help: "The idempotency key; made up when absent.")
    var key: String?

    @Option(help: ArgumentHelp("The end, such as 2026-02-15T10:00:00.000Z.", valueName: "time"))
    var expiresAt: String?

    @Option(help: ArgumentHelp("The beginning; now when absent.", valueName: "time"))
    var startsAt: String?

    @Option(help: "The store that subscriptionMethod shows instead of grant.")
    var store: String?

    @Option(help: "The reason, for the history.")
    var reason: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let madeUp = key == nil ? UUID().uuidString.lowercased() : nil
        let key = key ?? madeUp ?? ""
        var parameters: JSONObject = [
            "userId": .string(user), "plan": .string(plan), "idempotencyKey": .string(key),
        ]
        parameters["expiresAt"] = expiresAt.map { .string($0) }
        parameters["startsAt"] = startsAt.map { .string($0) }
        parameters["store"] = store.map { .string($0) }
        parameters["reason"] = reason.map { .string($0) }
        var result: JSONObject
        do {
            result = try session.call("grantEntitlement", parameters)
        } catch {
            if madeUp != nil, error.retryable {
                Terminal.complain("entitlctl: to repeat this grant, add --key \(key)")
            }
            throw error
        }
        if madeUp != nil { result["idempotencyKey"] = .string(key) }
        try session.show(result, Self.text)
    }

    private static func text(_ result: JSONObject) -> String {
        var shown: JSONObject = ["grant": result["grant"] ?? .null]
        shown["idempotencyKey"] = result["idempotencyKey"]
        shown["replayed"] = result["replayed"]
        for member in ["state", "plan", "expiresAt"] { shown[member] = result["status"]?[member] }
        shown["seq"] = result["seq"]
        return TextBlock(shown).text
    }
}
