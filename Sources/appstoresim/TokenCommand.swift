import AppStoreSimulator
import ArgumentParser

/// `token DIR`: what an app's server sends to be let in.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print a bearer token for the store's API, good for five minutes; for curl."
    )

    @OptionGroup var store: StoreArguments

    func run() throws {
        let authorization = try store.directory.apiAccess().authorization()
        print(authorization.dropFirst("Bearer ".count))
    }
}
