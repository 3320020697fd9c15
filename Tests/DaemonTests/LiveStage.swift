import CertificateAuthority
import Entitlements
import EntitlementsClient
import Fixtures
import Foundation
import JSON
import TestSupport

/// Plays scenarios on a daemon: what `CoreStage` does to the core, done over sockets and HTTP with
/// signed documents.
struct LiveStage {
    /// For how long after its moment a check must have the same answer to be put to a daemon, whose
    /// clock goes on.
    static let steadyMilliseconds: Int64 = 2_000
    /// How long after the one before a story begins that is played beside it.
    private static let staggerMilliseconds: Int64 = 80
    /// How late a step may be of a story that is played as it happens.
    static let latenessMillisecondsMax: Int64 = 700
    /// A rehearsal that took longer than its check is steady says nothing; it is made again.
    private static let rehearsalsMax = 5

    let daemon: TestDaemon
    private var player: ScenarioPlayer<DaemonDoor>
    private var rehearsals = 0

    /// A new daemon under these settings, which trusts the chain of this stage alone.
    init(_ settings: ScenarioSettings) throws {
        // Rehearsals move documents up to years into the past.
        let decade = 3_653 * StoreLife.day
        let authority = try SigningAuthority.mint(
            validFrom: StoreVoice.now - decade,
            validUntil: StoreVoice.now + decade
        )
        var setup = TestDaemon.Setup()
        setup.catalog = settings.catalogYAML
        setup.environments = "[\(settings.environments.joined(separator: ", "))]"
        setup.sandbox = settings.sandboxAccess
        let transfers = settings.source.transferPolicy.rawValue
        setup.accounts =
            "{ userIdIsAppAccountToken: \(settings.source.userIDIsToken), "
            + "transferPolicy: \(transfers) }"
        setup.logLevel = "warning"
        daemon = try TestDaemon(setup)
        try daemon.scratch.write(authority.rootPEM, to: "root.pem")
        try daemon.start()
        player = ScenarioPlayer(DaemonDoor(daemon: daemon, authority: authority))
    }

    /// Stops the daemon and has its store checked; answers what is wrong.
    func end() throws -> [String] {
        let ending = daemon.stop()
        guard ending == .exited(0) else { return ["stopped with \(ending): \(daemon.log)"] }
        let check = try daemon.run("verify")
        return check.ending == .exited(0) ? [] : ["verify: \(check.ending): \(check.said)"]
    }

    /// How the daemon differs from the story in the check at `index` and in all that leads to it;
    /// nil where this machine was too slow to say.
    mutating func differences(
        inCheck index: Int,
        of scenario: Scenario
    ) throws -> [String]? {
        for _ in 0..<Self.rehearsalsMax {
            rehearsals += 1
            let now = StoreVoice.now
            let rehearsal = try scenario.rehearsal(
                ofCheck: index,
                at: Moment(now),
                unique: rehearsals
            )
            guard let acts = rehearsal else { throw DaemonProblem("step \(index) is no check") }
            var differences: [String] = []
            for act in acts { differences += try player.differences(of: act) }
            if StoreVoice.now - now < Self.steadyMilliseconds { return differences }
        }
        return nil
    }

    /// How the daemon differs from these stories, all played side by side as they happen, each step
    /// at its moment; nil where this machine was too slow to say.
    mutating func differences(playing scenarios: [Scenario]) throws -> [String]? {
        for _ in 0..<Self.rehearsalsMax {
            // They begin one after the other: most steps are written for whole seconds.
            var start = Moment(StoreVoice.now)
            var acts: [(String, ScenarioAct)] = []
            for scenario in scenarios {
                rehearsals += 1
                acts += try scenario.playing(from: start, unique: rehearsals)
                    .map { (scenario.name, $0) }
                start = start.advanced(byMilliseconds: Self.staggerMilliseconds)
            }
            let inOrder = acts.enumerated()
                .sorted { ($0.element.1.at, $0.offset) < ($1.element.1.at, $1.offset) }
            var differences: [String] = []
            var isLate = false
            for (_, (name, act)) in inOrder {
                let wait = act.at.milliseconds - StoreVoice.now
                if wait > 0 { usleep(UInt32(wait) * 1_000) }
                differences += try player.differences(of: act).map { "\(name), \($0)" }
                let lateness = StoreVoice.now - act.at.milliseconds
                isLate = isLate || lateness > Self.latenessMillisecondsMax
            }
            if differences.isEmpty || !isLate { return differences }
        }
        return nil
    }

    /// How the daemon differs in what a story does, its last step made now.
    ///
    /// For a story that goes on after its last check; these answers wait for no clock.
    mutating func differences(inDeedsOf scenario: Scenario) throws -> [String] {
        guard let last = scenario.steps.last else { return [] }
        rehearsals += 1
        let names = ScenarioNames(
            unique: rehearsals,
            moving: last.at,
            to: Moment(StoreVoice.now)
        )
        var differences: [String] = []
        for act in try scenario.acts(under: names) where !act.step.verb.isCheck {
            differences += try player.differences(of: act)
        }
        return differences
    }
}

/// The doors of a daemon: its sockets, and its port for notifications.
struct DaemonDoor: ScenarioDoor {
    let daemon: TestDaemon
    let authority: SigningAuthority

    func reply(
        to method: String,
        _ parameters: JSONObject,
        asAdmin: Bool
    ) throws -> JSONValue {
        do {
            return try daemon.call(method, parameters, admin: asAdmin)
        } catch let error as ClientError where error.code != 0 {
            return ["error": .object(error.object)]
        }
    }

    func reply(
        to method: String,
        _ parameters: JSONObject,
        on line: Holder
    ) throws -> JSONValue { try line.reply(to: method, parameters) }

    func reply(toNotification body: [UInt8]) throws -> JSONValue {
        let reply = try HTTPExchange.post(body, port: daemon.port)
        if reply.status == 200, let json = reply.json { return json }
        return ["error": ["status": .integer(Int64(reply.status)), "body": .string(reply.text)]]
    }

    func install(_ settings: ScenarioSettings) throws {
        try daemon.install(catalog: settings.catalogYAML)
    }

    func open() throws -> Holder { try Holder(daemon.socket) }

    func close(_ line: Holder, ofHolder user: String) throws {
        func held() throws -> JSONValue? {
            try reply(to: "getCredits", ["userId": .string(user)], asAdmin: false)["held"]
        }
        let before = try held()
        line.close()
        // The daemon hears of it when its loop comes round.
        _ = try eventually { try held() != before }
    }

    func sign(_ payload: JSONValue) throws -> String { try authority.sign(payload.bytes) }
}

/// A connection that lasts until it is closed.
final class Holder {
    private var connection: Connection?

    fileprivate init(_ socket: String) throws {
        connection = try Connection(to: socket, timeout: .seconds(120))
    }

    fileprivate func close() { connection = nil }

    fileprivate func reply(to method: String, _ parameters: JSONObject) throws -> JSONValue {
        do {
            return try connection?.call(method, parameters) ?? .null
        } catch {
            // Not in a `where`: the compiler (6.3.1) ends with "ownership error" there.
            guard error.code != 0 else { throw error }
            return ["error": .object(error.object)]
        }
    }
}
