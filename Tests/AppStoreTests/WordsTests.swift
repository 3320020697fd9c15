import Entitlements
import Testing

@testable import AppStore

/// What the App Store says of itself, with an app in the configuration and without.
struct WordsTests {
    @Test func `it sends to its paths, and has one page for all customers`() throws {
        let stores: [any Storefront] = [try TrustingStore().store, UnconfiguredAppStore()]
        for store in stores {
            #expect(store.store == .appStore)
            let page = store.managementURL(ofProduct: "com.example.monthly")
            #expect(page == "https://apps.apple.com/account/subscriptions")
            #expect(
                store.webhook.paths == [
                    "/webhooks/apple", "/api/webhooks/apple", "/api/billing/webhooks/apple",
                ]
            )
            #expect(store.webhook.challenge == "JWS realm=\"App Store\"")
        }
        #expect(stores.map(\.hasApps) == [true, false])
    }

    @Test(arguments: [
        (#"{"signedPayload":"a.b.c"}"#, "a.b.c"), (#"{"signedPayload":"a.b"}"#, nil),
        (#"{"signedPayload":"a.b.c.d"}"#, nil), (#"{"signedPayload":1}"#, nil), ("{}", nil),
        ("[]", nil), ("{", nil), (#"{"signedPayload":"a.b.c","signedPayload":"a.b.c"}"#, nil),
    ])
    func `a notification carries three segments`(body: String, payload: String?) {
        #expect(
            AppleWords.payload(ofNotification: Array(body.utf8)) == payload.map { Array($0.utf8) }
        )
        let delivery = StoreDelivery(body: Array(body.utf8))
        let isMalformed =
            if case .malformed = UnconfiguredAppStore().verdict(on: delivery, at: Moment(0)) {
                true
            } else { false }
        #expect(isMalformed == (payload == nil))
    }

    @Test func `without an app the form of a document is judged, and nothing is genuine`() {
        let store = UnconfiguredAppStore()
        let (now, whole) = (Moment(0), Array("YQ.Yg.Yw".utf8))
        for (text, expected) in [
            (whole, DocumentFault.environment), (Array("a..b".utf8), .malformed),
            (Array("{}".utf8), .unsigned),
        ] {
            guard
                case .refused(let fault, _) = store.verdict(
                    onPurchase: text,
                    renewal: nil,
                    at: now
                )
            else {
                Issue.record("\(text) is genuine")
                return
            }
            #expect(fault == expected)
        }
        guard
            case .refused(.environment, _) = store.verdict(
                on: StoreDelivery(body: Array(#"{"signedPayload":"YQ.Yg.Yw"}"#.utf8)),
                at: now
            ),
            case .refused(.environment, _) = store.verdict(onAppTransaction: whole, at: now),
            case .refused(.environment, _) = store.verdict(onReceipt: Array("MII=".utf8), at: now)
        else {
            Issue.record("something is genuine, or has another fault")
            return
        }
    }

    @Test func `a caller is told what Apple's own faults mean`() throws {
        let (known, unknown) = (try TrustingStore().store, UnconfiguredAppStore())
        #expect(known.sentence(on: .xcode, in: .purchase)?.contains("Xcode") == true)
        #expect(known.sentence(on: .jwsNotReceipt)?.contains("verifyPurchase") == true)
        let unsigned = DocumentFault.unsigned
        let purchase = known.sentence(on: unsigned, in: .purchase)
        #expect(purchase?.contains("or with apple.api the transactionId alone") == true)
        #expect(known.sentence(on: unsigned, in: .appTransaction) != purchase)
        #expect(known.sentence(on: .signature, in: .purchase) == nil)
        #expect(known.sentence(on: DocumentFault.environment, in: .purchase) == nil)
        for sentence in [
            unknown.sentence(on: .environment, in: .purchase), unknown.sentence(on: .environment),
        ] { #expect(sentence?.contains("no section apple") == true) }
    }
}
