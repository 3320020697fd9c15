import AppStore
import CertificateAuthority
import Entitlements
import EntitlementsClient
import Fixtures
import Foundation
import JSON
import Methods
import Signatures
import Telemetry
import Testing
import Wire

@testable import Ledger

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

    @Test(arguments: names)
    func `the methods answer what a story says, at its own moments`(_ name: String) throws {
        let scenario = try Self.scenario(name)
        let acts = try scenario.acts(under: .written)
        let first = try #require(acts.first)
        let door = try ServiceDoor(scenario.settings, from: first.at)
        var player = ScenarioPlayer(door)
        var differences: [String] = []
        var checks = 0
        for act in acts {
            door.stage.pass(act.at.milliseconds - door.stage.now.milliseconds)
            differences += try player.differences(of: act)
            if act.step.expected != nil { checks += 1 }
        }
        #expect(checks > 0, "a story without an expectation shows nothing")
        #expect(differences.isEmpty, "\(name): \(differences.joined(separator: "; "))")
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

/// The methods over a ledger of their own, which believe one chain.
private final class ServiceDoor: ScenarioDoor {
    private static let authority = Result {
        // From 2015 to 2045: all that stories tell.
        try SigningAuthority.mint(validFrom: 1_420_070_400_000, validUntil: 2_366_841_600_000)
    }

    let stage: Stage
    private let service: MethodService
    private let authority: SigningAuthority
    private let app: ServiceLine
    private let admin: ServiceLine

    init(_ settings: ScenarioSettings, from moment: Moment) throws {
        authority = try Self.authority.get()
        stage = try Stage(startingAt: moment.milliseconds - 1_000)
        try stage.install(settings.source)
        let app = AppStoreIdentity.App(
            bundleID: ApplePayloads.bundleID,
            appAppleID: ApplePayloads.appAppleID
        )
        let store = AppStore(
            verifier: try DocumentVerifier(roots: [authority.rootDER], blockedSerials: []),
            identity: AppStoreIdentity(apps: [app], environments: settings.source.environments)
        )
        service = try MethodService(
            Calls.all,
            ledger: stage.ledger,
            storefronts: [store],
            settings: MethodSettings(
                tokenNamespace: "entitld",
                frameBytesMax: 1 << 20,
                version: "test"
            ),
            metrics: Metrics(version: "test", methods: Calls.names)
        )
        service.phase = .serving
        self.app = ServiceLine(service, .app)
        admin = ServiceLine(service, .admin)
    }

    deinit { service.stop() }

    func reply(
        to method: String,
        _ parameters: JSONObject,
        asAdmin: Bool
    ) throws -> JSONValue {
        try reply(to: method, parameters, on: asAdmin ? admin : app)
    }

    func reply(
        to method: String,
        _ parameters: JSONObject,
        on line: ServiceLine
    ) throws -> JSONValue {
        do {
            return try line.call(method, parameters)
        } catch let error as ClientError {
            return ["error": .object(error.object)]
        }
    }

    func reply(toNotification body: [UInt8]) throws -> JSONValue {
        let (status, result) = service.reply(toNotification: body)
        guard let result else { return ["error": ["status": .integer(Int64(status))]] }
        return ["result": .string(result)]
    }

    func open() throws -> ServiceLine { ServiceLine(service, .app) }

    func close(_ line: ServiceLine, ofHolder user: String) throws { line.close() }

    func sign(_ payload: JSONValue) throws -> String { try authority.sign(payload.bytes) }
}
