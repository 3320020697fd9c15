import EntitlementsClient
import JSON

/// One case that is run, with the names that it has made up and kept.
struct Attempt {
    let app: EntitlementsClient
    let admin: EntitlementsClient
    let transport: String
    let prefix: String
    /// The documents of the run that nobody has used yet, by kind.
    var stock: [String: [String]]
    private var kept: [String: JSONValue] = [:]

    init(
        app: EntitlementsClient,
        admin: EntitlementsClient,
        transport: String,
        prefix: String,
        stock: [String: [String]]
    ) {
        self.app = app
        self.admin = admin
        self.transport = transport
        self.prefix = prefix
        self.stock = stock
    }

    /// Why it failed; nil where it did not.
    mutating func run(_ steps: [JSONValue]) async -> String? {
        for (index, step) in steps.enumerated() {
            guard step["transport"]?.string ?? transport == transport else { continue }
            if let fault = await take(step) { return "step \(index + 1): \(fault)" }
        }
        return nil
    }

    private mutating func take(_ step: JSONValue) async -> String? {
        let client = step["admin"]?.bool == true ? admin : app
        let method = step["call"]?.string ?? ""
        let parameters = filled(step["params"] ?? [:]).object ?? [:]
        do throws(ClientError) {
            let result = try await client.result(
                of: method,
                parameters,
                timeout: .seconds(30)
            )
            try Typed.check(method, result)
            if step["error"] != nil { return "no error but \(result)" }
            let typed = try await Typed.difference(client, method, parameters, result)
            if let typed { return typed }
            for member in step["save"]?.object?.members ?? [] {
                kept[member.key] = result[member.value.string ?? ""]
            }
            return step["result"].flatMap { difference(.object(result), filled($0)) }
        } catch {
            guard let wanted = step["error"] else { return "\(error)" }
            let said: JSONObject = [
                "code": .integer(Int64(error.code)), "name": .string(error.name),
                "data": error.object["data"] ?? [:],
            ]
            let named = wanted.string.map { JSONValue.object(["name": .string($0)]) }
            return difference(.object(said), filled(named ?? wanted))
        }
    }

    private mutating func filled(_ value: JSONValue) -> JSONValue {
        if let object = value.object {
            var filled: JSONObject = [:]
            for member in object.members { filled[member.key] = self.filled(member.value) }
            return .object(filled)
        }
        if let array = value.array { return .array(array.map { filled($0) }) }
        guard let text = value.string else { return value }
        var whole = ""
        var rest = text[...]
        while let begin = rest.firstRange(of: "${"),
            let end = rest[begin.upperBound...].firstIndex(of: "}")
        {
            let found = named(String(rest[begin.upperBound..<end]))
            // A number stays one where it stands alone.
            if begin.lowerBound == text.startIndex, text.index(after: end) == text.endIndex {
                return found
            }
            whole += rest[..<begin.lowerBound] + (found.string ?? "\(found)")
            rest = rest[text.index(after: end)...]
        }
        return .string(whole + rest)
    }

    private mutating func named(_ name: String) -> JSONValue {
        if let value = kept[name] { return value }
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        if parts.count == 2, parts[0] != "signed" { return kept[parts[0]]?[parts[1]] ?? .null }
        let value =
            parts.count == 2
            ? stock[parts[1]]?.isEmpty == false ? stock[parts[1]]?.removeFirst() ?? "" : ""
            : prefix + name
        kept[name] = .string(value)
        return .string(value)
    }
}

/// Where a value is not as wanted; nil where it is.
private func difference(_ value: JSONValue, _ wanted: JSONValue) -> String? {
    if let kind = wanted["$is"]?.string {
        return isOf(kind, value) ? nil : "\(value) is no \(kind)"
    }
    if let object = wanted.object {
        guard let own = value.object else { return "\(value) is no object" }
        for member in object.members {
            guard let one = own[member.key] else { return "no \(member.key) in \(value)" }
            if let fault = difference(one, member.value) { return "\(member.key): \(fault)" }
        }
        return nil
    }
    if let array = wanted.array {
        guard let own = value.array, own.count == array.count else {
            return "\(value) is no list of \(array.count)"
        }
        return zip(own, array).lazy.compactMap { difference($0, $1) }.first
    }
    return value == wanted ? nil : "\(value), not \(wanted)"
}

private func isOf(_ kind: String, _ value: JSONValue) -> Bool {
    switch kind {
    case "string": value.string != nil
    case "integer": value.int64 != nil
    case "boolean": value.bool != nil
    case "time":
        value.string?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
    case "uuid": value.string?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
    case "null": value == .null
    case "list": value.array != nil
    case "object": value.object != nil
    default: false
    }
}
