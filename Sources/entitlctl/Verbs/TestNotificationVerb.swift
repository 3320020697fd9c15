import ArgumentParser
import Foundation
import JSON

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
        try session.show(result)
        guard result["delivered"]?.bool == true else { throw ExitCode.negative }
    }
}
