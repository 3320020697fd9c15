import Entitlements
import Testing

@testable import Methods

/// What the history keeps of a policy.
struct PolicyTextTests {
    @Test func `whom the sandbox of each store lets in is read back as it was`() throws {
        let ann = try #require(UserID("ann"))
        var source = Policy.Source()
        source.sandboxAccess = .listed([ann])
        // Where all stores have one rule, the text is that of older builds.
        #expect(!source.stamp.text.contains("OfStores"))
        source.sandboxAccessOfStores = [.googlePlay: .none, .stripe: .all]
        let read = try #require(Policy.Source(source.stamp))
        #expect(read.sandboxAccess == source.sandboxAccess)
        #expect(read.sandboxAccessOfStores == source.sandboxAccessOfStores)
        #expect(read.stamp.digest == source.stamp.digest)
    }
}
