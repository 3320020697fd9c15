import AppStoreSimulator
import ArgumentParser
import SimulatorProgram
import StripeSimulator

/// `mint DIR`: a new account.
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract:
            "Make a new account in a directory, and print what a daemon's configuration says.",
        discussion: "serve must listen on the port that is named here."
    )

    @Argument(help: .init("The new account's directory.", valueName: "dir"))
    var path: String

    @Option(help: "How long a month takes, for example 5s or 2m; all else shrinks alike.")
    var month = StoreTime(monthMilliseconds: 30_000)

    @Option(help: "Where events go.")
    var url: String?

    @Flag(help: "In live mode; test mode otherwise.")
    var live = false

    @Flag(help: "Events are written as before 2025-03-31.")
    var oldShapes = false

    @Flag(help: "The endpoint has chosen all events, not those alone that docs/stripe.md names.")
    var allEvents = false

    @Option(
        name: .customLong("secret"),
        help: "What events are signed with, repeatable: whsec_ and letters; one is made otherwise."
    )
    var secrets: [String] = []

    @Option(
        name: .customLong("price"),
        help: "What is sold, repeatable: LOOKUP_KEY:PRODUCT,MONTHS,CENTS; 0 months are bought once."
    )
    var prices: [SoldPrice] = []

    @Option(help: "The port of 127.0.0.1 on which serve will listen.")
    var port = 8_091

    func validate() throws {
        guard month.monthMilliseconds % 1_000 == 0 else {
            throw ValidationError("--month is whole seconds: Stripe counts in seconds")
        }
        guard secrets.allSatisfy({ $0.hasPrefix("whsec_") }) else {
            throw ValidationError("--secret begins with whsec_")
        }
    }

    func run() throws {
        func chance() -> String {
            (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        }
        var settings = StripeSettings(
            time: month,
            isLive: live,
            url: url,
            secrets: secrets.isEmpty ? ["whsec_" + chance()] : secrets,
            apiKey: (live ? "rk_live_" : "rk_test_") + chance()
        )
        settings.writesOldShapes = oldShapes
        settings.tellsAll = allEvents
        if !prices.isEmpty { settings.prices = prices }
        let directory = StripeDirectory(path)
        try directory.mint(settings)
        let files = directory.secretPaths(settings).map(SimulatorDirectory.absolute)
            .joined(separator: ", ")
        SimulatorProgram.say("stripe:")
        let name = live ? "webhookSecretFiles" : "testWebhookSecretFiles"
        SimulatorProgram.say("  \(name): [\(files)]")
        SimulatorProgram.say("  api:")
        let key = SimulatorDirectory.absolute(directory.keyPath)
        SimulatorProgram.say("    \(live ? "keyFile" : "testKeyFile"): \(key)")
        SimulatorProgram.say("    baseURL: http://127.0.0.1:\(port)")
    }
}

/// `list DIR`: what was sold.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print every subscription and every thing bought once, one JSON object a line."
    )

    @OptionGroup var account: AccountArguments

    func run() throws {
        for line in try account.directory.books().lines { SimulatorProgram.say(line) }
    }
}
