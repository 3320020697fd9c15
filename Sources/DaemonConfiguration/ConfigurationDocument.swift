import Yams

/// A YAML file as one tree, checked for duplicate keys.
///
/// Aliases are not understood: a few of them can stand for a tree of any size. The parser would put
/// in their place what they stand for, so it is given a text without them: the star of everything
/// that may be an alias is replaced by a sign that the text does not have.
struct ConfigurationDocument {
    private(set) var root = ConfigurationNode.null

    private let path: String
    /// What stands for stars.
    private let star: Unicode.Scalar

    /// Parses `bytes`, the content of the file at `path`.
    ///
    /// First match wins: not UTF-8, a duplicate key, not YAML, a key that is no text, too deep.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .wrong(path, "is not UTF-8")
        }
        let used = Set(text.unicodeScalars)
        // There are more of them than a text may have bytes.
        let star = Self.signs.lazy.compactMap { Unicode.Scalar($0) }.first { !used.contains($0) }
        guard let star else { throw .wrong(path, "has too many private characters") }
        self.path = path
        self.star = star
        root = try tree(of: Self.replacing("*", by: star, in: text) { !$0.isWhitespace })
    }

    /// Characters of private use, which YAML allows.
    private static let signs: ClosedRange<UInt32> = 0xF0000...0xFFFFD

    /// `text` with `other` for each `scalar` behind which stands one that fits.
    private static func replacing(
        _ scalar: Unicode.Scalar,
        by other: Unicode.Scalar,
        in text: String,
        before fits: (Unicode.Scalar.Properties) -> Bool = { _ in true }
    ) -> String {
        var replaced = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let first = rest.popFirst() {
            let isMeant = first == scalar && rest.first.map { fits($0.properties) } ?? true
            replaced.append(isMeant ? other : first)
        }
        return String(replaced)
    }

    private func tree(of text: String) throws(ConfigurationFailure) -> ConfigurationNode {
        let node: Node?
        do {
            node = try Yams.compose(yaml: text, .basic)
        } catch {
            if case .duplicatedKeysInMapping(_, let context)? = error as? YamlError {
                throw duplicate(in: text, at: context.mark)
            }
            let problem = "is not YAML: \(Self.summary(of: error))"
            throw .wrong(path, problem)
        }
        guard let node else { return .null }
        return try self.node(node, key: "", depth: 0)
    }

    /// What a scalar says, with its stars.
    private func text(
        of scalar: Node.Scalar,
        key: String
    ) throws(ConfigurationFailure) -> String {
        if scalar.style == .plain, scalar.string.unicodeScalars.first == star {
            throw .wrong(key, "is an alias, which is not understood")
        }
        return Self.replacing(star, by: "*", in: scalar.string)
    }

    private func node(
        _ node: Node,
        key: String,
        depth: Int
    ) throws(ConfigurationFailure) -> ConfigurationNode {
        let name = key.isEmpty ? path : key
        guard depth <= ConfigurationLimits.depthMax else {
            throw .wrong(name, "is nested too deeply")
        }
        switch node {
        case .scalar(let scalar):
            let text = try text(of: scalar, key: name)
            return scalar.style == .plain ? .init(plain: text) : .text(text)
        case .sequence(let sequence):
            guard sequence.count <= ConfigurationLimits.listCountMax else {
                throw .wrong(name, "has too many elements")
            }
            var list: [ConfigurationNode] = []
            for (index, element) in sequence.enumerated() {
                let elementKey = "\(key)[\(index)]"
                list.append(try self.node(element, key: elementKey, depth: depth + 1))
            }
            return .list(list)
        case .mapping(let mapping):
            var members: [ConfigurationNode.Member] = []
            var names: Set<String> = []
            for (memberName, value) in mapping {
                guard case .scalar(let scalar) = memberName else {
                    throw .wrong(name, "has a key that is no text")
                }
                let memberName = try text(of: scalar, key: name)
                let memberKey = key.isEmpty ? memberName : "\(key).\(memberName)"
                guard names.insert(memberName).inserted else {
                    throw .wrong(memberKey, "stands there twice")
                }
                let value = try self.node(value, key: memberKey, depth: depth + 1)
                members.append(.init(key: memberName, value: value))
            }
            return .map(members)
        case .alias:
            throw .wrong(name, "is an alias, which is not understood")
        }
    }

    // The parser stops at a duplicate key and tells its line and column, not the path that leads
    // to it. So the first of the equal keys gets a mark in front, the text is parsed again, and
    // the marked key is looked for in the tree.
    private func duplicate(in text: String, at mark: Mark) -> ConfigurationFailure {
        var scalars = Array(text.unicodeScalars)
        var mark = mark
        for _ in 0..<ConfigurationLimits.duplicatesMax {
            guard Self.insertSign(into: &scalars, at: mark) else { break }
            var marked = String.UnicodeScalarView()
            marked.append(contentsOf: scalars)
            do {
                guard let node = try Yams.compose(yaml: String(marked), .basic),
                    let key = Self.signedKey(in: node, prefix: "")
                else { break }
                let name = Self.replacing(star, by: "*", in: key)
                return .wrong(name, "stands there twice")
            } catch {
                guard case .duplicatedKeysInMapping(_, let context)? = error as? YamlError else {
                    break
                }
                mark = context.mark
            }
        }
        return .wrong(path, "has a key twice in one map, first in line \(mark.line)")
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
