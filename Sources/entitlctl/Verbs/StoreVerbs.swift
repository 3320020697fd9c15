import ArgumentParser
import Foundation
import JSON

/// `reconcile [USER]`: asks the store what was missed.
struct ReconcileVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Ask the store what was missed: about a user, or about everything.",
        discussion: """
            Without a user it shows how far it is until it is done; exit 1 when the store could \
            not be asked about everything.
            """
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { user == nil ? 5 : 120 }

    func perform(_ session: inout Session) throws {
        if let user {
            let result = try session.call("reconcile", ["userId": .string(user)])
            session.show(result) { result in
                var shown: JSONObject = ["applied": result["applied"] ?? .null]
                for member in ["state", "plan", "expiresAt"] {
                    shown[member] = result["status"]?[member]
                }
                return TextBlock(shown).text
            }
            return
        }
        _ = try session.call("reconcile")
        let progress = try watched(&session)
        session.show(progress) { TextBlock($0).text }
        guard Self.isWhole(progress) else { throw ExitCode.negative }
    }

    /// Whether no walk and no sweep says why it stopped.
    private static func isWhole(_ progress: JSONObject) -> Bool {
        stores(in: progress)
            .allSatisfy { _, store in
                let environments = store["environments"]?.object?.members ?? []
                let details = environments.map { $0.value["detail"] } + [store["sweepDetail"]]
                return details.allSatisfy { $0?.isNull ?? true }
            }
    }

    /// What is told of each store by its name, which is empty where only one is asked.
    private static func stores(in progress: JSONObject) -> [(String, JSONObject)] {
        guard let stores = progress["stores"]?.object else { return [("", progress)] }
        return stores.members.map { ($0.key, $0.value.object ?? [:]) }
    }

    /// Waits for the end of the round, and answers what there is to say of it.
    private func watched(_ session: inout Session) throws -> JSONObject {
        // A round may not have begun when it is looked at first, or have ended before.
        var quietLooks = 0
        while true {
            Thread.sleep(forTimeInterval: 0.25)
            let progress = try session.call("stats")["reconcile"]?.object ?? [:]
            guard progress["running"]?.bool == true else {
                quietLooks += 1
                guard quietLooks >= Self.quietLooksMax else { continue }
                Terminal.progress("")
                return progress
            }
            quietLooks = Self.quietLooksMax
            Terminal.progress(Self.line(progress))
        }
    }

    /// `sweep: 120 of 400`, or of several stores `google_play sweep: 12, stripe idle: 3`.
    private static func line(_ progress: JSONObject) -> String {
        stores(in: progress)
            .map { name, store in
                let prefix = name.isEmpty ? "" : name + " "
                let phase = prefix + TextBlock.word(store["phase"] ?? .null)
                let done = TextBlock.word(store["done"] ?? .null)
                guard let total = store["total"], !total.isNull else { return "\(phase): \(done)" }
                return "\(phase): \(done) of \(TextBlock.word(total))"
            }
            .joined(separator: ", ")
    }

    private static let quietLooksMax = 3
}

/// `test-notification`: whether a notification of a store arrives here.
struct TestNotificationVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test-notification",
        abstract: "Wait for a test notification of a store: exit 1 when it does not arrive.",
        discussion: """
            It checks a new set-up: URL, certificate, firewall, key. Apple is asked to send one. \
            Google sends one when you press "Send test notification" in the Play Console \
            (Monetize, Monetization setup) while this waits. Stripe has none: send any event.
            """
    )

    /// Whose can be waited for.
    enum TestedStore: String, ExpressibleByArgument, CaseIterable {
        case apple
        case google

        /// What the daemon calls it.
        var name: String {
            switch self {
            case .apple: "app_store"
            case .google: "google_play"
            }
        }
    }

    static let door = Door.admin

    @Option(help: "Whose: apple or google.")
    var store = TestedStore.apple

    @Option(help: ArgumentHelp("How long to wait.", valueName: "seconds"))
    var wait: Int64 = 60

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { Double(wait) + 30 }

    func validate() throws {
        guard (1...600).contains(wait) else { throw ValidationError("--wait is 1 to 600 seconds") }
    }

    func perform(_ session: inout Session) throws {
        if store == .google, !global.json {
            Terminal.complain("Now press \"Send test notification\" in the Play Console.")
        }
        let asked: JSONObject = ["store": .string(store.name), "timeoutSeconds": .integer(wait)]
        let result = try session.call("testNotification", asked)
        session.show(result) { TextBlock($0).text }
        guard result["delivered"]?.bool == true else { throw ExitCode.negative }
    }
}
