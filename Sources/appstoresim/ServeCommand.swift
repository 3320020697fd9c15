import AppStoreSimulator
import ArgumentParser
import Foundation
import JSON
import SimulatorProgram

/// `serve DIR`: the App Store Server API of this store.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the App Store Server API for the store's subscribers, on loopback.",
        discussion: """
            Prints its base URL once it listens, then one line for each request, and ends with \
            SIGTERM or SIGINT. What act, announce and run do meanwhile is served at once, also \
            notifications that were lost. Probabilities are 0 to 1; the same seed gives the same \
            faults to the same requests.
            """
    )

    @OptionGroup var store: StoreArguments

    @Option(help: "The port of 127.0.0.1; 0 is one that is free.")
    var port = 0

    @Option(help: "Where test notifications go; what mint was told when absent.")
    var url: String?

    @Option(help: "A PEM file with what is trusted at an https URL, and nothing else is.")
    var ca: String?

    @Option(help: "How many requests are taken in a second; more get 429.")
    var perSecond: Double?

    @Option(help: "How likely a request gets 429 in any case.")
    var tooMany = 0.0

    @Option(help: "How long such a request has to wait.")
    var retryAfter = Milliseconds(count: 1_000)

    @Option(help: "How likely a request gets 500, 503 or no answer.")
    var trouble = 0.0

    @Option(help: "How likely a number that is known gets 4040010, or 4040005.")
    var notFound = 0.0

    @Option(help: "How likely a pagination token that is good gets 4000017.")
    var expiredToken = 0.0

    @Option(help: "How long a pagination token is good.")
    var tokenLife = Milliseconds(count: 3_600_000)

    @Option(
        help: """
            How many days of the store's calendar the notification history goes back; 180 when \
            absent, and 30 in the sandbox.
            """
    )
    var rememberDays: Int64?

    @Option(help: "How likely the documents in an answer do not verify.")
    var forged = 0.0

    @Option(help: "How likely an answer is slow.")
    var slow = 0.0

    @Option(help: "How slow at most.")
    var slowMax = Milliseconds(count: 1_000)

    @Option(help: "What chance begins with.")
    var seed: UInt64 = 1

    @Flag(help: "Print no requests.")
    var quiet = false

    func validate() throws {
        let chances = [tooMany, trouble, notFound, expiredToken, forged, slow]
        guard chances.allSatisfy({ (0...1).contains($0) }) else {
            throw ValidationError("a probability is 0 to 1")
        }
        if let rememberDays, !(1...1_000_000).contains(rememberDays) {
            throw ValidationError("--remember-days is 1 to 1000000")
        }
        if let perSecond, perSecond <= 0 { throw ValidationError("--per-second is more than 0") }
        try DeliveryOptions.validate(ca: ca)
        guard (0...65_535).contains(port) else { throw ValidationError("no such port") }
    }

    func run() async throws {
        let books = try store.books()
        let isQuiet = quiet
        let api = try StoreAPI(books, rules(books.settings)) { event in
            if !isQuiet { SimulatorProgram.say(Self.line(event)) }
        }
        let server: StoreServer
        do {
            server = try await StoreServer.start(api, port: port)
        } catch {
            throw DirectoryFailure(description: "port \(port) cannot be listened on: \(error)")
        }
        SimulatorProgram.say(server.baseURL)
        try await server.wait()
    }

    private func rules(_ settings: StoreSettings) -> StoreAPI.Rules {
        var rules = StoreAPI.Rules()
        rules.weather = APIWeather(
            tooMany: tooMany,
            trouble: trouble,
            notFound: notFound,
            expiredToken: expiredToken,
            forged: forged,
            slow: slow,
            slowMax: slowMax.count,
            retryAfter: retryAfter.count,
            seed: seed
        )
        rules.perSecondMax = perSecond
        rules.pageTokenLife = tokenLife.count
        rules.rememberedDays = rememberDays
        rules.delivery = (url ?? settings.url).map { Delivery(to: $0, settings) }
        rules.delivery?.rootFile = ca
        return rules
    }

    /// `200 Get Transaction Info /inApps/v1/transactions/1`, with Apple's number of an error, or
    /// why the token was refused.
    private static func line(_ event: StoreAPI.Event) -> String {
        var words = [event.status == 0 ? "cut" : String(event.status)]
        if let code = event.errorCode { words.append(String(code)) }
        words.append(event.endpoint?.rawValue ?? "no endpoint")
        words.append(event.path)
        if let refusal = event.refusal { words.append("(\(refusal.rawValue))") }
        return words.joined(separator: " ")
    }
}
