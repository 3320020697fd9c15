import ArgumentParser
import Foundation
import JSON

/// `reconcile [USER]`: asks the store what was missed.
struct ReconcileVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reconcile",
        abstract: "Ask the store what was missed: about a user, or about everything.",
        discussion: "Without a user it shows how far it is until it is done."
    )

    static let door = Door.admin

    @Argument(help: "The user's id.")
    var user: String?

    @OptionGroup(title: "Global options") var global: GlobalOptions

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
        var progress: JSONObject = [:]
        repeat {
            Thread.sleep(forTimeInterval: 0.5)
            progress = try session.call("stats")["reconcile"]?.object ?? [:]
            let phase = TextBlock.word(progress["phase"] ?? .null)
            let done = TextBlock.word(progress["done"] ?? .null)
            if !session.isJSON { Terminal.complain("\(phase): \(done)") }
        } while progress["running"]?.bool == true
        session.show(progress) { TextBlock($0).text }
    }
}

/// `test-notification`: whether a notification of Apple arrives here.
struct TestNotificationVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "test-notification",
        abstract: "Have Apple send a test notification: exit 1 when it does not arrive.",
        discussion: "The check of a new set-up: URL, certificate, firewall and key."
    )

    static let door = Door.admin

    @Option(help: ArgumentHelp("How long to wait.", valueName: "seconds"))
    var wait: Int64 = 60

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let result = try session.call("testNotification", ["timeoutSeconds": .integer(wait)])
        session.show(result) { TextBlock($0).text }
        guard result["delivered"]?.bool == true else { throw ExitCode.negative }
    }
}
