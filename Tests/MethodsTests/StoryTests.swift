import CertificateAuthority
import Entitlements
import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport
import Testing

/// The stories of `proto/vectors/scenarios`, told to the methods at their own moments: signed
/// documents in, JSON-RPC out, a real ledger, and a clock that a test sets by hand.
@Suite struct StoryTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/vectors/scenarios")

    /// Empty where they cannot be read; then the test of their number fails.
    static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path))?
        .filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted() ?? []

    private static func scenario(_ name: String) throws -> Scenario {
        let url = directory.appending(path: name + ".txt")
        return try Scenario(name: name, parsing: String(contentsOf: url, encoding: .utf8))
    }

    /// One at a time, beside the tests that ask stores by tasks.
    private static let seats = Seats(1)

    @Test(arguments: names)
    func `the methods answer what a story says, at its own moments`(_ name: String) async throws {
        let faults = try await Self.seats.run { try Self.faults(of: name) }
        #expect(faults == [], "\(name)")
    }

    private static func faults(of name: String) throws -> [String] {
        let scenario = try scenario(name)
        let acts = try scenario.acts(under: .written)
        guard let first = acts.first else { return ["no step"] }
        let door = try ServiceDoor(scenario.settings, from: first.at)
        var player = ScenarioPlayer(door)
        var faults: [String] = []
        var checks = 0
        for act in acts {
            door.hands.advance(act.at.milliseconds - door.hands.wall)
            faults += try player.differences(of: act)
            if act.step.expected != nil { checks += 1 }
        }
        if checks == 0 { faults.append("a story without an expectation shows nothing") }
        if try !door.isSound() { faults.append("what was written is not what verify makes") }
        return faults
    }

    @Test func `a story that says something else is found, so the test can fail`() throws {
        let told = try Self.scenario("story.trial-to-lapse")
        let acts = try told.acts(under: .written)
        let door = try ServiceDoor(told.settings, from: try #require(acts.first).at)
        var player = ScenarioPlayer(door)
        // The clock stands still: what ends with time does not end.
        let differences = try acts.flatMap { try player.differences(of: $0) }
        #expect(!differences.isEmpty)
        #expect(Self.names.count > 100)
    }
}

/// A daemon without its process, under the settings of one story.
private final class ServiceDoor: ScenarioDoor {
    private static let voice = Result {
        // From 2015 to 2045: all that stories tell.
        StoreVoice(
            by: try SigningAuthority.mint(
                validFrom: 1_420_070_400_000,
                validUntil: 2_366_841_600_000
            )
        )
    }

    let hands: HandClock
    private let service: TestService
    private var lines: [ServiceLine] = []

    init(_ settings: ScenarioSettings, from moment: Moment) throws {
        hands = HandClock(moment.milliseconds - 1_000)
        var setup = TestService.Setup()
        setup.clock = hands.clock
        setup.catalog = settings.catalogYAML
        setup.environments = "[\(settings.environments.joined(separator: ", "))]"
        setup.sandbox = settings.sandboxAccess
        setup.accounts =
            "{ userIdIsAppAccountToken: \(settings.source.userIDIsToken), "
            + "transferPolicy: \(settings.source.transferPolicy.rawValue) }"
        service = try TestService(setup, voice: try Self.voice.get())
        try service.start()
    }

    func reply(
        to method: String,
        _ parameters: JSONObject,
        asAdmin: Bool
    ) throws -> JSONValue {
        try reply(of: { try service.call(method, parameters, admin: asAdmin) })
    }

    func reply(
        to method: String,
        _ parameters: JSONObject,
        on line: ServiceLine
    ) throws -> JSONValue {
        try reply(of: { try line.call(method, parameters) })
    }

    private func reply(of call: () throws -> JSONValue) throws -> JSONValue {
        do {
            return try call()
        } catch let error as ClientError {
            return ["error": .object(error.object)]
        }
    }

    func reply(toNotification body: [UInt8]) throws -> JSONValue {
        let (status, result) = try service.deliver(body)
        guard let result else { return ["error": ["status": .integer(Int64(status))]] }
        return ["result": .string(result)]
    }

    func install(_ settings: ScenarioSettings) throws {
        try service.install(catalog: settings.catalogYAML)
    }

    func open() throws -> ServiceLine {
        let line = try service.connect()
        lines.append(line)
        return line
    }

    func close(_ line: ServiceLine, ofHolder user: String) throws {
        func held() throws -> JSONValue? {
            try reply(to: "getCredits", ["userId": .string(user)], asAdmin: false)["held"]
        }
        let before = try held()
        line.close()
        // The writer gives back what was held for it.
        _ = try eventually { try held() != before }
    }

    func sign(_ payload: JSONValue) throws -> String {
        try service.voice.authority.sign(payload.bytes)
    }

    /// Whether the tables are what the journal says, once all is told.
    func isSound() throws -> Bool {
        for line in lines { line.close() }
        return try service.isSoundOnceStopped()
    }
}
