import JSON

/// Values that a JSON Schema of proto/openrpc.json allows.
struct SchemaSample {
    /// The schemas that others name.
    let schemas: JSONValue
    /// Whether optional members are there, and nothing is null that need not be.
    let isFull: Bool
    /// Which word of each list of words is taken; behind its end they begin anew.
    let choice: Int

    func value(_ schema: JSONValue) -> JSONValue {
        if let name = schema["$ref"]?.string?.split(separator: "/").last {
            // A moment is written in one way alone, which its pattern says.
            if name == "Time" { return "2026-03-01T10:00:00.000Z" }
            return value(schemas[String(name)] ?? [:])
        }
        if let words = schema["enum"]?.array { return words[choice % words.count] }
        if let constant = schema["const"] { return constant }
        if let parts = schema["allOf"]?.array { return value(parts[0]) }
        if let parts = schema["anyOf"]?.array ?? schema["oneOf"]?.array { return one(of: parts) }
        let types: [JSONValue] =
            schema["type"]?.array ?? schema["type"].map { [$0] } ?? []
        if types.contains("null"), !isFull || types.count == 1 { return .null }
        return switch types.first(where: { $0 != "null" })?.string {
        case "object": object(schema)
        case "array": .array([value(schema["items"] ?? [:])])
        case "integer": .integer(schema["minimum"]?.int64 ?? 1)
        case "boolean": .bool(choice % 2 == 0)
        default: "text"
        }
    }

    private func one(of parts: [JSONValue]) -> JSONValue {
        let null = parts.firstIndex { $0["type"] == "null" }
        if null != nil, !isFull { return .null }
        let rest = parts.enumerated().filter { $0.offset != null }.map { $0.element }
        return value(rest[choice % rest.count])
    }

    private func object(_ schema: JSONValue) -> JSONValue {
        guard let members = schema["properties"]?.object?.members else {
            guard let each = schema["additionalProperties"], each.object != nil else { return [:] }
            return ["name": value(each)]
        }
        let required = Set((schema["required"]?.array ?? []).compactMap(\.string))
        var made: JSONObject = [:]
        for member in members where isFull || required.contains(member.key) {
            made[member.key] = value(member.value)
        }
        return .object(made)
    }
}
