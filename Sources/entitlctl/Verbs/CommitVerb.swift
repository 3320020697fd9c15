import ArgumentParser
import JSON

/// `commit RESERVATION`: spends what is held.
struct CommitVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "commit",
        abstract: "Spend what a reservation holds; exit 1 if it ended in another way."
    )

    @Argument(help: "The reservation's name, as reserve printed it.")
    var reservation: String

    @Option(help: "How many of the held credits; all when absent.")
    var amount: Int64?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        var parameters: JSONObject = ["reservation": .string(reservation)]
        parameters["amount"] = amount.map { .integer($0) }
        let result = try session.call("commitReservation", parameters)
        try session.show(result)
        guard result["outcome"]?.string == "committed" else { throw ExitCode.negative }
    }
}
