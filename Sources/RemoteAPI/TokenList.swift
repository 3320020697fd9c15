import DaemonConfiguration
import Signatures
import Synchronization
import Wire

/// The tokens that are good now.
final class TokenList: Sendable {
    private struct State {
        var holders: [[UInt8]: TokenHolder] = [:]
        /// Numbers of tokens that are gone are not used again.
        var nextNumber = APILimits.callerNumberFirst
    }

    private let state = Mutex(State())
    private let budget: ByteBudget
    private let requestsPerSecond: Int

    init(_ tokens: [AccessToken], budget: ByteBudget, requestsPerSecond: Int) {
        self.budget = budget
        self.requestsPerSecond = requestsPerSecond
        replace(by: tokens)
    }

    /// Takes `tokens` instead of the present ones; a token that stays keeps its rate and its share.
    func replace(by tokens: [AccessToken]) {
        let lost = state.withLock { state in
            var rest = state.holders
            var holders: [[UInt8]: TokenHolder] = [:]
            for token in tokens {
                if let holder = rest[token.digest], holder.token == token {
                    holders[token.digest] = holder
                    rest[token.digest] = nil
                    continue
                }
                holders[token.digest] = TokenHolder(
                    token,
                    number: state.nextNumber,
                    budget: budget,
                    requestsPerSecond: requestsPerSecond
                )
                state.nextNumber += 1
            }
            state.holders = holders
            return rest.values
        }
        for holder in lost { holder.leave() }
    }

    /// Whose token the value of an `Authorization` field shows; nil where it is no good one.
    ///
    /// The token is looked up by its hash, so the time that takes tells nothing about any token.
    func holder(shownIn authorization: String) -> TokenHolder? {
        guard let credential = Self.credential(in: authorization) else { return nil }
        let digest = Digest.sha256(credential)
        return state.withLock { $0.holders[digest] }
    }

    /// What stands behind `Bearer` (RFC 6750, section 2.1).
    private static func credential(in authorization: String) -> String? {
        let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer",
            words[1].utf8.count <= APILimits.credentialBytesMax
        else { return nil }
        return String(words[1])
    }
}
