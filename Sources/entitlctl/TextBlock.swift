import JSON

/// Names and values in two columns; a nested object is indented under its name.
struct TextBlock {
    private var rows: [(name: String, value: String)] = []

    /// The block of all members of `object`.
    init(_ object: JSONObject) { add(object, indent: "") }

    /// The lines, the values aligned.
    var text: String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        let lines = rows.map { name, value in
            value.isEmpty
                ? name : name + String(repeating: " ", count: width - name.count) + value
        }
        return lines.joined(separator: "\n")
    }

    /// One value as a word: `-` for null, yes and no for the truth values.
    static func word(_ value: JSONValue) -> String {
        switch value {
        case .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .number(let number): number.text
        case .string(let text): text.isEmpty ? "\"\"" : Terminal.safe(text)
        case .array(let elements):
            elements.isEmpty ? "none" : elements.map(word).joined(separator: ", ")
        case .object(let object): object.members.isEmpty ? "none" : Terminal.json(value)
        }
    }

    private mutating func add(_ object: JSONObject, indent: String) {
        for member in object.members {
            let name = indent + Terminal.safe(member.key)
            if let inner = member.value.object, !inner.members.isEmpty {
                rows.append((name, ""))
                add(inner, indent: indent + "  ")
            } else {
                rows.append((name, Self.word(member.value)))
            }
        }
    }
}
