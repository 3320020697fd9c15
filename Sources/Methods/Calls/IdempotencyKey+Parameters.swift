import Entitlements
import JSON
import Signatures
import Wire

/// Idempotency keys, and what they stand for.
extension ParamsView {
    /// `idempotencyKey`, in the scope of `user`.
    func key(of user: UserID) throws(RPCFailure) -> IdempotencyKey {
        let name = try text("idempotencyKey", bytesMax: MethodLimits.keyBytesMax)
        return IdempotencyKey(user, name)
    }
}

extension IdempotencyKey {
    /// The key that a caller wrote `name`.
    init(_ user: UserID, _ name: String) {
        self.init(user: user, digest: Digest256(bytes: Digest.sha256(name)))
    }
}

extension Digest256 {
    /// What a key stands for: the same method and arguments make the same text.
    init(of arguments: JSONValue) {
        self.init(bytes: Digest.sha256(arguments.bytes))
    }
}
