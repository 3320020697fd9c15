import Entitlements
import JSON
import Ledger
import Signatures
import Wire

extension Call {
    /// `registerAccount`: begins the account, gives free credits once, claims the token.
    ///
    /// An app transaction that is shown is verified before anything is decided.
    static let registerAccount = writing(
        "registerAccount",
        for: .app,
        taking: ["userId", "appAccountToken", "signedAppTransaction"]
    ) { (worker, params, _) throws(RPCFailure) in
        let service = worker.service
        let policy = try worker.awake().policy
        let user = try params.user(under: policy)
        let named = try params.token("appAccountToken")
        let own = service.token(of: user, under: policy)
        let token = named ?? own
        let accountID = service.takesAccountIDs ? service.derivedToken(of: user) : nil
        let document = try params.optionalText(
            "signedAppTransaction",
            bytesMax: MethodLimits.documentBytesMax
        )
        @Sendable func registration(showing shown: AppTransaction?) -> Registration {
            Registration(
                user: user,
                token: token,
                showing: shown,
                hasOwnToken: token == own,
                accountID: accountID
            )
        }
        return PendingWrite(
            of: .user(user),
            preparing: document.map { document in
                .work(.purchases) { (_) throws(RPCFailure) in
                    let shown = try service.appTransaction(of: Array(document.utf8))
                    return .register(registration(showing: shown))
                }
            } ?? .ready(.register(registration(showing: nil))),
            answering: { (receipt) throws(RPCFailure) in
                guard case .registered(let token, let created, let credits) = receipt.outcome
                else { throw RPCFailure(receipt.outcome) }
                return [
                    "appAccountToken": .string(token.description),
                    "created": .bool(created),
                    "creditsRemaining": .integer(credits),
                    "obfuscatedAccountId": .string(service.accountDigest(of: user).hex),
                ]
            }
        )
    }
}

extension MethodService {
    /// The token of a user who names none: the user id where that is a token, else the first 16
    /// bytes of SHA-256 of `<namespace>:<userId>`, version 8, variant 10 (RFC 9562, section 5.8).
    func token(of user: UserID, under policy: Policy) -> Token {
        if policy.source.userIDIsToken, let token = Token(user.description) { return token }
        return derivedToken(of: user)
    }

    /// The token that stands for the user's `obfuscatedAccountId`, too.
    func derivedToken(of user: UserID) -> Token {
        guard let token = Token(derivedFrom: accountDigest(of: user)) else {
            preconditionFailure("a token with a version is not all zero")
        }
        return token
    }

    /// SHA-256 of `<namespace>:<userId>`: what an app may give a store in the place of a user id.
    func accountDigest(of user: UserID) -> Digest256 {
        Digest256(bytes: Digest.sha256(Array((settings.tokenNamespace + ":").utf8) + user.bytes))
    }
}
