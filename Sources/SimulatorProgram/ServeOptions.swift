import AppStoreSimulator
import ArgumentParser

/// Where a store's API listens, and what goes wrong with requests.
package struct ServeOptions: ParsableArguments {
    @Option(help: "How likely a request gets 429.")
    package var tooMany = 0.0

    @Option(help: "How likely a request gets 500, 503 or no answer.")
    package var trouble = 0.0

    @Option(help: "How likely a purchase that is known gets 404.")
    package var notFound = 0.0

    @Option(help: "How likely an answer is slow.")
    package var slow = 0.0

    @Option(help: "What chance begins with.")
    package var seed: UInt64 = 1

    package init() {}

    package func validate() throws {
        guard [tooMany, trouble, notFound, slow].allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
    }

    /// What goes wrong.
    package var weather: APIWeather {
        APIWeather(
            tooMany: tooMany,
            trouble: trouble,
            notFound: notFound,
            slow: slow,
            seed: seed
        )
    }

    /// Serves `api` on a port of 127.0.0.1 until the program is ended; prints its base URL first.
    package static func serve(_ api: any AnsweringStore, port: Int) async throws {
        guard (0...65_535).contains(port) else { throw ValidationError("no such port") }
        let server: StoreServer
        do {
            server = try await StoreServer.start(api, port: port)
        } catch {
            throw DirectoryFailure(description: "port \(port) cannot be listened on: \(error)")
        }
        SimulatorProgram.say(server.baseURL)
        try await server.wait()
    }
}
