import FoundationEssentials
import JSON

extension EntitlementsClient {
    /// Whether `userID` may render now, at a price of `cost` credits where credits pay.
    public func canRender(
        _ userID: String,
        cost: Int = 1
    ) async throws(ClientError) -> RenderAnswer {
        var parameters: JSONObject = ["userId": .string(userID)]
        if cost != 1 { parameters["cost"] = .integer(Int64(cost)) }
        return try await read("canRender", parameters)
    }

    /// Whether `userID` may use a feature of the catalog now.
    ///
    /// - Parameters:
    ///   - userID: the user.
    ///   - feature: the feature, in the catalog's words.
    ///   - cost: the price in credits, where credits pay for it.
    /// - Returns: whether they may, and why or why not.
    /// - Throws: what the daemon refused, or kept it from answering.
    public func can(
        _ userID: String,
        use feature: String,
        cost: Int = 1
    ) async throws(ClientError) -> FeatureAnswer {
        var parameters: JSONObject = ["userId": .string(userID), "feature": .string(feature)]
        if cost != 1 { parameters["cost"] = .integer(Int64(cost)) }
        return try await read("can", parameters)
    }

    /// All that is said about `userID` at once.
    public func status(of userID: String) async throws(ClientError) -> AccountStatus {
        try await read("getStatus", ["userId": .string(userID)])
    }

    /// All that was known about `userID` at a past moment, under the catalog of that time.
    ///
    /// - Throws: `not_found` for a moment before the oldest that is kept.
    public func status(
        of userID: String,
        at moment: Date
    ) async throws(ClientError) -> AccountStatus {
        let parameters: JSONObject = [
            "userId": .string(userID), "at": .string(UTCTime.text(moment)),
        ]
        return try await read("getStatus", parameters, timeout: writeTimeout)
    }

    /// What `userID` can spend, and where it comes from.
    public func credits(of userID: String) async throws(ClientError) -> CreditBalance {
        try await read("getCredits", ["userId": .string(userID)])
    }

    /// Whether `userID` has access by a purchase or a grant.
    public func entitlement(of userID: String) async throws(ClientError) -> Entitlement {
        try await read("getEntitlement", ["userId": .string(userID)], member: "entitlement")
    }

    /// All subscriptions of `userID`, the best first.
    public func subscriptions(
        of userID: String
    ) async throws(ClientError) -> [OwnedSubscription] {
        try await read("getSubscriptions", ["userId": .string(userID)], member: "subscriptions")
    }

    /// Where `userID` manages the subscription; nil if there is none to manage.
    public func managementURL(
        of userID: String,
        platform: ClientPlatform? = nil
    ) async throws(ClientError) -> String? {
        var parameters: JSONObject = ["userId": .string(userID)]
        parameters["platform"] = platform.map { .string($0.rawValue) }
        return try await read("getManagementURL", parameters, member: "url")
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
