import JSON

/// Everything that is kept about a person.
public struct PersonalRecord: Equatable, Sendable {
    /// The user.
    public let userID: String
    /// Whether anything is kept.
    public let isKnown: Bool
    /// All of it, one JSON object.
    public let json: String

    package init(_ whole: JSONObject) throws(ClientError) {
        guard let userID = whole["userId"]?.string else {
            throw .malformedReply("userId in the result of exportUser is not what is documented")
        }
        self.userID = userID
        isKnown = !(whole["account"]?.isNull ?? true)
        json = String(decoding: JSONValue.object(whole).bytes, as: UTF8.self)
    }
}
