/// One value of a YAML file, its type decided by the core schema: what is quoted is text, and a
/// plain `yes` is text too.
enum ConfigurationNode: Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([ConfigurationNode])
    case map([Member])

    /// One key of a map with its value, in the order of the file.
    struct Member: Equatable {
        let key: String
        let value: ConfigurationNode
    }

    /// Decides what an unquoted scalar is.
    init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .boolean(true)
        case "false", "False", "FALSE": self = .boolean(false)
        default:
            if let integer = ConfigurationNode.integer(text) {
                self = .integer(integer)
            } else if let number = ConfigurationNode.number(text) {
                self = .number(number)
            } else {
                self = .text(text)
            }
        }
    }

    /// What it is, for a sentence about a wrong type.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .boolean(let value): "the switch \(value)"
        case .integer(let value): "the number \(value)"
        case .number(let value): "the number \(value)"
        case .text: "a text"
        case .list: "a list"
        case .map: "a map"
        }
    }

    static func integer(_ text: String) -> Int? {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func number(_ text: String) -> Double? {
        // Double(_:) also reads hexadecimal, "inf" and "nan", which are texts here.
        let isDecimal = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
        }
        guard isDecimal, text.utf8.contains(where: { (0x30...0x39).contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }
}
