import FoundationEssentials
import JSON

extension EntitlementsClient {
    /// What changed for `userID`, oldest first; the next page comes after the last `seq`.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - seq: Only what came after this position.
    ///   - limit: How many events at most; those of one position are never parted.
    ///   - minSeq: What the answer must reflect.
    /// - Returns: A page; an empty one is the end.
    /// - Throws: `ClientError` when the daemon does not answer, or refuses.
    public func history(
        of userID: String,
        after seq: Int64? = nil,
        limit: Int = 100,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> [HistoryEvent] {
        try await historyPage(of: userID, after: seq, limit: limit, minSeq: minSeq).events
    }

    /// The same with the moment before which changes are not told any more.
    ///
    /// - Parameters:
    ///   - userID: The user.
    ///   - seq: Only what came after this position.
    ///   - limit: How many events at most; those of one position are never parted.
    ///   - minSeq: What the answer must reflect.
    /// - Returns: A page; one without events is the end.
    /// - Throws: `ClientError` when the daemon does not answer, or refuses.
    public func historyPage(
        of userID: String,
        after seq: Int64? = nil,
        limit: Int = 100,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> HistoryPage {
        var parameters = question(about: userID, minSeq)
        parameters["afterSeq"] = seq.map { .integer($0) }
        if limit != 100 { parameters["limit"] = .integer(Int64(limit)) }
        return try await read("getHistory", parameters, timeout: writeTimeout)
    }

    /// Why the status of `userID` is what it is, or what it was at a past moment.
    ///
    /// - Returns: The facts, and the rule that decided.
    /// - Throws: `not_found` for a moment before the oldest that is kept.
    public func explain(
        _ userID: String,
        at moment: Date? = nil,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> Explanation {
        var parameters = question(about: userID, minSeq)
        parameters["at"] = moment.map { .string(UTCTime.text($0)) }
        var result = try await result(of: "explain", parameters, timeout: writeTimeout)
        result["json"] = .string(String(decoding: JSONValue.object(result).bytes, as: UTF8.self))
        return try JSONValue.object(result).decoded(of: "explain")
    }

    /// The changes of `userIDs`, or of everybody, as they happen.
    ///
    ///     for try await event in client.watch() {
    ///         if case .entitlementChanged(let change) = event { forget(change.userID) }
    ///     }
    ///
    /// - Parameters:
    ///   - userIDs: Whom to watch, 1 to 10,000; nil for everybody.
    ///   - fromSeq: Also what came after this position, such as that of an answer.
    /// - Returns: The changes, which a lost connection does not end.
    public func watch(
        _ userIDs: [String]? = nil,
        fromSeq: Int64? = nil
    ) -> EntitlementWatch {
        EntitlementWatch(
            WatchFeed.Subject(
                at: place,
                users: userIDs,
                fromSeq: fromSeq,
                timeout: writeTimeout,
                frameBytesMax: frameBytesMax
            )
        )
    }
}
