import COpenRPC
import JSON

/// proto/openrpc.json as the judge of what a daemon says: tests hold every answer to it.
package struct OpenRPC: Sendable {
    /// The document of this build.
    package static let document = OpenRPC()

    private let schemas: JSONValue
    private let results: [String: JSONValue]
    private let news: JSONValue

    private init() {
        // SAFETY: a constant of the program, of so many bytes.
        let bytes = unsafe UnsafeRawBufferPointer(
            start: openrpc_document(),
            count: openrpc_document_bytes()
        )
        let document = (try? JSONValue.parse(Array(bytes))) ?? [:]
        schemas = document["components"]?["schemas"] ?? [:]
        var (results, news) = ([String: JSONValue](), JSONValue.object([:]))
        for method in document["methods"]?.array ?? [] {
            guard let name = method["name"]?.string else { continue }
            results[name] = method["result"]?["schema"]
            if let described = method["x-notifications"] { news = described }
        }
        (self.results, self.news) = (results, news)
    }

    /// Whether it describes a method of this name.
    package func knows(_ method: String) -> Bool { results[method] != nil }

    /// What is in the result of `method` and not in its schema, or the other way round.
    package func faults(inResult result: JSONValue, of method: String) -> [String] {
        guard let schema = results[method] else { return ["\(method): no such method"] }
        return faults(in: result, against: schema, at: method)
    }

    /// The same of the parameters of a notification.
    package func faults(inNews params: JSONValue, of method: String) -> [String] {
        guard let schema = news[method] else { return ["\(method): no such notification"] }
        return faults(in: params, against: schema, at: method)
    }

    private func faults(
        in value: JSONValue,
        against schema: JSONValue,
        at place: String
    ) -> [String] {
        if let name = schema["$ref"]?.string?.split(separator: "/").last {
            // The schema of another document.
            guard schema["$ref"]?.string?.hasPrefix("#") == true else { return [] }
            guard let other = schemas[String(name)] else { return ["\(place): no schema \(name)"] }
            return faults(in: value, against: other, at: place)
        }
        let all = (schema["allOf"]?.array ?? [])
            .flatMap { faults(in: value, against: $0, at: place) }
        if let parts = schema["anyOf"]?.array ?? schema["oneOf"]?.array {
            let tried = parts.map { faults(in: value, against: $0, at: place) }
            // What fails deepest fits best, so it is what is told.
            guard !tried.contains([]) else { return all }
            return all + (tried.max { ($0.first?.count ?? 0) < ($1.first?.count ?? 0) } ?? [])
        }
        if let words = schema["enum"]?.array, !words.contains(value) {
            return ["\(place): \(text(value)) is no word of the document"]
        }
        if let constant = schema["const"], constant != value {
            return ["\(place): \(text(value)) is not \(text(constant))"]
        }
        let types = (schema["type"]?.array ?? schema["type"].map { [$0] } ?? [])
            .compactMap(\.string)
        guard types.isEmpty || types.contains(where: { isOfType(value, $0) }) else {
            return ["\(place): \(text(value)) is no \(types.joined(separator: " or "))"]
        }
        if let least = schema["minimum"]?.int64, let number = value.int64, number < least {
            return ["\(place): \(number) is less than \(least)"]
        }
        return all + members(of: value, against: schema, at: place)
    }

    private func members(
        of value: JSONValue,
        against schema: JSONValue,
        at place: String
    ) -> [String] {
        if let elements = value.array, let each = schema["items"] {
            return elements.enumerated()
                .flatMap {
                    faults(in: $0.element, against: each, at: "\(place)[\($0.offset)]")
                }
        }
        guard let object = value.object else { return [] }
        let (known, others) = (schema["properties"], schema["additionalProperties"])
        let missing = (schema["required"]?.array ?? []).compactMap(\.string)
            .filter { object[$0] == nil }.map { "\(place).\($0): is missing" }
        return missing
            + object.members.flatMap { member -> [String] in
                let inner = "\(place).\(member.key)"
                if let schema = known?[member.key] {
                    return faults(in: member.value, against: schema, at: inner)
                }
                if let others, others.object != nil {
                    return faults(in: member.value, against: others, at: inner)
                }
                return known == nil ? [] : ["\(inner): is not in the document"]
            }
    }

    private func isOfType(_ value: JSONValue, _ type: String) -> Bool {
        switch type {
        case "null": value.isNull
        case "boolean": value.bool != nil
        case "integer": value.int64 != nil
        case "string": value.string != nil
        case "array": value.array != nil
        case "object": value.object != nil
        default: true
        }
    }

    private func text(_ value: JSONValue) -> String { String(decoding: value.bytes, as: UTF8.self) }
}
