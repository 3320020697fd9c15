import AppStoreSimulator
import ArgumentParser
import PlayStoreSimulator

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

    @Option(help: "How likely a request gets 429.")
    var tooMany = 0.0

    @Option(help: "How likely a request gets 500, 503 or no answer.")
    var trouble = 0.0

    @Option(help: "How likely an answer is slow.")
    var slow = 0.0

    @Option(help: "What chance begins with.")
    var seed: UInt64 = 1

    func validate() throws {
        guard [tooMany, trouble, slow].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
        guard (0...65_535).contains(port) else { throw ValidationError("no such port") }
    }

    func run() async throws {
        let weather = APIWeather(tooMany: tooMany, trouble: trouble, slow: slow, seed: seed)
        let api = try PlayAPI(store.directory, weather: weather)
        let server: StoreServer
        do {
            server = try await StoreServer.start(api, port: port)
        } catch {
            throw DirectoryFailure(description: "port \(port) cannot be listened on: \(error)")
        }
        Playstoresim.say(server.baseURL)
        try await server.wait()
    }
}
