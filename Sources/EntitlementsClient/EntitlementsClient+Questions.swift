import FoundationEssentials
import JSON

extension EntitlementsClient {
    /// Whether `userID` may render now, at a price of `cost` credits where credits pay.
    ///
    /// Every question takes `minSeq`, a position such as a receipt's `seq`: the answer reflects it,
    /// or is the error `behind` after 200 ms.
    public func canRender(
        _ userID: String,
        cost: Int = 1,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> RenderAnswer {
        var parameters = question(about: userID, minSeq)
        if cost != 1 { parameters["cost"] = .integer(Int64(cost)) }
        return try await read("canRender", parameters)
    }

    /// Whether `userID` may use a feature of the catalog now.
    ///
    /// - Parameters:
    ///   - userID: the user.
    ///   - feature: the feature, in the catalog's words.
    ///   - cost: the price in credits, where credits pay for it.
    ///   - minSeq: what the answer must reflect.
    /// - Returns: whether they may, and why or why not.
    /// - Throws: what the daemon refused, or kept it from answering.
    public func can(
        _ userID: String,
        use feature: String,
        cost: Int = 1,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> FeatureAnswer {
        var parameters = question(about: userID, minSeq)
        parameters["feature"] = .string(feature)
        if cost != 1 { parameters["cost"] = .integer(Int64(cost)) }
        return try await read("can", parameters)
    }

    /// All that is said about `userID` at once.
    public func status(
        of userID: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> AccountStatus {
        try await read("getStatus", question(about: userID, minSeq))
    }

    /// All that was known about `userID` at a past moment, under the catalog of that time.
    ///
    /// - Throws: `not_found` for a moment before the oldest that is kept.
    public func status(
        of userID: String,
        at moment: Date,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> AccountStatus {
        var parameters = question(about: userID, minSeq)
        parameters["at"] = .string(UTCTime.text(moment))
        return try await read("getStatus", parameters, timeout: writeTimeout)
    }

    /// What `userID` can spend, and where it comes from.
    public func credits(
        of userID: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> CreditBalance {
        try await read("getCredits", question(about: userID, minSeq))
    }

    /// Whether `userID` has access by a purchase or a grant.
    public func entitlement(
        of userID: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> Entitlement {
        try await read("getEntitlement", question(about: userID, minSeq), member: "entitlement")
    }

    /// All subscriptions of `userID`, the best first.
    public func subscriptions(
        of userID: String,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> [OwnedSubscription] {
        let parameters = question(about: userID, minSeq)
        return try await read("getSubscriptions", parameters, member: "subscriptions")
    }

    /// Where `userID` manages the subscription; nil if there is none to manage.
    ///
    /// The daemon may ask Stripe for the page.
    public func managementURL(
        of userID: String,
        platform: ClientPlatform? = nil,
        minSeq: Int64? = nil
    ) async throws(ClientError) -> String? {
        var parameters = question(about: userID, minSeq)
        parameters["platform"] = platform.map { .string($0.rawValue) }
        return try await read("getManagementURL", parameters, member: "url", isSlow: true)
    }

    /// The parameters of a question about `userID`.
    func question(about userID: String, _ minSeq: Int64?) -> JSONObject {
        question(["userId": .string(userID)], minSeq)
    }

    /// The parameters of a question whose answer must reflect `minSeq`.
    func question(_ parameters: JSONObject, _ minSeq: Int64?) -> JSONObject {
        var parameters = parameters
        parameters["minSeq"] = minSeq.map { .integer($0) }
        return parameters
    }

    /// Returns when the daemon answers; it need not be ready for other calls yet.
    public func ping() async throws(ClientError) {
        _ = try await result(of: "ping", [:], timeout: readTimeout)
    }

    /// Which daemon answers.
    public func version() async throws(ClientError) -> DaemonVersion {
        try await read("version", [:])
    }
}
