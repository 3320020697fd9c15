import CertificateAuthority
import JSON

/// The signed documents that an app holds on a device, or that the store's API gives out.
extension Subscriber {
    /// A transaction as a signed document, signed now.
    package mutating func signedTransaction(
        _ choice: TransactionChoice = .current,
        by authority: SigningAuthority,
        _ till: Till
    ) throws -> String {
        let transaction = try transaction(choice, at: till.now)
        let payloads = Payloads(settings: till.settings, signed: stamp(till))
        return try authority.sign(
            JSONValue.object(payloads.transaction(transaction, of: self)).bytes
        )
    }

    /// The download of the app as a signed document, signed now.
    package mutating func signedAppTransaction(
        by authority: SigningAuthority,
        _ till: Till
    ) throws -> String {
        let payloads = Payloads(settings: till.settings, signed: stamp(till))
        return try authority.sign(JSONValue.object(payloads.appTransaction(of: self)).bytes)
    }

    /// The renewal information as a signed document, signed now.
    package mutating func signedRenewal(
        by authority: SigningAuthority,
        _ till: Till
    ) throws -> String {
        let payloads = Payloads(settings: till.settings, signed: stamp(till))
        guard let renewal = payloads.renewal(of: self) else {
            throw StoreRefusal("\(name) has no subscription")
        }
        return try authority.sign(JSONValue.object(renewal).bytes)
    }
}
