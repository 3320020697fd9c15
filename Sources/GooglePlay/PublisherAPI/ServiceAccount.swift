import Entitlements
import JSON
import Signatures

/// Why a file holds no service account.
package enum ServiceAccountFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not the JSON that Google Cloud issues for a service account's key.
    case malformed
    /// A member is missing or of another form.
    case member(String)
    /// The key in it cannot be used.
    case key(RSAKeyFault)

    /// In words.
    package var description: String {
        switch self {
        case .malformed: "is not the JSON file of a service account's key"
        case .member(let name): "has no usable \(name)"
        case .key(let fault): "\(fault) in private_key"
        }
    }
}

/// The service account with which Google is asked (Google's page "Using OAuth 2.0 for Server to
/// Server Applications").
package struct ServiceAccount: Sendable {
    /// Its e-mail address, which is its name.
    package let email: String
    private let signer: RSATokenSigner
    private let header: [UInt8]
    private let tokens: PlayAddress

    /// Reads the account in a file that Google Cloud issued.
    package init(file: [UInt8]) throws(ServiceAccountFault) {
        guard file.count <= PlayLimits.accountFileBytesMax,
            let value = try? JSONValue.parse(file), value.object != nil
        else { throw .malformed }
        guard value["type"]?.string == "service_account" else { throw .member("type") }
        guard let email = PlayText.name(value["client_email"]?.string) else {
            throw .member("client_email")
        }
        guard let pem = value["private_key"]?.string else { throw .member("private_key") }
        do throws(RSAKeyFault) {
            signer = try RSATokenSigner(privateKeyPEM: Array(pem.utf8))
        } catch {
            throw .key(error)
        }
        if let text = value["token_uri"] {
            guard let address = text.string.flatMap({ PlayAddress($0) }) else {
                throw .member("token_uri")
            }
            tokens = address
        } else {
            tokens = .tokens
        }
        self.email = email
        var header: JSONObject = ["alg": "RS256", "typ": "JWT"]
        header["kid"] = PlayText.name(value["private_key_id"]?.string).map { .string($0) }
        self.header = JSONValue.object(header).bytes
    }

    /// The question for an access token at `now`.
    package func credential(at now: Moment) -> StoreQuestion<StoreCredential> {
        let issued = now.milliseconds / 1_000
        let claims: JSONObject = [
            "iss": .string(email),
            "scope": "https://www.googleapis.com/auth/androidpublisher",
            // Google's libraries write this audience, regardless of the address that the file
            // names.
            "aud": "https://oauth2.googleapis.com/token",
            "iat": .integer(issued),
            "exp": .integer(issued + PlayLimits.assertionSeconds),
        ]
        let assertion = signer.token(header: header, claims: JSONValue.object(claims).bytes)
        let request = StoreRequest(
            .post,
            tokens.host,
            tokens.path,
            body: .form([
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", assertion),
            ]),
            isAuthorised: false
        )
        return StoreQuestion(request, reading: [400, 401, 403]) {
            (reply, now) throws(StoreAPIFailure) in
            .answer(try Self.credential(reply, at: now))
        }
    }

    /// For how many seconds a token is good; RFC 6749, section 5.1, lets a server leave it out.
    private static func lifetime(_ value: JSONValue?) -> Int64? {
        value.map { $0.int64 } ?? PlayLimits.assertionSeconds
    }

    private static func credential(
        _ reply: StoreReply,
        at now: Moment
    ) throws(StoreAPIFailure) -> StoreCredential {
        let value = try? JSONValue.parse(reply.body, depthMax: PlayLimits.documentDepthMax)
        guard reply.isSuccess else {
            // The words of RFC 6749, section 5.2; Google adds others for its own internal failures.
            let word = PlayText.name(value?["error"]?.string) ?? "HTTP \(reply.status)"
            let isTheirs = ["internal_failure", "server_error", "temporarily_unavailable"]
            throw StoreAPIFailure(
                isTheirs.contains(word) ? .unreachable : .unauthorized,
                code: Int64(reply.status),
                "no access token: \(word)"
            )
        }
        guard let token = value?["access_token"]?.string,
            PlayText.isName(token, bytesMax: PlayLimits.accessTokenBytesMax),
            value?["token_type"].map({ $0.string?.lowercased() == "bearer" }) ?? true,
            let seconds = lifetime(value?["expires_in"]), (1...86_400).contains(seconds)
        else { throw StoreAPIFailure(.malformed, "an answer without a usable access token") }
        let kept = max(seconds - PlayLimits.credentialMarginSeconds, seconds / 2)
        return StoreCredential(
            authorization: "Bearer \(token)",
            renewal: now.advanced(byMilliseconds: kept * 1_000)
        )
    }
}
