import AppStore
import Entitlements
import Fixtures
import JSON
import Testing

/// App transactions: which are genuine, which count, and what they are known by.
@Suite struct AppTransactionTests {
    private let trusting: TrustingStore

    init() throws {
        trusting = try TrustingStore(
            environments: [.production, .sandbox],
            appAppleID: HostileNotification.appAppleID
        )
    }

    private func payload(_ changes: JSONObject = [:]) -> JSONObject {
        var payload: JSONObject = [
            "receiptType": "Production",
            "appAppleId": .integer(HostileNotification.appAppleID),
            "bundleId": .string(HostileNotification.bundleID),
            "applicationVersion": "1",
            "versionExternalIdentifier": 1,
            "receiptCreationDate": .integer(trusting.set.signed),
            "originalPurchaseDate": .integer(trusting.set.signed),
            "originalApplicationVersion": "1",
            "deviceVerification": "bm90aGluZw==",
            "deviceVerificationNonce": "48ccfa42-7431-4f22-9908-7e88983e105a",
            "appTransactionId": "704289572311513293",
        ]
        for change in changes.members {
            payload[change.key] = change.value == .null ? nil : change.value
        }
        return payload
    }

    private func verdict(_ document: [UInt8]) -> AppTransactionVerdict {
        trusting.store.verdict(onAppTransaction: document, at: Moment(trusting.set.now))
    }

    private func verdict(_ changes: JSONObject = [:]) throws -> AppTransactionVerdict {
        verdict(try trusting.signed(payload(changes)))
    }

    @Test func `one and the same id is known by the same mark, in one environment`() throws {
        let first = try #require(try verdict().shown)
        #expect(first.environment == .production)
        let later = try verdict(["originalApplicationVersion": "2"]).shown
        #expect(later == first)
        let other = try #require(try verdict(["appTransactionId": "704289572311513294"]).shown)
        #expect(other.mark != nil && other.mark != first.mark)
        let sandbox = try #require(
            try verdict(["receiptType": "Sandbox", "appAppleId": .null]).shown
        )
        #expect(sandbox.environment == .sandbox)
        #expect(sandbox.mark != nil && sandbox.mark != first.mark)
    }

    @Test func `one from before there were ids is genuine, and known by nothing`() throws {
        for id: JSONValue in [.null, "", 7, "with a space"] {
            let shown = try #require(try verdict(["appTransactionId": id]).shown)
            #expect(shown.mark == nil)
        }
    }

    @Test func `what is wrong with one is named`() throws {
        let future = trusting.set.now + 300_001
        let rows: [(JSONObject, DocumentFault)] = [
            (["receiptType": "Xcode"], .xcode),
            (["receiptType": "Xcode", "bundleId": "com.example.third"], .xcode),
            (["receiptType": "LocalTesting"], .environment),
            (["receiptType": .null], .wrongDocument),
            (["transactionId": "1"], .wrongDocument),
            (["bundleId": "com.example.third"], .bundle),
            (["bundleId": .null], .bundle),
            (["appAppleId": 1], .app),
            (["appAppleId": .null], .app),
            (["receiptCreationDate": .integer(future)], .futureDate),
            (["receiptCreationDate": .null], .malformed),
            (["exp": 1], .signature),
        ]
        for (changes, fault) in rows {
            #expect(try verdict(changes).fault == fault, "\(changes)")
        }
        let productionAlone = try TrustingStore()
        let sandbox = try productionAlone.signed(payload(["receiptType": "Sandbox"]))
        let refused = productionAlone.store.verdict(
            onAppTransaction: sandbox,
            at: Moment(productionAlone.set.now)
        )
        #expect(refused.fault == .environment)
    }

    @Test func `other documents, and those that nobody has signed, are none`() throws {
        #expect(verdict(try trusting.signed(trusting.good.transaction)).fault == .wrongDocument)
        #expect(verdict(Array("nonsense".utf8)).fault == .malformed)
        #expect(verdict(JSONValue.object(payload()).bytes).fault == .unsigned)
        var forged = try trusting.signed(payload())
        forged.replaceSubrange(forged.count - 4..<forged.count, with: Array("AAAA".utf8))
        #expect(verdict(forged).fault == .signature)
        // Xcode's date has a fraction, and its signature leads to nobody.
        var local = try trusting.signed(
            payload([
                "receiptType": "Xcode", "receiptCreationDate": JSONValue.parse(Array("1.5".utf8)),
            ])
        )
        #expect(verdict(local).fault == .xcode)
        local.replaceSubrange(local.count - 4..<local.count, with: Array("AAAA".utf8))
        #expect(verdict(local).fault == .xcode)
    }
}

extension AppTransactionVerdict {
    fileprivate var shown: AppTransaction? {
        if case .genuine(let shown) = self { shown } else { nil }
    }
    fileprivate var fault: DocumentFault? {
        if case .refused(let fault, _) = self { fault } else { nil }
    }
}
