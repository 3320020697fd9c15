import JSON

/// Puts the pages of an export together: their lists grow, the rest is as the last page has it.
package struct ExportPages: Sendable {
    /// What has come so far, without the cursor.
    package private(set) var whole: JSONObject = [:]

    /// Where the next page begins; nil before the first page and after the last one.
    package private(set) var cursor: String?

    private let user: String

    /// The export of `user`.
    package init(of user: String) { self.user = user }

    /// What to ask for next.
    package var parameters: JSONObject {
        var parameters: JSONObject = ["userId": .string(user)]
        parameters["cursor"] = cursor.map { .string($0) }
        return parameters
    }

    /// Takes in a page, and answers whether it was the last one.
    package mutating func take(_ page: JSONObject) throws(ClientError) -> Bool {
        for member in page.members where member.key != "cursor" {
            if let more = member.value.array, let before = whole[member.key]?.array {
                whole[member.key] = .array(before + more)
            } else {
                whole[member.key] = member.value
            }
        }
        let next = page["cursor"]?.string
        // A cursor that stands still would be walked for ever.
        guard next == nil || next != cursor else {
            throw .malformedReply("the cursor does not move")
        }
        cursor = next
        return next == nil
    }
}
