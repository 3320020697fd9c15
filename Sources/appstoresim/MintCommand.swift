import AppStoreSimulator
import ArgumentParser
import SimulatorProgram

/// `mint DIR`: a new store.
struct MintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Make a new store in a directory, and print the path of its root certificate.",
        discussion: """
            With --api-port it then prints what a daemon's configuration says to trust this store \
            and to ask its API, which serve serves; the key is DIR/AuthKey_ID.p8.
            """
    )

    @Argument(help: .init("The store's directory.", valueName: "dir"))
    var directory: String

    @Option(help: "The app's bundle id.")
    var bundleID = "com.example.app"

    @Option(help: "The app's Apple id.")
    var appAppleID: Int64 = 1_234_567_890

    @Option(help: "Production repeats failed deliveries, Sandbox never does.")
    var environment = StoreEnvironment.production

    @Option(help: "How long a month takes, for example 500ms, 5s or 2m; all else shrinks alike.")
    var month = StoreTime(monthMilliseconds: 5_000)

    @Option(help: "How many days the grace period has: 3, 6, 16 or 28.")
    var graceDays: Int64 = 16

    @Option(help: "Where notifications go.")
    var url: String?

    @Option(
        name: .customLong("product"),
        help: """
            What is sold, repeatable: ID,P1M,RANK,PRICE, or ID,consumable,PRICE (also \
            non-consumable, non-renewing). Without it BUNDLE.paid.monthly and .yearly, \
            .premium.monthly and .yearly, .credits.10 and .lifetime.
            """
    )
    var products: [Product] = []

    @Option(help: "Print the daemon's configuration, for an API on this port of 127.0.0.1.")
    var apiPort: Int?

    func validate() throws {
        guard [3, 6, 16, 28].contains(graceDays) else {
            throw ValidationError("--grace-days is 3, 6, 16 or 28")
        }
        guard Set(products.map(\.id)).count == products.count else {
            throw ValidationError("--product names an id twice")
        }
    }

    func run() throws {
        let store = SimulatorDirectory(directory)
        try store.mint(
            StoreSettings(
                bundleID: bundleID,
                appAppleID: appAppleID,
                environment: environment,
                time: month,
                products: products.isEmpty ? nil : products,
                graceDays: graceDays,
                url: url
            )
        )
        print(store.rootPath)
        if let apiPort {
            print(try store.configuration(baseURL: "http://127.0.0.1:\(apiPort)"))
        }
    }
}
