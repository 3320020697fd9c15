import CertificateAuthority
import JSON

/// Where a walk through pages goes on: an opaque text that only fits the question it was made for.
struct APICursor: Equatable {
    /// How far the walk is: a place, or a moment.
    var position: Int64
    /// The transaction at that moment.
    var id = ""
    /// When the page was given out.
    var made: Int64

    /// The text for the question `query`.
    func text(for query: String) -> String {
        let object: JSONObject = [
            "p": .integer(position), "i": .string(id), "m": .integer(made),
            "q": .string(Self.digest(query)),
        ]
        return Base64.urlText(JSONValue.object(object).bytes)
    }

    init(position: Int64, id: String = "", made: Int64) {
        self.position = position
        self.id = id
        self.made = made
    }

    /// What `text` says; nil where it is none, or was made for another question.
    init?(_ text: String, for query: String) {
        guard let bytes = Base64.urlBytes(text), let value = try? JSONValue.parse(bytes),
            let position = value["p"]?.int64, let id = value["i"]?.string,
            let made = value["m"]?.int64, value["q"]?.string == Self.digest(query)
        else { return nil }
        self.init(position: position, id: id, made: made)
    }

    /// FNV-1a: enough to tell questions apart.
    private static func digest(_ query: String) -> String {
        let hash = query.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        return String(hash, radix: 36)
    }
}
