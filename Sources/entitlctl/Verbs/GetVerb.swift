import ArgumentParser
import JSON

/// `get TABLE KEY`: one row.
struct GetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one row of a table."
    )

    static let door = Door.admin

    @Argument(help: "The table.")
    var table: String

    @Argument(help: "The key, as dump prints it.")
    var key: String

    @Flag(help: "The key is given in base64.")
    var base64 = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func perform(_ session: inout Session) throws {
        let parameters: JSONObject = [
            "table": .string(table), "key": base64 ? ["base64": .string(key)] : .string(key),
        ]
        let result = try session.call("get", parameters)
        try session.show(result) { result in
            let value = result["value"] ?? .null
            return value.object.map { TextBlock($0).text } ?? TextBlock.word(value)
        }
    }
}
