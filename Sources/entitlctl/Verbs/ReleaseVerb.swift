import ArgumentParser
import JSON

/// `release RESERVATION`: gives back what is held.
struct ReleaseVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Give back what a reservation holds; exit 1 if it ended in another way."
    )

    @Argument(help: "The reservation's name, as reserve printed it.")
    var reservation: String

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let parameters: JSONObject = ["reservation": .string(reservation)]
        let result = try session.call("releaseReservation", parameters)
        try session.show(result)
        guard result["outcome"]?.string == "released" else { throw ExitCode.negative }
    }
}
