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
            try session.show(result) { result in
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
        try session.show(progress)
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
