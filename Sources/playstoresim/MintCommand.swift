import AppStoreSimulator
import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

/// `mint DIR`: a new store.
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Make a new store in a directory, and print what a daemon's configuration says.",
        discussion: "serve must listen on the port that is named here."
    )

    @Argument(help: .init("The store's directory.", valueName: "dir"))
    var directory: String

    @Option(help: "The app's package name.")
    var package = "com.example.app"

    @Option(help: "How long a month takes, for example 500ms, 5s or 2m; all else shrinks alike.")
    var month = StoreTime(monthMilliseconds: 5_000)

    @Option(help: "Where pushes go.")
    var url: String?

    @Option(help: "The audience of their bearer tokens.")
    var audience = "https://example.com/webhooks/google"

    @Option(
        name: .customLong("product"),
        help: """
            What is sold, repeatable: ID:BASEPLAN,MONTHS,PRICE, ID:BASEPLAN,prepaid,MONTHS,PRICE \
            or ID,one-time,PRICE.
            """
    )
    var products: [PlayItem] = []

    @Option(help: "How many days after its end the API forgets a subscription.")
    var rememberDays: Int64 = 60

    @Option(help: "The port of 127.0.0.1 on which serve will listen.")
    var port = 8_090

    func run() throws {
        var settings = PlaySettings(
            packageName: package,
            time: month,
            url: url,
            audience: audience
        )
        if !products.isEmpty { settings.items = products }
        settings.daysRemembered = rememberDays
        let store = PlayDirectory(directory)
        let base = "http://127.0.0.1:\(port)"
        try store.mint(settings, tokenURL: base + "/token")
        print(
            """
            google:
              packageName: \(package)
              push:
                audience: \(audience)
                serviceAccountEmail: \(settings.pushAccount)
                subscription: \(settings.subscription)
                keysURL: \(base)/oauth2/v3/certs
              api:
                serviceAccountFile: \(SimulatorDirectory.absolute(store.accountPath))
                baseURL: \(base)
            """
        )
    }
}
