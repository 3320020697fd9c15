import JSON

/// A page of who would win or lose what under another catalog.
public struct CatalogPreview: Equatable, Sendable {
    /// A user whose status would be another.
    public struct Change: Equatable, Sendable {
        /// The user.
        public let userID: String
        /// The members of the status that would be others, as they are: one JSON object.
        public let before: String
        /// The same, as they would be.
        public let after: String
    }

    /// How many accounts were looked at.
    public let looked: Int64
    /// Those whose status would be another.
    public let changes: [Change]
    /// Where the next page begins; nil at the end.
    public let cursor: String?

    package init(_ result: JSONObject) throws(ClientError) {
        guard let looked = result["looked"]?.int64, let changes = result["changes"]?.array else {
            throw .malformedReply("the result of previewCatalog is not what is documented")
        }
        self.looked = looked
        cursor = result["cursor"]?.string
        var found: [Change] = []
        for change in changes {
            guard let userID = change["userId"]?.string, let before = change["before"],
                let after = change["after"]
            else { throw .malformedReply("changes of previewCatalog are not what is documented") }
            found.append(
                Change(
                    userID: userID,
                    before: String(decoding: before.bytes, as: UTF8.self),
                    after: String(decoding: after.bytes, as: UTF8.self)
                )
            )
        }
        self.changes = found
    }
}
