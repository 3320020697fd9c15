import JSON

/// The key of a row.
public enum StoredKey: Hashable, Sendable {
    /// Text.
    case text(String)
    /// Bytes that are not UTF-8, in base64.
    case base64(String)

    /// A key as `dump` writes it; nil for what is none.
    init?(_ value: JSONValue?) {
        if let text = value?.string {
            self = .text(text)
        } else if let text = value?["base64"]?.string {
            self = .base64(text)
        } else {
            return nil
        }
    }

    /// As the daemon takes it.
    var value: JSONValue {
        switch self {
        case .text(let text): .string(text)
        case .base64(let text): .object(["base64": .string(text)])
        }
    }
}
