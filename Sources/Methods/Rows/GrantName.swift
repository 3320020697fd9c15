/// How a grant is written: `g` and the journal position that gave it.
enum GrantName {
    static func text(_ id: UInt64) -> String { "g\(id)" }

    static func id(_ text: String) -> UInt64? {
        guard text.hasPrefix("g"), let id = UInt64(text.dropFirst()), self.text(id) == text
        else { return nil }
        return id
    }
}
