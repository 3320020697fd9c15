import CertificateAuthority
import JSON
import Signatures
import Testing

@testable import AppStoreSimulator

/// What the store signs holds before the verifier of this project.
struct SignatureTests {
    @Test func `the notification and both documents in it verify under the store's root`() throws {
        let authority = try Chain.authority.get()
        let verifier = try DocumentVerifier(roots: [Array(authority.rootPEM.utf8)])
        var counter = try Counter.subscribed()
        let signed = try counter.act(.cancel).signed(by: authority)
        let outer = try genuine(signed.signedPayload, verifier)
        #expect(outer["notificationUUID"]?.string == signed.uuid)
        let data = try #require(outer["data"])
        let transaction = try genuine(data["signedTransactionInfo"]?.string, verifier)
        #expect(transaction["transactionId"]?.string == signed.transactionID)
        #expect(transaction["originalTransactionId"]?.string == signed.originalID)
        let renewal = try genuine(data["signedRenewalInfo"]?.string, verifier)
        #expect(renewal["autoRenewStatus"] == 0)
    }

    @Test func `an app's documents verify, and another store's root refuses them`() throws {
        let authority = try Chain.authority.get()
        var counter = try Counter.subscribed()
        let transaction = try counter.customer.signedTransaction(by: authority, counter.till)
        let renewal = try counter.customer.signedRenewal(by: authority, counter.till)
        let verifier = try DocumentVerifier(roots: [Array(authority.rootPEM.utf8)])
        #expect(try genuine(transaction, verifier)["bundleId"] == "com.example.app")
        #expect(try genuine(renewal, verifier)["renewalDate"] != nil)
        let stranger = try SigningAuthority.mint(
            validFrom: Counter.start - 1_000_000,
            validUntil: Counter.start + 1_000_000
        )
        let other = try DocumentVerifier(roots: [Array(stranger.rootPEM.utf8)])
        guard case .forged = other.verdict(on: Array(transaction.utf8)) else {
            Issue.record("a foreign root accepts it")
            return
        }
    }

    private func genuine(_ compact: String?, _ verifier: DocumentVerifier) throws -> JSONValue {
        let document = try #require(compact)
        switch verifier.verdict(on: Array(document.utf8)) {
        case .genuine(let verified): return verified.payload
        case .forged(let reason):
            Issue.record("\(reason)")
            return .null
        case .undecided(let reason):
            Issue.record("\(reason)")
            return .null
        }
    }
}
