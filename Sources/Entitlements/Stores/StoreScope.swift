/// One app in one environment: what a walk, a budget and a token of the store's API are for.
package struct StoreScope: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The environment.
    package let environment: StoreEnvironment
    /// The app, where it is another than the default one.
    package let bundleID: String?

    /// An app in an environment; without a bundle id the default one.
    package init(_ environment: StoreEnvironment, bundleID: String? = nil) {
        self.environment = environment
        self.bundleID = bundleID
    }

    /// The scope that is written `text`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let environment = StoreEnvironment(name: String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(environment)
            return
        }
        guard !parts[1].isEmpty else { return nil }
        self.init(environment, bundleID: String(parts[1]))
    }

    /// The default app in Production.
    package static let production = StoreScope(.production)
    /// The default app in the sandbox.
    package static let sandbox = StoreScope(.sandbox)

    /// `Production`, or `Production/com.example.other`.
    package var description: String {
        bundleID.map { "\(environment.name)/\($0)" } ?? environment.name
    }

    package static func < (left: StoreScope, right: StoreScope) -> Bool {
        (left.environment, left.bundleID ?? "") < (right.environment, right.bundleID ?? "")
    }
}
