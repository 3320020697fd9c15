/// The values that a file and the environment give to keys, each of its key's kind.
///
/// The environment stands before the file; a key without a value is absent.
struct ConfigurationValues {
    typealias Value = any Sendable

    private var values: [String: Value] = [:]
    private var defaults: [String: Value] = [:]
    private var presentSections: Set<String> = []

    /// Sorts a file's tree into keys, then lays the environment over it.
    init(
        root: ConfigurationNode,
        environment: [String: String]
    ) throws(ConfigurationFailure) {
        try sort(root, under: "")
        for key in ConfigurationKey.all {
            if let node = key.fallbackNode { defaults[key.path] = try key.value(of: node) }
            for name in key.environmentNames {
                guard let text = environment[name] else { continue }
                try override(key, with: text)
                break
            }
        }
    }

    /// Whether the section was named, or any key in it has a value.
    func has(section: String) -> Bool {
        presentSections.contains(section)
            || values.keys.contains { $0.hasPrefix(section + ".") }
    }

    /// Whether somebody gave the key a value.
    func gives(_ path: String) -> Bool { values[path] != nil }

    /// The value of a key that may have none.
    subscript<T>(_ path: String) -> T? { (values[path] ?? defaults[path]) as? T }

    /// The text of a key that must have one.
    func required(_ path: String) throws(ConfigurationFailure) -> String {
        guard let text: String = self[path] else { throw .missing(path) }
        return text
    }

    /// The value of a key that has a default.
    func value<T>(_ path: String) -> T {
        guard let value: T = self[path] else {
            preconditionFailure("\(path) has a default of its kind")
        }
        return value
    }

    /// The same for one word of several.
    func choice<T: RawRepresentable>(_ path: String) -> T where T.RawValue == String {
        guard let choice = T(rawValue: value(path)) else {
            preconditionFailure("\(path) was checked to be one of its words")
        }
        return choice
    }

    private mutating func sort(
        _ node: ConfigurationNode,
        under prefix: String
    ) throws(ConfigurationFailure) {
        let members: [ConfigurationNode.Member]
        switch node {
        case .null:
            return
        case .map(let map):
            members = map
        case .boolean, .integer, .number, .text, .list:
            throw .wrong(
                prefix.isEmpty ? "The configuration" : prefix,
                "must be a map of keys, not \(node.kind)"
            )
        }
        if !prefix.isEmpty { presentSections.insert(prefix) }
        for member in members {
            let path = prefix.isEmpty ? member.key : "\(prefix).\(member.key)"
            if let key = ConfigurationKey.byPath[path] {
                if member.value == .null { continue }
                values[path] = try key.value(of: member.value)
            } else if ConfigurationKey.sections.contains(path) {
                try sort(member.value, under: path)
            } else {
                throw .wrong(path, "is no known key")
            }
        }
    }

    private mutating func override(
        _ key: ConfigurationKey,
        with text: String
    ) throws(ConfigurationFailure) {
        switch key.kind {
        case .access, .apps, .outboxes:
            return
        case .texts, .choices:
            let elements = text.split(separator: ",")
                .map { ConfigurationNode.text(trimmed($0)) }
                .filter { $0 != .text("") }
            // An empty variable takes the key away, so that a container can switch one off.
            values[key.path] = elements.isEmpty ? nil : try key.value(of: .list(elements))
        case .text, .choice:
            values[key.path] = text.isEmpty ? nil : try key.value(of: .text(text))
        case .integer, .boolean:
            values[key.path] = text.isEmpty ? nil : try key.value(of: .init(plain: text))
        }
    }
}

extension ConfigurationKey {
    /// The default as the file would have it.
    fileprivate var fallbackNode: ConfigurationNode? {
        guard case .value(let shown) = fallback else { return nil }
        let text = shown.prefix(upTo: shown.firstRange(of: " (")?.lowerBound ?? shown.endIndex)
        switch kind {
        case .text, .choice: return .text(text.filter { $0 != "\"" })
        case .integer, .boolean: return .init(plain: String(text))
        case .texts, .choices, .access, .apps, .outboxes:
            let elements = text.filter { $0 != "[" && $0 != "]" }.split(separator: ",")
            return .list(elements.map { .text(trimmed($0)) })
        }
    }

    /// The value as the key's kind has it.
    func value(
        of node: ConfigurationNode
    ) throws(ConfigurationFailure) -> ConfigurationValues.Value {
        switch kind {
        case .text:
            return try node.text(key: path)
        case .integer(let range):
            return try node.integer(key: path, in: range)
        case .boolean:
            return try node.boolean(key: path)
        case .choice(let names):
            return try node.choice(key: path, of: names)
        case .texts:
            return try node.texts(key: path)
        case .choices(let names):
            return try node.list(key: path) { (element, key) throws(ConfigurationFailure) in
                try element.choice(key: key, of: names)
            }
        case .access:
            return try node.list(key: path) { (element, key) throws(ConfigurationFailure) in
                try element.access(key: key)
            }
        case .apps:
            return try node.list(key: path) { (element, key) throws(ConfigurationFailure) in
                try element.app(key: key)
            }
        case .outboxes:
            return try node.list(key: path) { (element, key) throws(ConfigurationFailure) in
                try element.outbox(key: key)
            }
        }
    }
}

private func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
}
