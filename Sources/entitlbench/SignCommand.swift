import ArgumentParser
import LoadGenerator

/// `sign`: notifications for another program to verify.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Print signed notifications, one a line; make the chain where it is missing."
    )

    @OptionGroup var press: PressOptions

    func run() throws {
        guard let nowhere = Endpoint("127.0.0.1:9") else { return }
        var wanted = LoadPlan(.notifications, at: nowhere)
        press.apply(to: &wanted)
        for payload in try LoadRun.payloads(of: wanted) { print(payload) }
    }
}
