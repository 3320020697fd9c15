import JSON

extension JSONValue {
    /// When documents were signed depends on which of them were heard.
    private static let heard = [
        "signedDate", "digest", "seq", "firstSignedDate", "unrevokedSignedDate",
    ]

    /// What a row says, whichever versions of its documents were heard.
    package static func told(_ value: JSONValue) -> JSONValue {
        if let array = value.array {
            return .array(array.map(told).sorted { text($0) < text($1) })
        }
        guard let object = value.object else { return value }
        let members = object.members.filter { !heard.contains($0.key) }
        return .object(JSONObject(members.map { .init(key: $0.key, value: told($0.value)) }))
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: value.bytes, as: UTF8.self)
    }
}
