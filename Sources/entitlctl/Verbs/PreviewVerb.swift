import ArgumentParser
import Foundation
import JSON

/// `preview CATALOG`: what a catalog would change, before it is loaded.
struct PreviewVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Say whose status a new catalog would change, and how, before it is loaded.",
        discussion: """
            Every account is looked at under the present catalog and under the one in the file. \
            Credits that a new catalog gives for earlier purchases are not in it.
            """
    )

    static let door = Door.admin

    @Argument(help: "The catalog file.")
    var catalog: String

    @Option(help: "How many users are named of each change.")
    var examples = 5

    @OptionGroup(title: "Global options") var global: GlobalOptions

    var callSeconds: Double { 60 }

    func perform(_ session: inout Session) throws {
        guard let bytes = FileManager.default.contents(atPath: catalog),
            let text = String(bytes: bytes, encoding: .utf8)
        else { throw ValidationError("\(catalog) cannot be read") }
        var list = DifferenceList(examples: examples)
        var cursor: String?
        repeat {
            var asked: JSONObject = ["catalog": .string(text), "limit": 1_000]
            asked["cursor"] = cursor.map { .string($0) }
            let page = try session.call("previewCatalog", asked)
            let changes = page["changes"]?.array ?? []
            list.addEqual(Int(page["looked"]?.int64 ?? 0) - changes.count)
            for change in changes {
                list.add(change["userId"]?.string ?? "", Self.differences(change))
            }
            cursor = page["cursor"]?.string
            Terminal.progress("\(list.users) users, \(list.differing) change")
        } while cursor != nil
        Terminal.progress("")
        try session.show(list.json) { _ in list.text("change") }
    }

    private static func differences(_ change: JSONValue) -> [String] {
        (change["before"]?.object?.members ?? [])
            .map { member in
                let after = change["after"]?[member.key] ?? .null
                guard member.value.object == nil || member.key == "limits" else {
                    return "\(member.key) changes"
                }
                let isMoment = member.key.hasSuffix("At")
                return isMoment
                    ? "\(member.key) changes"
                    : "\(member.key): \(TextBlock.word(member.value)) -> \(TextBlock.word(after))"
            }
    }
}
