import JSON

/// Everything that is kept about a person.
public struct PersonalRecord: Equatable, Sendable {
    /// The user.
    public let userID: String
    /// Whether anything is kept.
    public let isKnown: Bool
    /// All of it, one JSON object.
    public let json: String

    init(_ whole: JSONObject) throws(ClientError) {
        let members = try Members(.object(whole), of: "exportUser")
        userID = try members.string("userId")
        isKnown = !(whole["account"]?.isNull ?? true)
        json = members.json
    }
}
