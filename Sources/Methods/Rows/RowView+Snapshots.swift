import Entitlements
import JSON

/// What only stores have that answer with whole states; what is absent is not there.
extension RowView {
    static func view(_ status: StatusFact) -> JSONValue {
        var object: JSONObject = [
            "code": .integer(status.code),
            "signedDate": .exact(status.version.signed),
            "digest": .string(status.version.digest.hex),
        ]
        if !status.word.isEmpty { object["word"] = .string(status.word) }
        return .object(object)
    }

    static func snapshotMembers(of subscription: Subscription) -> JSONObject {
        var object: JSONObject = [:]
        if !subscription.revocations.isEmpty {
            object["revocations"] = .array(subscription.revocations.map(view))
        }
        if !subscription.named.isEmpty {
            object["namedUsers"] = .array(
                subscription.named.map { named in
                    [
                        "userId": .string(named.user.description),
                        "signedDate": .exact(named.version.signed),
                        "digest": .string(named.version.digest.hex),
                    ]
                }
            )
        }
        object["replacedAt"] = subscription.replacedAt.map { .exact($0) }
        if !subscription.replacements.isEmpty {
            object["replacements"] = .array(subscription.replacements.map(view))
        }
        return object
    }

    private static func view(_ replacement: Replacement) -> JSONValue {
        [
            "purchaseDate": .exact(replacement.at),
            "firstSignedDate": .exact(replacement.first),
            "unrevokedSignedDate": .exact(replacement.said),
            "signedDate": .exact(replacement.signed),
            "isVoid": .bool(replacement.isVoid),
        ]
    }

    private static func view(_ revocation: RevocationFact) -> JSONValue {
        [
            "transactionId": .string(revocation.transactionID),
            "revocationDate": .exact(revocation.revoked),
            "revocationPercentage": revocation.share.map { .integer($0) } ?? .null,
            "revocationReason": revocation.reason.map { .integer($0) } ?? .null,
            "revocationType": revocation.type.map { .string($0) } ?? .null,
            "signedDate": .exact(revocation.version.signed),
            "digest": .string(revocation.version.digest.hex),
        ]
    }
}

extension RowReading {
    static func status(_ value: RowMembers) throws(RowReading) -> StatusFact {
        StatusFact(
            version: try value.version(),
            code: try value.integer("code"),
            word: try value.optionalText("word") ?? ""
        )
    }

    static func revocations(_ value: RowMembers) throws(RowReading) -> [RevocationFact] {
        guard value.has("revocations") else { return [] }
        var found: [RevocationFact] = []
        let most = Entitlements.Limits.revocationsKeptMax
        for one in try value.objects("revocations", countMax: most) {
            var fact = RevocationFact(
                transactionID: try one.name("transactionId"),
                version: try one.version(),
                revoked: try one.optionalMoment("revocationDate")
            )
            fact.share = try one.optionalInteger("revocationPercentage")
            fact.reason = try one.optionalInteger("revocationReason")
            fact.type = try one.optionalShortText("revocationType")
            found.append(fact)
        }
        return found
    }

    static func replacements(_ value: RowMembers) throws(RowReading) -> [Replacement] {
        guard value.has("replacements") else { return [] }
        var found: [Replacement] = []
        let most = Entitlements.Limits.replacementsKeptMax
        for one in try value.objects("replacements", countMax: most) {
            found.append(
                Replacement(
                    at: try one.moment("purchaseDate"),
                    first: try one.moment("firstSignedDate"),
                    said: try one.optionalMoment("unrevokedSignedDate"),
                    signed: try one.moment("signedDate"),
                    isVoid: try one.flag("isVoid")
                )
            )
        }
        return found
    }

    static func namedUsers(_ value: RowMembers) throws(RowReading) -> [UserFact] {
        guard value.has("namedUsers") else { return [] }
        var found: [UserFact] = []
        let most = Entitlements.Limits.namedUsersMax
        for one in try value.objects("namedUsers", countMax: most) {
            found.append(UserFact(user: try one.user("userId"), version: try one.version()))
        }
        return found
    }
}
