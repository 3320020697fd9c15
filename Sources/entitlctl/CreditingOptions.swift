import ArgumentParser
import JSON

/// What `grant-credits` and `adjust-credits` have in common.
struct CreditingOptions: ParsableArguments {
    @OptionGroup var key: KeyOption

    @Option(help: ArgumentHelp("When they end; never when absent.", valueName: "time"))
    var expiresAt: String?

    @Option(help: "Their source, as the command credits shows it.")
    var source: String?

    @Option(help: "The reason, for the history.")
    var reason: String?

    func call(
        _ method: String,
        _ user: String,
        _ amount: Int64,
        _ session: inout Session
    ) throws {
        var parameters: JSONObject = ["userId": .string(user), "amount": .integer(amount)]
        parameters["expiresAt"] = expiresAt.map { .string($0) }
        parameters["source"] = source.map { .string($0) }
        parameters["reason"] = reason.map { .string($0) }
        let result = try key.call(method, parameters, &session)
        try session.show(result)
    }
}
