import Yams

/// A YAML file as one tree, checked for duplicate keys.
struct ConfigurationDocument {
    let root: ConfigurationNode

    /// Parses `bytes`, the content of the file at `path`.
    ///
    /// First match wins: not UTF-8, a duplicate key, not YAML, a key that is no text, too deep.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationFailure(key: path, problem: "is not UTF-8")
        }
        root = try ConfigurationDocument.tree(of: text, path: path)
    }

    private static func tree(
        of text: String,
        path: String
    ) throws(ConfigurationFailure) -> ConfigurationNode {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text, .basic)
        } catch {
            if case .duplicatedKeysInMapping(_, let context)? = error as? YamlError {
                throw duplicate(in: text, at: context.mark, path: path)
            }
            throw ConfigurationFailure(key: path, problem: "is not YAML: \(summary(of: error))")
        }
        guard let node else { return .null }
        return try ConfigurationDocument.node(node, key: "", path: path, depth: 0)
    }

    private static func node(
        _ node: Node,
        key: String,
        path: String,
        depth: Int
    ) throws(ConfigurationFailure) -> ConfigurationNode {
        let name = key.isEmpty ? path : key
        guard depth <= ConfigurationLimits.depthMax else {
            throw ConfigurationFailure(key: name, problem: "is nested too deeply")
        }
        switch node {
        case .scalar(let scalar):
            return scalar.style == .plain ? .init(plain: scalar.string) : .text(scalar.string)
        case .sequence(let sequence):
            guard sequence.count <= ConfigurationLimits.listCountMax else {
                throw ConfigurationFailure(key: name, problem: "has too many elements")
            }
            var list: [ConfigurationNode] = []
            for (index, element) in sequence.enumerated() {
                let elementKey = "\(key)[\(index)]"
                list.append(try self.node(element, key: elementKey, path: path, depth: depth + 1))
            }
            return .list(list)
        case .mapping(let mapping):
            var members: [ConfigurationNode.Member] = []
            for (memberName, value) in mapping {
                guard case .scalar(let scalar) = memberName else {
                    throw ConfigurationFailure(key: name, problem: "has a key that is no text")
                }
                let memberKey = key.isEmpty ? scalar.string : "\(key).\(scalar.string)"
                guard !members.contains(where: { $0.key == scalar.string }) else {
                    throw ConfigurationFailure(key: memberKey, problem: "stands there twice")
                }
                let value = try self.node(value, key: memberKey, path: path, depth: depth + 1)
                members.append(.init(key: scalar.string, value: value))
            }
            return .map(members)
        case .alias:
            throw ConfigurationFailure(key: name, problem: "is an alias, which is not understood")
        }
    }

    // The parser stops at a duplicate key and tells its line and column, not the path that leads
    // to it. So the first of the equal keys gets a mark in front, the text is parsed again, and
    // the marked key is looked for in the tree.
    private static func duplicate(
        in text: String,
        at mark: Mark,
        path: String
    ) -> ConfigurationFailure {
        var scalars = Array(text.unicodeScalars)
        var mark = mark
        for _ in 0..<ConfigurationLimits.duplicatesMax {
            guard insertSign(into: &scalars, at: mark) else { break }
            var marked = String.UnicodeScalarView()
            marked.append(contentsOf: scalars)
            do {
                guard let node = try Yams.compose(yaml: String(marked), .basic),
                    let key = signedKey(in: node, prefix: "")
                else { break }
                return ConfigurationFailure(key: key, problem: "stands there twice")
            } catch {
                guard case .duplicatedKeysInMapping(_, let context)? = error as? YamlError else {
                    break
                }
                mark = context.mark
            }
        }
        return ConfigurationFailure(
            key: path,
            problem: "has a key twice in one map, first in line \(mark.line)"
        )
    }

    private static let sign = "duplicate-key-"

    private static func insertSign(into scalars: inout [Unicode.Scalar], at mark: Mark) -> Bool {
        var line = 1
        var index = 0
        while line < mark.line, index < scalars.count {
            if scalars[index] == "\n" { line += 1 }
            index += 1
        }
        index += mark.column - 1
        guard line == mark.line, index < scalars.count else { return false }
        if scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
        scalars.insert(contentsOf: sign.unicodeScalars, at: index)
        return true
    }

    private static func signedKey(in node: Node, prefix: String) -> String? {
        switch node {
        case .mapping(let mapping):
            for (name, value) in mapping {
                guard case .scalar(let scalar) = name else { continue }
                if scalar.string.hasPrefix(sign) {
                    return prefix + scalar.string.dropFirst(sign.count)
                }
                if let key = signedKey(in: value, prefix: prefix + scalar.string + ".") {
                    return key
                }
            }
            return nil
        case .sequence(let sequence):
            for (index, element) in sequence.enumerated() {
                let place = String(prefix.dropLast()) + "[\(index)]."
                if let key = signedKey(in: element, prefix: place) { return key }
            }
            return nil
        case .scalar, .alias:
            return nil
        }
    }

    private static func summary(of error: any Error) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column), \(problem)"
        case .reader(let problem, _, _, _):
            problem
        default:
            "it cannot be parsed"
        }
    }
}
