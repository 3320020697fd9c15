import JSON

/// The key of a row as the daemon writes it: text, or `{"base64": …}` where it is not UTF-8.
enum RowKey {
    /// The key as one word on a line.
    static func word(_ key: JSONValue?) -> String {
        if let text = key?.string { return Terminal.safe(text) }
        return "base64:" + Terminal.safe(key?["base64"]?.string ?? "")
    }
}
