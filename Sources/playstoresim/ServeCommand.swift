import ArgumentParser
import PlayStoreSimulator
import SimulatorProgram

/// `serve DIR`: Google's servers, as far as a daemon asks them.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve access tokens, the keys of pushes and the Android Publisher API.",
        discussion: """
            On loopback; prints its base URL once it listens, and ends with SIGTERM or SIGINT. \
            Probabilities are 0 to 1; the same seed gives the same faults to the same requests.
            """
    )

    @OptionGroup var store: StoreArguments

    @Option(help: "The port of 127.0.0.1; 0 is one that is free.")
    var port = 8_090

    @OptionGroup(title: "Weather") var weather: ServeOptions

    func run() async throws {
        let api = try PlayAPI(store.directory, weather: weather.weather)
        try await ServeOptions.serve(api, port: port)
    }
}
