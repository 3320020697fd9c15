/// The values that a file and the environment give to keys, each of its key's kind.
///
/// The environment stands before the file; a key without a value is absent.
struct ConfigurationValues {
    enum Value: Equatable {
        case text(String)
        case integer(Int)
        case boolean(Bool)
        case texts([String])
        case access([Settings.RPC.Access])
        case apps([Settings.Apple.App])
    }

    private var values: [String: Value] = [:]
    private var presentSections: Set<String> = []

    /// Sorts a file's tree into keys, then lays the environment over it.
    init(
        root: ConfigurationNode,
        environment: [String: String]
    ) throws(ConfigurationFailure) {
        try sort(root, under: "")
        for key in ConfigurationKey.all {
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

    func text(_ path: String) -> String? {
        guard case .text(let value)? = values[path] else { return nil }
        return value
    }

    func integer(_ path: String) -> Int? {
        guard case .integer(let value)? = values[path] else { return nil }
        return value
    }

    func boolean(_ path: String) -> Bool? {
        guard case .boolean(let value)? = values[path] else { return nil }
        return value
    }

    func texts(_ path: String) -> [String]? {
        guard case .texts(let value)? = values[path] else { return nil }
        return value
    }

    func access(_ path: String) -> [Settings.RPC.Access]? {
        guard case .access(let value)? = values[path] else { return nil }
        return value
    }

    func apps(_ path: String) -> [Settings.Apple.App]? {
        guard case .apps(let value)? = values[path] else { return nil }
        return value
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
            throw ConfigurationFailure(
                key: prefix.isEmpty ? "The configuration" : prefix,
                problem: "must be a map of keys, not \(node.kind)"
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
                throw ConfigurationFailure(key: path, problem: "is no known key")
            }
        }
    }

    private mutating func override(
        _ key: ConfigurationKey,
        with text: String
    ) throws(ConfigurationFailure) {
        switch key.kind {
        case .access, .apps:
            return
        case .texts, .choices:
            let elements = text.split(separator: ",")
                .map { ConfigurationNode.text(trimmed($0)) }
                .filter { $0 != .text("") }
            values[key.path] = try key.value(of: .list(elements))
        case .text, .choice:
            // An empty variable takes the key away, so that a container can switch one off.
            values[key.path] = text.isEmpty ? nil : try key.value(of: .text(text))
        case .integer, .boolean:
            values[key.path] = text.isEmpty ? nil : try key.value(of: .init(plain: text))
        }
    }
}

extension ConfigurationKey {
    /// The value as the key's kind has it.
    func value(
        of node: ConfigurationNode
    ) throws(ConfigurationFailure) -> ConfigurationValues.Value {
        switch kind {
        case .text:
            return .text(try node.text(key: path))
        case .integer(let range):
            return .integer(try node.integer(key: path, in: range))
        case .boolean:
            return .boolean(try node.boolean(key: path))
        case .choice(let names):
            return .text(try node.choice(key: path, of: names))
        case .texts:
            return .texts(try node.texts(key: path))
        case .choices(let names):
            var chosen: [String] = []
            for (index, element) in try node.list(key: path).enumerated() {
                chosen.append(try element.choice(key: "\(path)[\(index)]", of: names))
            }
            return .texts(chosen)
        case .access:
            var access: [Settings.RPC.Access] = []
            for (index, element) in try node.list(key: path).enumerated() {
                access.append(try element.access(key: "\(path)[\(index)]"))
            }
            return .access(access)
        case .apps:
            var apps: [Settings.Apple.App] = []
            for (index, element) in try node.list(key: path).enumerated() {
                apps.append(try element.app(key: "\(path)[\(index)]"))
            }
            return .apps(apps)
        }
    }
}

private func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
}
