import ArgumentParser
import JSON
import LoadGenerator

/// `seed`: accounts, and access for a share of them.
struct SeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Register accounts, and give a share of them access."
    )

    @Option(
        name: [.customLong("to"), .customLong("socket")],
        help: "The daemon's socket."
    )
    var endpoint: Endpoint

    @Option(help: "The admin's socket, for grants.")
    var admin: Endpoint?

    @Option(help: "How they come by access.")
    var access = Seeding.Access.purchases

    @Option(help: "One account in so many has access.")
    var period = 2

    @Option(help: "The plan that grants give.")
    var plan = "paid"

    @OptionGroup var press: PressOptions

    func validate() throws {
        if period < 1 { throw ValidationError("--period is at least 1") }
        if access == .grants, admin == nil { throw ValidationError("--admin is missing") }
    }

    func run() throws {
        var wanted = LoadPlan(.register, at: endpoint)
        press.apply(to: &wanted)
        wanted.grantedPlan = plan
        var seeding = Seeding(wanted)
        seeding.access = access
        seeding.admin = admin
        seeding.period = period
        try seeding.run { print(VisibleText.lines($0.text)) }
    }
}
