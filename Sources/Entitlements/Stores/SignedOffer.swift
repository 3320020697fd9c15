/// An offer, signed in both forms that StoreKit takes.
package struct SignedOffer: Hashable, Sendable {
    /// The key's name.
    package let keyID: String
    /// The older form: a signature alone.
    package let signature: String
    /// The newer form: a JWS.
    package let token: String

    /// Both forms.
    package init(keyID: String, signature: String, token: String) {
        self.keyID = keyID
        self.signature = signature
        self.token = token
    }
}
