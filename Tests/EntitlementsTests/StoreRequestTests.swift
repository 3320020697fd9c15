import Entitlements
import Testing

/// What may stand in a request to a store.
struct StoreRequestTests {
    @Test(arguments: ["", "..", ".", "a/b", "../1", "1?x=2", "1%2F", "ü", "1\n", " 1", "a#"])
    func `an id that would lead elsewhere is no id`(_ text: String) {
        #expect(StoreName(text) == nil)
    }

    @Test func `an id has at most 128 bytes`() {
        #expect(StoreName(String(repeating: "1", count: 128)) != nil)
        #expect(StoreName(String(repeating: "1", count: 129)) == nil)
    }

    @Test func `other hosts are https, or http on this machine`() {
        let good = [
            "https://store.example/", "https://store.example:8443/apple", "http://127.0.0.1:80",
            "http://localhost", "http://[::1]:9",
        ]
        for base in good { #expect(StoreHost(base) != nil, "\(base)") }
        let bad = [
            "http://store.example", "http://127.0.0.1.example", "http://localhost:99999",
            "ftp://store.example", "https://", "https://u@store.example", "https://a?b", "store",
            "http://localhostile",
        ]
        for base in bad { #expect(StoreHost(base) == nil, "\(base)") }
    }

    @Test func `whatever stands in a query or a form is encoded`() {
        let pairs = [(name: "a b", value: "r+1=&"), (name: "ü", value: "")]
        let request = StoreRequest(.get, StoreHost(named: "store.example"), "/x", query: pairs)
        #expect(request.url == "https://store.example/x?a%20b=r%2B1%3D%26&%C3%BC=")
        #expect(StoreBody.form(pairs).bytes == Array("a%20b=r%2B1%3D%26&%C3%BC=".utf8))
        #expect(StoreRequest.encoded("a/b:~") == "a%2Fb%3A~")
    }

    @Test func `a field is found in whatever case it is written`() {
        let reply = StoreReply(status: 204, fields: [HTTPField("Retry-After", "7")])
        #expect(reply.field("retry-after") == "7" && reply.field("Age") == nil)
        #expect(reply.isSuccess && !StoreReply(status: 300).isSuccess)
    }

    @Test func `a store that is not configured calls nothing genuine`() {
        let profile = StoreProfile(
            .stripe,
            section: "shop",
            webhook: StoreWebhook(paths: [], challenge: "", bodyBytesMax: 1),
            managementURL: nil
        )
        let store = AbsentStore(profile)
        guard case .undecided = store.verdict(on: StoreDelivery(body: [1]), at: Moment(0)),
            case .refused(.environment, _) = store.verdict(
                onPurchase: [1],
                renewal: nil,
                at: Moment(0)
            )
        else {
            Issue.record("something is genuine")
            return
        }
        #expect(!store.hasApps)
        #expect(store.sentence(on: .environment, in: .purchase)?.contains("section shop") == true)
        #expect(store.reply(to: .accepted).body == WebhookReply.received("accepted").body)
    }
}
